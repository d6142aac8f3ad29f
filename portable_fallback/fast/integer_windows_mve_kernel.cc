// Turns what some places read into words of four taps, and multiplies four words at once:
//
//   x      c0 c1 ... c15 of a pixel, in each of four lines                    bytes
//   rows   c0 of lines 0 1 2 3 | c1 of lines 0 1 2 3 | ...    of each pixel, then lines 4 5 6 7
//   w      the same of taps, 0 beside the window
//
// 1. VST4 writes the words of 16 channels. What lies beside x is filled in. In a window of one line
//    four neighboring taps take the place of lines.
// 2. Of each channel gathers of four words take the window of a place, and one instruction each
//    multiplies and adds 16 numbers. Up to three vectors of taps stay in registers; of larger
//    windows sums are taken up again.
// 3. Taps are less the zero point of w where all of them are int8 then. Else it adds the sum of the
//    window's numbers of x that many times: products with taps of 1.
// 4. Results are made four channels at a time.
#include "portable_fallback/fast/integer_windows_mve_kernel.h"

#include "portable_fallback/fast/integer_roundings_mve.h"

namespace arenite {
namespace {

// Pixels of up to 16 channels: of each tap of a word the first one, and the elements to the next.
struct Lines {
  Src<std::byte> first[4];
  size_t step[4];
};

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

// Loads are of numbers of `type`, from `x` and what `behind` adds to it on.
#define ARENITE_TURN(type, behind, flip)   \
  "ldr lr, %[channels]\n\t"                \
  "vctp.8 lr\n\t"                          \
  "ldr lr, %[count]\n\t"                   \
  "wls lr, lr, 2f\n\t"                     \
  "1:\n\t"                                 \
  "vpstttt\n\t"                            \
  "vldrbt." type " q0, [%[x0]" behind      \
  "]\n\t"                                  \
  "vldrbt." type " q1, [%[x1]" behind      \
  "]\n\t"                                  \
  "vldrbt." type " q2, [%[x2]" behind      \
  "]\n\t"                                  \
  "vldrbt." type " q3, [%[x3]" behind      \
  "]\n\t"                                  \
  "add %[x0], %[step0]\n\t"                \
  "add %[x1], %[step1]\n\t"                \
  "add %[x2], %[step2]\n\t"                \
  "add %[x3], %[step3]\n\t" flip           \
  "vst40.8 {q0, q1, q2, q3}, [%[to]]\n\t"  \
  "vst41.8 {q0, q1, q2, q3}, [%[to]]\n\t"  \
  "vst42.8 {q0, q1, q2, q3}, [%[to]]\n\t"  \
  "vst43.8 {q0, q1, q2, q3}, [%[to]]!\n\t" \
  "le lr, 1b\n\t"                          \
  "2:"

// Turns `count` pixels of `channels` channels; kFlips makes int8 of uint8.
template <bool kFlips>
[[gnu::noinline]] void turn_pixels(const Lines& lines, uint32_t count, uint32_t channels,
                                   uint32_t* to) {
  const std::byte* x0 = lines.first[0];
  const std::byte* x1 = lines.first[1];
  const std::byte* x2 = lines.first[2];
  const std::byte* x3 = lines.first[3];
  if constexpr (kFlips) {
    const uint8x16_t flip = vdupq_n_u8(0x80);
    asm volatile(
        ARENITE_TURN("8", "",
                     "veor q0, q0, %q[flip]\n\t"
                     "veor q1, q1, %q[flip]\n\t"
                     "veor q2, q2, %q[flip]\n\t"
                     "veor q3, q3, %q[flip]\n\t")
        : [x0] "+r"(x0), [x1] "+r"(x1), [x2] "+r"(x2), [x3] "+r"(x3), [to] "+r"(to)
        : [step0] "r"(lines.step[0]), [step1] "r"(lines.step[1]), [step2] "r"(lines.step[2]),
          [step3] "r"(lines.step[3]), [count] "m"(count), [channels] "m"(channels), [flip] "w"(flip)
        : "lr", "q0", "q1", "q2", "q3", "p0", "memory");
  } else {
    asm volatile(
        ARENITE_TURN("8", "", "")
        : [x0] "+r"(x0), [x1] "+r"(x1), [x2] "+r"(x2), [x3] "+r"(x3), [to] "+r"(to)
        : [step0] "r"(lines.step[0]), [step1] "r"(lines.step[1]), [step2] "r"(lines.step[2]),
          [step3] "r"(lines.step[3]), [count] "m"(count), [channels] "m"(channels)
        : "lr", "q0", "q1", "q2", "q3", "p0", "memory");
  }
}

// The same of channels that lie so far behind the first one.
[[gnu::cold, gnu::noinline]] void turn_shared_pixels(const Lines& lines,
                                                     const uint8_t (&behind)[kWindowChannels],
                                                     uint32_t flip, uint32_t count,
                                                     uint32_t channels, uint32_t* to) {
  const std::byte* x0 = lines.first[0];
  const std::byte* x1 = lines.first[1];
  const std::byte* x2 = lines.first[2];
  const std::byte* x3 = lines.first[3];
  const uint32x4_t bits = vdupq_n_u32(flip);
  const uint8x16_t at = vldrbq_u8(behind);
  asm volatile(ARENITE_TURN("u8", ", %q[at]",
                            "veor q0, q0, %q[bits]\n\t"
                            "veor q1, q1, %q[bits]\n\t"
                            "veor q2, q2, %q[bits]\n\t"
                            "veor q3, q3, %q[bits]\n\t")
               : [x0] "+r"(x0), [x1] "+r"(x1), [x2] "+r"(x2), [x3] "+r"(x3), [to] "+r"(to)
               : [step0] "r"(lines.step[0]), [step1] "r"(lines.step[1]), [step2] "r"(lines.step[2]),
                 [step3] "r"(lines.step[3]), [count] "m"(count), [channels] "m"(channels),
                 [bits] "w"(bits), [at] "w"(at)
               : "lr", "q0", "q1", "q2", "q3", "p0", "memory");
}
#undef ARENITE_TURN

#define ARENITE_PLACES(sums, products)                                                          \
  asm volatile(                                                                                 \
      "wls lr, %[places], 2f\n\t"                                                               \
      "1:\n\t" sums products                                                                    \
      "le lr, 1b\n\t"                                                                           \
      "2:"                                                                                      \
      : [x] "+r"(x), [x1] "+r"(x1), [to] "+r"(sums_at), [a] "=&Te"(a), [b] "=&Te"(b)            \
      : [places] "r"(places), [next] "r"(next), [o0] "w"(o[0]), [o1] "w"(o[1]), [w0] "w"(w[0]), \
        [w1] "w"(w[1]), [w2] "w"(w[2]), [w3] "w"(w[3])                                          \
      : "lr", "q0", "memory")
#define ARENITE_FIRST_OF_TWO(add)     \
  "vldrw.u32 q0, [%[x], %q[o0]]\n\t"  \
  "vmladav" add                       \
  ".s8 %[a], q0, %q[w0]\n\t"          \
  "vldrw.u32 q0, [%[x1], %q[o0]]\n\t" \
  "vmladav" add ".s8 %[b], q0, %q[w2]\n\t"
#define ARENITE_SECOND_OF_TWO         \
  "vldrw.u32 q0, [%[x], %q[o1]]\n\t"  \
  "vmladava.s8 %[a], q0, %q[w1]\n\t"  \
  "vldrw.u32 q0, [%[x1], %q[o1]]\n\t" \
  "vmladava.s8 %[b], q0, %q[w3]\n\t"
#define ARENITE_NEXT_OF_TWO \
  "add %[x], %[next]\n\t"   \
  "add %[x1], %[next]\n\t"  \
  "strd %[a], %[b], [%[to]], #64\n\t"
#define ARENITE_THREE(add)           \
  "vldrw.u32 q0, [%[x], %q[o0]]\n\t" \
  "vmladav" add                      \
  ".s8 %[a], q0, %q[w0]\n\t"         \
  "vldrw.u32 q0, [%[x], %q[o1]]\n\t" \
  "vmladava.s8 %[a], q0, %q[w1]\n\t" \
  "vldrw.u32 q0, [%[x], %q[o2]]\n\t" \
  "vmladava.s8 %[a], q0, %q[w2]\n\t" \
  "add %[x], %[next]\n\t"            \
  "str %[a], [%[to]], #64\n\t"

// Adds the products of kVectors vectors of taps, or begins with them, in `channels` channels of
// some places, whose first words are `next` bytes apart.
template <uint32_t kVectors, bool kAdds>
[[gnu::noinline]] void add_vectors(const uint32_t* words, const uint32_t* offsets,
                                   const uint32_t* taps, uint32_t places, uint32_t next,
                                   uint32_t channels, int32_t* sums) {
  static_assert(kWindowChannels == 16);
  constexpr uint32_t kTapsOfVector = 4 * kWindowChannels;
  const uint32x4_t lanes = vidupq_n_u32(0, 1) << 6;
  uint32x4_t o[3];
  for (uint32_t v = 0; v < 3; ++v) o[v] = vldrwq_u32(offsets + 4 * (v < kVectors ? v : 0));
  if constexpr (kVectors < 3) {
    for (uint32_t c = 0; c < channels; c += 2) {
      const uint32_t* x = words + c;
      const uint32_t* x1 = x + 1;
      int32_t* sums_at = sums + c;
      const uint32_t* second = taps + (kVectors - 1) * kTapsOfVector + c;
      const uint32x4_t w[4] = {vldrwq_gather_offset_u32(taps + c, lanes),
                               vldrwq_gather_offset_u32(second, lanes),
                               vldrwq_gather_offset_u32(taps + c + 1, lanes),
                               vldrwq_gather_offset_u32(second + 1, lanes)};
      int32_t a, b;
      if constexpr (kVectors == 1 && kAdds) {
        ARENITE_PLACES("ldrd %[a], %[b], [%[to]]\n\t",
                       ARENITE_FIRST_OF_TWO("a") ARENITE_NEXT_OF_TWO);
      } else if constexpr (kVectors == 1) {
        ARENITE_PLACES("", ARENITE_FIRST_OF_TWO("") ARENITE_NEXT_OF_TWO);
      } else if constexpr (kAdds) {
        ARENITE_PLACES("ldrd %[a], %[b], [%[to]]\n\t",
                       ARENITE_FIRST_OF_TWO("a") ARENITE_SECOND_OF_TWO ARENITE_NEXT_OF_TWO);
      } else {
        ARENITE_PLACES("", ARENITE_FIRST_OF_TWO("") ARENITE_SECOND_OF_TWO ARENITE_NEXT_OF_TWO);
      }
    }
  } else {
    for (uint32_t c = 0; c < channels; ++c) {
      const uint32_t* x = words + c;
      int32_t* sums_at = sums + c;
      const uint32x4_t w[3] = {vldrwq_gather_offset_u32(taps + c, lanes),
                               vldrwq_gather_offset_u32(taps + kTapsOfVector + c, lanes),
                               vldrwq_gather_offset_u32(taps + 2 * kTapsOfVector + c, lanes)};
      int32_t a;
#define ARENITE_PLACES_OF_ONE(sums_before, products)                                            \
  asm volatile(                                                                                 \
      "wls lr, %[places], 2f\n\t"                                                               \
      "1:\n\t" sums_before products                                                             \
      "le lr, 1b\n\t"                                                                           \
      "2:"                                                                                      \
      : [x] "+r"(x), [to] "+r"(sums_at), [a] "=&Te"(a)                                          \
      : [places] "r"(places), [next] "r"(next), [o0] "w"(o[0]), [o1] "w"(o[1]), [o2] "w"(o[2]), \
        [w0] "w"(w[0]), [w1] "w"(w[1]), [w2] "w"(w[2])                                          \
      : "lr", "q0", "memory")
      if constexpr (kAdds) {
        ARENITE_PLACES_OF_ONE("ldr %[a], [%[to]]\n\t", ARENITE_THREE("a"));
      } else {
        ARENITE_PLACES_OF_ONE("", ARENITE_THREE(""));
      }
#undef ARENITE_PLACES_OF_ONE
    }
  }
}
#undef ARENITE_THREE
#undef ARENITE_NEXT_OF_TWO
#undef ARENITE_SECOND_OF_TWO
#undef ARENITE_FIRST_OF_TWO
#undef ARENITE_PLACES

// Takes a number off the bytes of so many words, which are whole vectors, and cuts off what exceeds
// int8; returns whether nothing did.
bool subtract_from_bytes(int32_t number, uint32_t words, uint32_t* at) {
  const int8x16_t less = vdupq_n_s8(static_cast<int8_t>(number));
  int8x16_t rest = vdupq_n_s8(0);
  auto* bytes = static_cast<int8_t*>(static_cast<void*>(at));
  for (; words != 0; words -= 4, bytes += sizeof less) {
    const int8x16_t x = vldrbq_s8(bytes);
    const int8x16_t nearest = vqsubq_s8(x, less);
    rest = vorrq_s8(rest, veorq_s8(nearest, vsubq_s8(x, less)));
    vstrbq_s8(bytes, nearest);
  }
  return vmaxvq_u8(0, vreinterpretq_u8_s8(rest)) == 0;
}

#else

void turn_shared_pixels(const Lines& lines, const uint8_t (&behind)[kWindowChannels], uint32_t flip,
                        uint32_t count, uint32_t channels, uint32_t* to) {
  for (size_t i = 0; i < count; ++i, to += kWindowChannels) {
    for (uint32_t c = 0; c < kWindowChannels; ++c) {
      uint32_t word = 0;
      for (uint32_t h = 0; h < 4 && c < channels; ++h) {
        word |= static_cast<uint32_t>(lines.first[h][i * lines.step[h] + behind[c]]) << 8 * h;
      }
      to[c] = word ^ flip;
    }
  }
}

template <bool kFlips>
void turn_pixels(const Lines& lines, uint32_t count, uint32_t channels, uint32_t* to) {
  constexpr uint8_t kEach[kWindowChannels] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  turn_shared_pixels(lines, kEach, kFlips ? 0x80808080 : 0, count, channels, to);
}

inline int32_t byte_of(uint32_t word, uint32_t i) { return static_cast<int8_t>(word >> 8 * i); }

bool subtract_from_bytes(int32_t number, uint32_t words, uint32_t* at) {
  auto* bytes = static_cast<int8_t*>(static_cast<void*>(at));
  bool fits = true;
  for (uint32_t i = 0; i < words * sizeof(uint32_t); ++i) {
    const int32_t less = bytes[i] - number;
    const int32_t nearest = less < -128 ? -128 : less > 127 ? 127 : less;
    fits = fits && less == nearest;
    bytes[i] = static_cast<int8_t>(nearest);
  }
  return fits;
}

template <uint32_t kVectors, bool kAdds>
void add_vectors(const uint32_t* words, const uint32_t* offsets, const uint32_t* taps,
                 uint32_t places, uint32_t next, uint32_t channels, int32_t* sums) {
  uint32_t o[4 * kVectors], w[4 * kVectors];
  for (uint32_t i = 0; i < 4 * kVectors; ++i) o[i] = offsets[i];
  for (uint32_t c = 0; c < channels; ++c) {
    for (uint32_t i = 0; i < 4 * kVectors; ++i) w[i] = taps[i * kWindowChannels + c];
    for (uint32_t p = 0; p < places; ++p) {
      int32_t& to = sums[p * kWindowChannels + c];
      int32_t total = kAdds ? to : 0;
      for (uint32_t i = 0; i < 4 * kVectors; ++i) {
        const uint32_t word = words[(p * next + o[i]) / sizeof(uint32_t) + c];
        for (uint32_t h = 0; h < 4; ++h) {
          total = mve::sum(total, byte_of(word, h) * byte_of(w[i], h));
        }
      }
      to = total;
    }
  }
}

#endif

uint32_t vectors_of(const IntegerProducts& p) {
  const uint32_t of_line = p.kernel_h == 1 ? (p.kernel_w + 3) / 4 : p.kernel_w;
  return ((p.kernel_h + 3) / 4 * of_line + 3) / 4;
}

// What some places of a line read.
class Pixels {
 public:
  Pixels(const MveWindows& d, uint32_t line, uint32_t place, uint32_t places)
      : d_(d),
        p_(d.products),
        step_(static_cast<int32_t>(d.step)),
        left_(static_cast<int32_t>(place * p_.stride_w) - static_cast<int32_t>(p_.pad_w)),
        reach_(
            static_cast<int32_t>(p_.stride_w * (places - 1) + (p_.kernel_w - 1) * p_.dilation_w)),
        top_(static_cast<int32_t>(line * p_.stride_h) - static_cast<int32_t>(p_.pad_h)) {
    const auto number = static_cast<uint8_t>(p_.outside - p_.added);
    outside_ = number * 0x01010101u;
    for (std::byte& byte : beside_) byte = static_cast<std::byte>(number ^ (p_.flip & 0xff));
    // The pixels that are read lie in x from left_ to last_.
    const int32_t width = static_cast<int32_t>(p_.in_w) - 1;
    last_ = left_ + reach_ < width ? left_ + reach_ : width;
  }

