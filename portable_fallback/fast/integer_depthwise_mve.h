// Turns lines so that a window is four words, and multiplies its 16 numbers at once:
//
//   x      c0 c1 ... c15 of a pixel, in each of three lines                    bytes
//   rows   c0 of lines 0 1 2 - | c1 of lines 0 1 2 - | ...    a word a channel, of each pixel
//   w      the same of taps: c0 of lines 0 1 2 -, 0 beside the window
//
// 1. VST4 writes the words of 16 channels of a pixel. What lies beside x is filled in.
// 2. Of each channel a load of four words takes the window of a place, of four neighboring pixels,
//    and one instruction multiplies and adds them. The channel's taps stay in a register.
// 3. Results are made four channels at a time.
//
// A zero point of w makes numbers of nine bits. Most fit eight: of a channel where some do not,
// what is left of them has words of its own, and is multiplied too.
#pragma once

#include "portable_fallback/fast/integer_depthwise_bytes_mve_kernel.h"
#include "portable_fallback/fast/integer_depthwise_mve_kernel.h"
#include "portable_fallback/fast/integer_roundings_mve.h"

namespace arenite {
namespace {

// Pixels of up to 16 channels: of each line the first one, and the elements to the next.
struct Lines {
  Src<std::byte> first[kMveLines];
  size_t step[kMveLines];
};

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

#define ARENITE_TURN(flip)                 \
  "vmov.i32 q3, #0\n\t"                    \
  "vctp.8 %[channels]\n\t"                 \
  "wls lr, %[count], 2f\n\t"               \
  "1:\n\t"                                 \
  "vpstt\n\t"                              \
  "vldrbt.8 q0, [%[x0]]\n\t"               \
  "vldrbt.8 q1, [%[x1]]\n\t"               \
  "add %[x0], %[step0]\n\t"                \
  "vpst\n\t"                               \
  "vldrbt.8 q2, [%[x2]]\n\t"               \
  "add %[x1], %[step1]\n\t"                \
  "add %[x2], %[step2]\n\t" flip           \
  "vst40.8 {q0, q1, q2, q3}, [%[to]]\n\t"  \
  "vst41.8 {q0, q1, q2, q3}, [%[to]]\n\t"  \
  "vst42.8 {q0, q1, q2, q3}, [%[to]]\n\t"  \
  "vst43.8 {q0, q1, q2, q3}, [%[to]]!\n\t" \
  "le lr, 1b\n\t"                          \
  "2:"
#define ARENITE_TURN_OUT [x0] "+r"(x0), [x1] "+r"(x1), [x2] "+r"(x2), [to] "+r"(to)
#define ARENITE_TURN_IN                                                               \
  [step0] "r"(lines.step[0]), [step1] "r"(lines.step[1]), [step2] "r"(lines.step[2]), \
      [count] "r"(count), [channels] "r"(channels)

// Turns `count` pixels of `channels` channels.
inline uint32_t* turn_pixels(const Lines& lines, uint32_t count, uint32_t channels, uint32_t* to) {
  const std::byte* x0 = lines.first[0];
  const std::byte* x1 = lines.first[1];
  const std::byte* x2 = lines.first[2];
  asm volatile(ARENITE_TURN("")
               : ARENITE_TURN_OUT:ARENITE_TURN_IN
               : "lr", "q0", "q1", "q2", "q3", "p0", "memory");
  return to;
}

// The same, and turns bits of the numbers.
inline uint32_t* turn_flipped_pixels(const Lines& lines, uint32_t flip, uint32_t count,
                                     uint32_t channels, uint32_t* to) {
  const std::byte* x0 = lines.first[0];
  const std::byte* x1 = lines.first[1];
  const std::byte* x2 = lines.first[2];
  const uint32x4_t bits = vdupq_n_u32(flip);
  asm volatile(ARENITE_TURN("veor q0, q0, %q[bits]\n\t"
                            "veor q1, q1, %q[bits]\n\t"
                            "veor q2, q2, %q[bits]\n\t")
               : ARENITE_TURN_OUT
               : ARENITE_TURN_IN, [bits] "w"(bits)
               : "lr", "q0", "q1", "q2", "q3", "p0", "memory");
  return to;
}

// The same less a number: what int8 is nearest, or with kRest what is left then.
template <bool kRest>
inline uint32_t* turn_differences(const Lines& lines, int32_t number, uint32_t count,
                                  uint32_t channels, uint32_t* to) {
  const std::byte* x0 = lines.first[0];
  const std::byte* x1 = lines.first[1];
  const std::byte* x2 = lines.first[2];
  const int8x16_t less = vdupq_n_s8(static_cast<int8_t>(number));
  if constexpr (kRest) {
#define ARENITE_REST(x) \
  "vqsub.s8 q4, " x     \
  ", %q[less]\n\t"      \
  "vsub.i8 " x ", " x   \
  ", %q[less]\n\t"      \
  "vsub.i8 " x ", " x ", q4\n\t"
    asm volatile(ARENITE_TURN(ARENITE_REST("q0") ARENITE_REST("q1") ARENITE_REST("q2"))
                 : ARENITE_TURN_OUT
                 : ARENITE_TURN_IN, [less] "w"(less)
                 : "lr", "q0", "q1", "q2", "q3", "q4", "p0", "memory");
#undef ARENITE_REST
  } else {
    asm volatile(ARENITE_TURN("vqsub.s8 q0, q0, %q[less]\n\t"
                              "vqsub.s8 q1, q1, %q[less]\n\t"
                              "vqsub.s8 q2, q2, %q[less]\n\t")
                 : ARENITE_TURN_OUT
                 : ARENITE_TURN_IN, [less] "w"(less)
                 : "lr", "q0", "q1", "q2", "q3", "p0", "memory");
  }
  return to;
}

// Whether any of `channels` neighboring numbers is further from a number than int8 reaches.
inline bool any_rest(Src<std::byte> from, int32_t number, uint32_t channels) {
  const auto* numbers = static_cast<const int8_t*>(static_cast<const void*>(from));
  const int8x16_t less = vdupq_n_s8(static_cast<int8_t>(number));
  const int8x16_t x = vldrbq_z_s8(numbers, vctp8q(channels));
  const int8x16_t rest = veorq_s8(vqsubq_s8(x, less), vsubq_s8(x, less));
  return vmaxvq_u8(0, vreinterpretq_u8_s8(rest)) != 0;
}

#undef ARENITE_TURN_IN
#undef ARENITE_TURN_OUT
#undef ARENITE_TURN

// Sums of places from the pixels of a channel on and of the next, 16 words apart; so many pairs of
// channels.
template <uint32_t kStride>
inline void add_windows(const uint32_t* x, const uint32_t* w, uint32_t places, uint32_t pairs,
                        int32_t* sums) {
  static_assert(kMveChannels == 16);
  const uint32x4_t pixels = vidupq_n_u32(0, 1) << 6;
  uint32x4_t at = vaddq_n_u32(pixels, reinterpret_cast<uintptr_t>(x) - 64 * kStride);
  int32_t first, second;
  int32_t* to;
  asm volatile(
      "1:\n\t"
      "vldrw.u32 q2, [%[w], %q[pixels]]\n\t"
      "add %[w], #4\n\t"
      "vldrw.u32 q3, [%[w], %q[pixels]]\n\t"
      "add %[w], #4\n\t"
      "vmov q4, %q[at]\n\t"
      "vadd.i32 %q[at], %q[at], %[channels_bytes]\n\t"
      "mov %[to], %[sums]\n\t"
      "add %[sums], #8\n\t"
      "wls lr, %[places], 3f\n\t"
      "2:\n\t"
      "vldrw.u32 q0, [q4, #%c[next]]!\n\t"
      "vmladav.s8 %[first], q0, q2\n\t"
      "vldrw.u32 q1, [q4, #4]\n\t"
      "vmladav.s8 %[second], q1, q3\n\t"
      "strd %[first], %[second], [%[to]], #64\n\t"
      "le lr, 2b\n\t"
      "3:\n\t"
      "subs %[pairs], #1\n\t"
      "bne 1b"
      : [at] "+w"(at), [w] "+r"(w), [sums] "+r"(sums), [pairs] "+r"(pairs), [to] "=&r"(to),
        [first] "=&Te"(first), [second] "=&Te"(second)
      :
      [pixels] "w"(pixels), [places] "r"(places), [next] "i"(64 * kStride), [channels_bytes] "r"(8)
      : "lr", "q0", "q1", "q2", "q3", "q4", "cc", "memory");
}

// The same of taps of which some have words of what is left of them.
template <uint32_t kStride>
[[gnu::noinline]] void add_split_windows(const uint32_t* x, const uint32_t* w, uint32_t places,
                                         uint32_t pairs, int32_t* sums) {
  const uint32x4_t pixels = vidupq_n_u32(0, 1) << 6;
  for (; pairs != 0; --pairs, x += 2, w += 2, sums += 2) {
    const uint32x4_t taps = vldrwq_gather_offset_u32(w, pixels);
    const uint32x4_t next_taps = vldrwq_gather_offset_u32(w + 1, pixels);
    const uint32x4_t rest = vldrwq_gather_offset_u32(w + kMveTapWords, pixels);
    const uint32x4_t next_rest = vldrwq_gather_offset_u32(w + kMveTapWords + 1, pixels);
    uint32x4_t at = vaddq_n_u32(pixels, reinterpret_cast<uintptr_t>(x) - 64 * kStride);
    int32_t* to = sums;
    int32_t first, second;
#define ARENITE_SPLIT_WINDOWS(rest_of_first, rest_of_second)                         \
  asm volatile(                                                                      \
      "wls lr, %[places], 2f\n\t"                                                    \
      "1:\n\t"                                                                       \
      "vldrw.u32 q0, [%q[at], #%c[next]]!\n\t"                                       \
      "vmladav.s8 %[first], q0, %q[taps]\n\t" rest_of_first                          \
      "vldrw.u32 q0, [%q[at], #4]\n\t"                                               \
      "vmladav.s8 %[second], q0, %q[next_taps]\n\t" rest_of_second                   \
      "strd %[first], %[second], [%[to]], #64\n\t"                                   \
      "le lr, 1b\n\t"                                                                \
      "2:"                                                                           \
      : [at] "+w"(at), [to] "+r"(to), [first] "=&Te"(first), [second] "=&Te"(second) \
      : [places] "r"(places), [next] "i"(64 * kStride), [taps] "w"(taps),            \
        [next_taps] "w"(next_taps), [rest] "w"(rest), [next_rest] "w"(next_rest)     \
      : "lr", "q0", "memory")
    if (vmaxvq_u32(0, vorrq_u32(rest, next_rest)) == 0) {
      ARENITE_SPLIT_WINDOWS("", "");
    } else {
      ARENITE_SPLIT_WINDOWS("vmladava.s8 %[first], q0, %q[rest]\n\t",
                            "vmladava.s8 %[second], q0, %q[next_rest]\n\t");
    }
#undef ARENITE_SPLIT_WINDOWS
  }
}

#else

inline uint32_t* turn_flipped_pixels(const Lines& lines, uint32_t flip, uint32_t count,
                                     uint32_t channels, uint32_t* to) {
  for (size_t i = 0; i < count; ++i, to += kMveChannels) {
    for (uint32_t c = 0; c < kMveChannels; ++c) {
      uint32_t word = 0;
      for (uint32_t h = 0; h < kMveLines && c < channels; ++h) {
        word |= static_cast<uint32_t>(lines.first[h][i * lines.step[h] + c]) << 8 * h;
      }
      to[c] = word ^ flip;
    }
  }
  return to;
}

inline uint32_t* turn_pixels(const Lines& lines, uint32_t count, uint32_t channels, uint32_t* to) {
  return turn_flipped_pixels(lines, 0, count, channels, to);
}

inline int32_t nearest_byte(int32_t number) {
  const int32_t raised = number < -128 ? -128 : number;
  return raised > 127 ? 127 : raised;
}

template <bool kRest>
inline uint32_t* turn_differences(const Lines& lines, int32_t number, uint32_t count,
                                  uint32_t channels, uint32_t* to) {
  for (size_t i = 0; i < count; ++i, to += kMveChannels) {
    for (uint32_t c = 0; c < kMveChannels; ++c) {
      uint32_t word = 0;
      for (uint32_t h = 0; h < kMveLines && c < channels; ++h) {
        const int32_t less = static_cast<int8_t>(lines.first[h][i * lines.step[h] + c]) - number;
        const int32_t near = nearest_byte(less);
        word |= uint32_t{static_cast<uint8_t>(kRest ? less - near : near)} << 8 * h;
      }
      to[c] = word;
    }
  }
  return to;
}

inline bool any_rest(Src<std::byte> from, int32_t number, uint32_t channels) {
  for (uint32_t c = 0; c < channels; ++c) {
    const int32_t less = static_cast<int8_t>(from[c]) - number;
    if (less != nearest_byte(less)) return true;
  }
  return false;
}

inline int32_t byte_of(uint32_t word, uint32_t i) { return static_cast<int8_t>(word >> 8 * i); }

// Reads each word of x once, also where taps have words of what is left of them.
template <uint32_t kStride, bool kSplit = false>
inline void add_windows(const uint32_t* x, const uint32_t* w, uint32_t places, uint32_t pairs,
                        int32_t* sums) {
  for (uint32_t c = 0; c < 2 * pairs; ++c) {
    uint32_t taps[kMveTaps], rest[kMveTaps] = {};
    for (uint32_t tap = 0; tap < kMveTaps; ++tap) {
      taps[tap] = w[tap * kMveChannels + c];
      if constexpr (kSplit) rest[tap] = w[kMveTapWords + tap * kMveChannels + c];
    }
    for (uint32_t p = 0; p < places; ++p) {
      int32_t sum = 0;
      for (uint32_t tap = 0; tap < kMveTaps; ++tap) {
        const uint32_t pixel = x[(p * kStride + tap) * kMveChannels + c];
        for (uint32_t h = 0; h < kMveLines; ++h) {
          sum += byte_of(pixel, h) * (byte_of(taps[tap], h) + byte_of(rest[tap], h));
        }
      }
      sums[p * kMveChannels + c] = sum;
    }
  }
}

template <uint32_t kStride>
inline void add_split_windows(const uint32_t* x, const uint32_t* w, uint32_t places, uint32_t pairs,
                              int32_t* sums) {
  add_windows<kStride, true>(x, w, places, pairs, sums);
}

#endif

template <typename Depthwise>
inline Src<std::byte> weights_of(const Depthwise& d) {
  return as<std::byte>(d.products.w);
}

// What some places of a line read: pixels of x between those that lie beside it.
struct Pixels {
  uint32_t before, inside;      // pixels beside x, which are filled in once, then those of x
  Lines lines;                  // of column 0
  uint32_t columns[kMveLines];  // 1 for a line of x, 0 for one beside it
};

void find_pixels(const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t places,
                 const std::byte (&beside)[kMveChannels], Pixels& pixels) {
  const int32_t number = p.outside - p.added;
  const uint32_t outside = static_cast<uint8_t>(number) * 0x01010101u;
  // Pixels of x in [begin, end) of those that are read.
  const auto left = static_cast<int32_t>(place * p.stride_w) - static_cast<int32_t>(p.pad_w);
  const uint32_t count = p.stride_w * (places - 1) + p.kernel_w;
  uint32_t begin = left < 0 ? static_cast<uint32_t>(-left) : 0;
  if (begin > count) begin = count;
  const int32_t inside = static_cast<int32_t>(p.in_w) - left;
  uint32_t end = inside < static_cast<int32_t>(begin) ? begin : static_cast<uint32_t>(inside);
  if (end > count) end = count;
  auto ih = static_cast<int32_t>(line * p.stride_h) - static_cast<int32_t>(p.pad_h);
  for (uint32_t h = 0; h < kMveLines; ++h, ih += static_cast<int32_t>(p.dilation_h)) {
    const bool has = h < p.kernel_h && ih >= 0 && ih < static_cast<int32_t>(p.in_h) && begin < end;
    pixels.columns[h] = has ? 1 : 0;
    pixels.lines.step[h] = has ? p.x_w : 0;
    pixels.lines.first[h] = as<std::byte>(beside);
    if (!has) continue;
    const auto first = static_cast<size_t>(left + static_cast<int32_t>(begin));
    pixels.lines.first[h] = p.x + static_cast<size_t>(ih) * p.x_h + first * p.x_w;
  }
  pixels.before = begin;
  pixels.inside = end - begin;
  mve::fill_words(p.rows, outside, kMveChannels * begin);
  mve::fill_words(p.rows + kMveChannels * end, outside, kMveChannels * (count - end));
}

template <bool kBytes>
inline void copy_pixels(const IntegerProducts& p, const Pixels& pixels, uint32_t column,
                        uint32_t channels) {
  Lines lines = pixels.lines;
  for (uint32_t h = 0; h < kMveLines; ++h) lines.first[h] += column * pixels.columns[h];
  uint32_t* const to = p.rows + kMveChannels * pixels.before;
  if constexpr (kBytes) {
    turn_flipped_pixels(lines, p.flip, pixels.inside, channels, to);
  } else {
    turn_pixels(lines, pixels.inside, channels, to);
  }
}

template <typename Depthwise>
[[gnu::noinline]] void copy_taps(const Depthwise& d, uint32_t column, uint32_t channels,
                                 uint32_t* to) {
  const uint32_t zeros[4] = {};
  const Src<std::byte> first = weights_of(d) + column;
  Lines lines;
  for (uint32_t h = 0; h < kMveLines; ++h) {
    const bool has = h < d.products.kernel_h;
    lines.step[h] = has ? d.w_w : 0;
    lines.first[h] =
        has ? first + h * d.w_h
            : as<std::byte>(static_cast<const std::byte*>(static_cast<const void*>(zeros)));
  }
  to = turn_pixels(lines, d.products.kernel_w, channels, to);
  mve::fill_words(to, 0, kMveChannels * (kMveTaps - d.products.kernel_w));
}

// The same less the zero point of w: the nearest numbers of int8, and where they are split, behind
// them what is left.
[[gnu::noinline, maybe_unused]] void copy_differences(const MveByteDepthwise& d, uint32_t column,
                                                      uint32_t channels, bool split, uint32_t* to) {
  const IntegerProducts& p = d.products;
  int8_t beside[kMveChannels];
  mve::fill_bytes(beside, p.w_zero_point, kMveChannels);
  const Src<std::byte> first = weights_of(d) + column;
  Lines lines;
  for (uint32_t h = 0; h < kMveLines; ++h) {
    const bool has = h < p.kernel_h;
    lines.step[h] = has ? d.w_w : 0;
    lines.first[h] =
        has ? first + h * d.w_h
            : as<std::byte>(static_cast<const std::byte*>(static_cast<const void*>(beside)));
  }
  const uint32_t count = p.kernel_w;
  const uint32_t gap = kMveChannels * (kMveTaps - count);
  to = turn_differences<false>(lines, p.w_zero_point, count, channels, to);
  to = mve::fill_words(to, 0, gap);
  if (!split) return;
  to = turn_differences<true>(lines, p.w_zero_point, count, channels, to);
  mve::fill_words(to, 0, gap);
}

// Whether the numbers of 16 columns have words of what is left of them.
inline bool is_split(const MveByteDepthwise& d, uint32_t column) {
  const uint32_t block = column / kMveChannels;
  return block >= 32 * kSplitWords || (d.split[block / 32] >> block % 32 & 1) != 0;
}

// Copies the taps of up to 16 columns; returns whether they are split.
template <bool kBytes, typename Depthwise>
[[gnu::always_inline]] inline bool copy_weights(const Depthwise& d, uint32_t column,
                                                uint32_t channels, uint32_t* to) {
  if constexpr (kBytes) {
    if (d.products.w_zero_point != 0) {
      const bool split = is_split(d, column);
      copy_differences(d, column, channels, split, to);
      return split;
    }
  }
  copy_taps(d, column, channels, to);
  return false;
}

// What fold_depthwise_mve() says.
template <bool kBytes, typename Depthwise>
inline void fold_columns(const Depthwise& d, int32_t* biases) {
  const IntegerProducts& p = d.products;
  const size_t step = p.results.bias_step;
  const int32_t of_zero_point =
      kBytes ? mve::product(static_cast<int32_t>(p.kernel_h * p.kernel_w), p.w_zero_point) : 0;
  for (uint32_t column = 0; column < p.columns; ++column) {
    int32_t total = -of_zero_point;
    for (uint32_t h = 0; h < p.kernel_h; ++h) {
      Src<std::byte> tap = weights_of(d) + h * d.w_h + column;
      for (uint32_t w = 0; w < p.kernel_w; ++w, tap += d.w_w) total += static_cast<int8_t>(*tap);
    }
    biases[column] = mve::sum(p.results.bias[column * step], mve::product(p.added, total));
  }
}

// What add_depthwise_mve() says. kBytes: x may be uint8, w have a zero point, and results be
// rounded once.
template <bool kBytes, typename Depthwise>
[[gnu::always_inline]] inline void compute_line(const Depthwise& d, uint32_t line) {
  const IntegerProducts& p = d.products;
  std::byte beside[kMveChannels];
  for (std::byte& number : beside) number = static_cast<std::byte>(p.outside - p.added);
  if constexpr (kBytes) {
    for (std::byte& number : beside) number ^= static_cast<std::byte>(p.flip);
  }
  int32_t sums[kMvePlaces * kMveChannels];
  for (uint32_t place = 0; place < p.out_w;) {
    const uint32_t places = mve_depthwise_at_once(p.out_w - place);
    uint32_t* w = p.rows + kMveChannels * mve_depthwise_pixels(places, p.stride_w);
    Pixels pixels;
    find_pixels(p, line, place, places, beside, pixels);
    Dst<int8_t> y = p.y + line * p.y_h + place * p.y_w;
    for (uint32_t column = 0; column < p.columns; column += kMveChannels, y += kMveChannels) {
      const uint32_t left = p.columns - column;
      const uint32_t channels = left < kMveChannels ? left : kMveChannels;
      copy_pixels<kBytes>(p, pixels, column, channels);
      const bool split = copy_weights<kBytes>(d, column, channels, w);
      const uint32_t pairs = (channels + 1) / 2;
      if (kBytes && split) {
        p.stride_w == 1 ? add_split_windows<1>(p.rows, w, places, pairs, sums)
                        : add_split_windows<2>(p.rows, w, places, pairs, sums);
      } else if (p.stride_w == 1) {
        add_windows<1>(p.rows, w, places, pairs, sums);
      } else {
        add_windows<2>(p.rows, w, places, pairs, sums);
      }
      if constexpr (kBytes) {
        finish_any<true, kMveChannels>(p.results, column, channels,
                                       {sums, p.results.bias + column, places, kMveChannels},
                                       {y, 1, p.y_w}, nullptr);
      } else {
        finish<true>(p.results, column, channels,
                     {sums, p.results.bias + column, places, kMveChannels}, {y, 1, p.y_w});
      }
    }
    place += places;
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