  // Turns those of 16 channels at most.
  void turn_columns(uint32_t column, uint32_t channels) const {
    const Columns columns(d_, column, channels);
    if (p_.kernel_h == 1) return turn_one_line(columns);
    uint32_t* to = p_.rows;
    const auto count = static_cast<uint32_t>(reach_ / step_) + 1;
    const uint32_t begin = first_inside();
    const uint32_t end = inside_before(last_, begin);
    for (uint32_t h = 0; h < p_.kernel_h; h += 4, to += d_.pixels * kWindowChannels) {
      fill(to, begin < count ? begin : count);
      if (end < count) fill(to + end * kWindowChannels, count - end);
      if (begin >= end) continue;
      Lines lines;
      for (uint32_t i = 0; i < 4; ++i) {
        const int32_t ih = top_ + static_cast<int32_t>((h + i) * p_.dilation_h);
        const bool has = h + i < p_.kernel_h && is_line(ih);
        lines.step[i] = has ? d_.step * p_.x_w : 0;
        lines.first[i] = has ? pixel(ih, at(begin)) + columns.channel : beside();
      }
      turn(columns, lines, end - begin, to + begin * kWindowChannels);
    }
  }

 private:
  // 16 columns at most, and the channels that they read.
  struct Columns {
    Columns(const MveWindows& d, uint32_t column, uint32_t columns)
        : count(columns),
          channel(column / d.columns_of_channel),
          are_shared(d.columns_of_channel != 1) {
      if (!are_shared) [[likely]]
        return;
      uint32_t before = column - channel * d.columns_of_channel;  // columns that read the same
      uint8_t at = 0;
      for (uint8_t& of : behind) {
        of = at;
        if (++before == d.columns_of_channel) {
          before = 0;
          ++at;
        }
      }
    }

    uint32_t count;
    uint32_t channel;                 // of the first column
    bool are_shared;                  // else each column has a channel of its own
    uint8_t behind[kWindowChannels];  // how far behind that channel those of columns lie
  };
  void turn(const Columns& columns, const Lines& lines, uint32_t count, uint32_t* to) const {
    if (columns.are_shared) [[unlikely]] {
      turn_shared_pixels(lines, columns.behind, p_.flip, count, columns.count, to);
    } else if (p_.flip == 0) {
      turn_pixels<false>(lines, count, columns.count, to);
    } else {
      turn_pixels<true>(lines, count, columns.count, to);
    }
  }

  // The pixel of x that the first tap of a word reads.
  int32_t at(uint32_t word) const { return left_ + static_cast<int32_t>(word) * step_; }
  uint32_t first_inside() const {
    return left_ >= 0 ? 0 : static_cast<uint32_t>((step_ - 1 - left_) / step_);
  }
  // The end of the words whose pixel lies at `last` or before.
  uint32_t inside_before(int32_t last, uint32_t begin) const {
    const int32_t end = last < left_ ? 0 : (last - left_) / step_ + 1;
    return end < static_cast<int32_t>(begin) ? begin : static_cast<uint32_t>(end);
  }
  bool is_line(int32_t ih) const { return ih >= 0 && ih < static_cast<int32_t>(p_.in_h); }
  Src<std::byte> pixel(int32_t ih, int32_t iw) const {
    return p_.x + (static_cast<size_t>(ih) * p_.x_h + static_cast<size_t>(iw) * p_.x_w);
  }
  Src<std::byte> beside() const { return as<std::byte>(beside_); }
  void fill(uint32_t* to, uint32_t words) const {
    mve::fill_words(to, outside_, words * kWindowChannels);
  }

  // Four neighboring taps are a word.
  void turn_one_line(const Columns& columns) const {
    const auto taps = static_cast<int32_t>((p_.kernel_w - 1) / 4 * 4 * p_.dilation_w);
    const auto places = reach_ - static_cast<int32_t>((p_.kernel_w - 1) * p_.dilation_w);
    const auto count = static_cast<uint32_t>((places + taps) / step_) + 1;
    const auto dilation = static_cast<int32_t>(p_.dilation_w);
    if (!is_line(top_)) return fill(p_.rows, count);
    const uint32_t begin = first_inside();
    const uint32_t end = inside_before(last_ - 3 * dilation, begin);
    uint32_t* to = p_.rows;
    for (uint32_t word = 0; word < count;) {
      const bool whole = word >= begin && word < end;
      const uint32_t words = whole ? (end < count ? end : count) - word : 1;
      Lines lines;
      int32_t iw = at(word);
      for (uint32_t i = 0; i < 4; ++i, iw += dilation) {
        const bool has = iw >= 0 && iw <= last_;
        lines.step[i] = has ? d_.step * p_.x_w : 0;
        lines.first[i] = has ? pixel(top_, iw) + columns.channel : beside();
      }
      turn(columns, lines, words, to);
      to += words * kWindowChannels;
      word += words;
    }
  }

  const MveWindows& d_;
  const IntegerProducts& p_;
  const int32_t step_;
  const int32_t left_;   // the pixel of the first place's first tap
  const int32_t reach_;  // pixels from there to the last place's last tap
  const int32_t top_;
  int32_t last_;
  uint32_t outside_;
  std::byte beside_[kWindowChannels];
};

Src<std::byte> weights_of(const MveWindows& d) { return as<std::byte>(d.products.w); }

// The taps of up to 16 channels as words, and `beside` for those that there are not; `ones`: those
// of 1.
[[gnu::noinline]] void copy_taps(const MveWindows& d, uint32_t column, uint32_t channels, bool ones,
                                 int32_t beside, uint32_t* to) {
  const IntegerProducts& p = d.products;
  int8_t numbers[2][kWindowChannels];  // beside, of 1
  mve::fill_bytes(numbers[0], beside, kWindowChannels);
  mve::fill_bytes(numbers[1], 1, kWindowChannels);
  const bool one_line = p.kernel_h == 1;
  const uint32_t all = one_line ? p.kernel_w : p.kernel_h;
  const size_t step = one_line ? d.w_w : d.w_h;
  const uint32_t of_line = one_line ? 1 : p.kernel_w;
  uint32_t* const end = to + size_t{4} * vectors_of(p) * kWindowChannels;
  for (uint32_t tap = 0; tap < all; tap += 4, to += of_line * kWindowChannels) {
    Lines lines;
    for (uint32_t i = 0; i < 4; ++i) {
      const bool has = tap + i < all;
      const bool reads = has && !ones;
      lines.step[i] = reads && !one_line ? d.w_w : 0;
      const void* const number = numbers[has ? 1 : 0];
      lines.first[i] = reads ? weights_of(d) + ((tap + i) * step + column)
                             : as<std::byte>(static_cast<const std::byte*>(number));
    }
    turn_pixels<false>(lines, of_line, channels, to);
  }
  mve::fill_words(to, static_cast<uint8_t>(beside) * 0x01010101u, static_cast<uint32_t>(end - to));
}

using Sums = int32_t[kWindowPlaces * kWindowChannels];

// Adds the products of all taps, or begins with them.
[[gnu::noinline]] void add_taps(const MveWindows& d, const uint32_t* w, uint32_t places,
                                uint32_t channels, bool adds, Sums& sums) {
  const IntegerProducts& p = d.products;
  const auto next = static_cast<uint32_t>(p.stride_w / d.step * kWindowChannels * sizeof(uint32_t));
  const uint32_t* at = d.offsets;
  const uint32_t* x = p.rows;
  uint32_t left = vectors_of(p);
  for (; left >= 3; left -= 3, at += 4 * 3, w += 4 * 3 * kWindowChannels, adds = true) {
    adds ? add_vectors<3, true>(x, at, w, places, next, channels, sums)
         : add_vectors<3, false>(x, at, w, places, next, channels, sums);
  }
  if (left == 2) {
    adds ? add_vectors<2, true>(x, at, w, places, next, channels, sums)
         : add_vectors<2, false>(x, at, w, places, next, channels, sums);
  } else if (left == 1) {
    adds ? add_vectors<1, true>(x, at, w, places, next, channels, sums)
         : add_vectors<1, false>(x, at, w, places, next, channels, sums);
  }
}

}  // namespace

void set_window_offsets(const MveWindows& d, uint32_t* offsets) {
  constexpr uint32_t kBytes = kWindowChannels * sizeof(uint32_t);
  const IntegerProducts& p = d.products;
  const bool one_line = p.kernel_h == 1;
  const uint32_t of_line = one_line ? (p.kernel_w + 3) / 4 : p.kernel_w;
  const uint32_t tap_step = one_line ? 4 * p.dilation_w : p.dilation_w;
  const uint32_t* const end = offsets + size_t{4} * vectors_of(p);
  for (uint32_t group = 0; group < (p.kernel_h + 3) / 4; ++group) {
    for (uint32_t tap = 0; tap < of_line; ++tap) {
      *offsets++ = (group * d.pixels + tap * tap_step / d.step) * kBytes;
    }
  }
  while (offsets != end) *offsets++ = 0;
}

void fold_windows_mve(const MveWindows& d, int32_t* biases) {
  const IntegerProducts& p = d.products;
  const size_t step = p.results.bias_step;
  const int32_t of_zero_point =
      mve::product(static_cast<int32_t>(p.kernel_h * p.kernel_w), p.w_zero_point);
  for (uint32_t column = 0; column < p.columns; ++column) {
    int32_t total = -of_zero_point;
    for (uint32_t h = 0; h < p.kernel_h; ++h) {
      Src<std::byte> tap = weights_of(d) + h * d.w_h + column;
      for (uint32_t w = 0; w < p.kernel_w; ++w, tap += d.w_w) total += static_cast<int8_t>(*tap);
    }
    biases[column] = mve::sum(p.results.bias[column * step], mve::product(p.added, total));
  }
}

void add_windows_mve(const MveWindows& d, uint32_t line, uint32_t place) {
  const IntegerProducts& p = d.products;
  const uint32_t places = mve_windows_at_once(p.out_w - place);
  const Pixels pixels(d, line, place, places);
  uint32_t* taps = p.rows + (p.kernel_h + 3) / 4 * d.pixels * kWindowChannels;
  Dst<int8_t> y = p.y + line * p.y_h + place * p.y_w;
  Sums sums;
  for (uint32_t column = 0; column < p.columns; column += kWindowChannels, y += kWindowChannels) {
    const uint32_t left = p.columns - column;
    const uint32_t channels = left < kWindowChannels ? left : kWindowChannels;
    pixels.turn_columns(column, channels);
    copy_taps(d, column, channels, false, p.w_zero_point, taps);
    bool adds = false;
    if (p.w_zero_point != 0 &&
        !subtract_from_bytes(p.w_zero_point, 4 * vectors_of(p) * kWindowChannels, taps)) {
      copy_taps(d, column, channels, true, 0, taps);
      add_taps(d, taps, places, channels, false, sums);
      for (uint32_t i = 0; i < places * kWindowChannels; ++i) {
        sums[i] = mve::product(-p.w_zero_point, sums[i]);
      }
      copy_taps(d, column, channels, false, 0, taps);
      adds = true;
    }
    add_taps(d, taps, places, channels, adds, sums);
    finish_any<true, kWindowChannels>(p.results, column, channels,
                                      {sums, p.results.bias + column, places, kWindowChannels},
                                      {y, 1, p.y_w}, nullptr);
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
