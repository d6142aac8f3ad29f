// Resizes a line by vectors of neighboring channels; compiled for each instruction set. Channels
// that fill no vector are part of one that begins before them, or that ends behind them where what
// it writes there is written once more.
#pragma once

#include <cstring>

#include "portable_fallback/fast/float_vectors.h"
#include "portable_fallback/fast/resize_channels.h"

namespace arenite {
namespace {

typedef int32_t Numbers __attribute__((vector_size(kVectorBytes)));
typedef int32_t StoredNumbers __attribute__((vector_size(kVectorBytes), aligned(4), may_alias));

struct FloatChannels {
  using Element = float;
  using Sum = float;
  using Weight = float;
  using Sums = Vector;

  explicit FloatChannels(const ResizeChannels&) {}

  static Sums elements(const float* x) { return load(x); }
  static Sums load_sums(const Sum* sums) { return load(sums); }
  static void store_sums(Sum* sums, Sums v) { store(sums, v); }
  static Sum product(Sum a, Weight b) { return a * b; }
  static Sum sum(Sum a, Sum b) { return a + b; }
  void put(float* y, Sums sums) const { store(y, sums); }
};

// Sums wrap, which those of unsigned numbers do.
template <typename T>
struct ByteChannels {
  using Element = T;
  using Sum = uint32_t;
  using Weight = int16_t;
  using Sums = Words;

  explicit ByteChannels(const ResizeChannels& line)
      : bits(line.fraction_bits), half(int32_t{1} << (line.fraction_bits - 1)) {}

  // GCC 12 takes vectors apart where these are converted.
  static Sums elements(const T* x) {
    [[maybe_unused]] constexpr bool kSigned = T(-1) < T(0);
#if defined(__AVX2__) && ARENITE_VECTOR_BYTES == 32
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(x));
    return __builtin_bit_cast(Words,
                              kSigned ? _mm256_cvtepi8_epi32(bytes) : _mm256_cvtepu8_epi32(bytes));
#elif defined(__x86_64__) && ARENITE_VECTOR_BYTES == 16
    int32_t four;
    std::memcpy(&four, x, sizeof four);
    const __m128i bytes = _mm_cvtsi32_si128(four), zero = _mm_setzero_si128();
    if constexpr (kSigned) {
      const __m128i upper = _mm_unpacklo_epi16(zero, _mm_unpacklo_epi8(zero, bytes));
      return __builtin_bit_cast(Words, _mm_srai_epi32(upper, 24));
    } else {
      return __builtin_bit_cast(Words, _mm_unpacklo_epi16(_mm_unpacklo_epi8(bytes, zero), zero));
    }
#else
    Words numbers = {};
    for (uint32_t i = 0; i < kLanes; ++i) numbers[i] = static_cast<uint32_t>(int32_t{x[i]});
    return numbers;
#endif
  }

  static Sums load_sums(const Sum* sums) {
    return __builtin_bit_cast(Words,
                              *static_cast<const StoredNumbers*>(static_cast<const void*>(sums)));
  }
  static void store_sums(Sum* sums, Sums v) {
    *static_cast<StoredNumbers*>(static_cast<void*>(sums)) = __builtin_bit_cast(Numbers, v);
  }
  static Sum product(Sum a, Weight b) { return a * static_cast<uint32_t>(int32_t{b}); }
  static Sum sum(Sum a, Sum b) { return a + b; }

  // Negative sums are one lower, so that halves go away from zero; the sum with a half saturates.
  void put(T* y, Sums sums) const {
    [[maybe_unused]] constexpr bool kSigned = T(-1) < T(0);
    const auto wrapped = __builtin_bit_cast(Numbers, sums);
    const Numbers most = Numbers{} + (INT32_MAX - half);
    const Numbers raised = (wrapped > most ? most : wrapped) + half + (wrapped >> 31);
    const Numbers numbers = raised >> static_cast<int32_t>(bits);
#if defined(__AVX2__) && ARENITE_VECTOR_BYTES == 32
    const auto all = __builtin_bit_cast(__m256i, numbers);
    const __m128i halves =
        _mm_packs_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(y),
                     kSigned ? _mm_packs_epi16(halves, halves) : _mm_packus_epi16(halves, halves));
#elif defined(__x86_64__) && ARENITE_VECTOR_BYTES == 16
    const auto all = __builtin_bit_cast(__m128i, numbers);
    const __m128i halves = _mm_packs_epi32(all, all);
    const int32_t four = _mm_cvtsi128_si32(kSigned ? _mm_packs_epi16(halves, halves)
                                                   : _mm_packus_epi16(halves, halves));
    std::memcpy(y, &four, sizeof four);
#else
    constexpr int32_t kLow = kSigned ? -128 : 0, kHigh = kSigned ? 127 : 255;
    for (uint32_t i = 0; i < kLanes; ++i) {
      const int32_t number = numbers[i] < kLow ? kLow : numbers[i];
      y[i] = static_cast<T>(number > kHigh ? kHigh : number);
    }
#endif
  }

  uint32_t bits;
  int32_t half;
};

// Elements of type T that lie in bytes.
template <typename T>
inline const T* elements_at(const std::byte* bytes) {
  return static_cast<const T*>(static_cast<const void*>(bytes));
}
template <typename T>
inline T* elements_at(std::byte* bytes) {
  return static_cast<T*>(static_cast<void*>(bytes));
}

// Calls at(first) for vectors that cover `count` elements, each once or more; false where they are
// fewer than a vector has.
template <typename At>
[[gnu::always_inline]] inline bool cover(uint32_t count, const At& at) {
  if (count < kLanes) return false;
  uint32_t c = 0;
  for (; c + kLanes <= count; c += kLanes) at(c);
  if (c != count) at(count - kLanes);
  return true;
}

template <typename By>
void add_lines(const ResizeChannels& line, const typename By::Element* x, uint32_t count,
               typename By::Sum* sums) {
  using Weight = typename By::Weight;
  const auto* weights = static_cast<const Weight*>(line.outer_weights);
  const Weight first = weights == nullptr ? Weight{1} : weights[0];
  const uint32_t taps = line.outer_taps;
  const size_t outer = line.x_outer;
  const auto weigh = [&](auto& sum, const auto& element, const auto& product) {
    sum = product(element(x), first);
    for (uint32_t a = 1; a < taps; ++a) sum += product(element(x + a * outer), weights[a]);
  };
  const bool covered = cover(count, [&](uint32_t c) {
    typename By::Sums sum;
    weigh(
        sum, [&](const auto* from) { return By::elements(from + c); },
        [](typename By::Sums v, Weight by) { return v * By::product(1, by); });
    By::store_sums(sums + c, sum);
  });
  for (uint32_t c = 0; c < count && !covered; ++c) {
    weigh(
        sums[c], [&](const auto* from) { return static_cast<typename By::Sum>(from[c]); },
        By::product);
  }
}

// A place's sum of channels c and those behind it.
template <typename By, uint32_t kTaps>
[[gnu::always_inline]] inline typename By::Sums columns_sum(const typename By::Sum* from,
                                                            const typename By::Weight* weights,
                                                            uint32_t taps, size_t step) {
  typename By::Sums sum = By::load_sums(from) * By::product(1, weights[0]);
  for (uint32_t t = 1; t < (kTaps == 0 ? taps : kTaps); ++t) {
    sum += By::load_sums(from + t * step) * By::product(1, weights[t]);
  }
  return sum;
}

// kTaps: 0, any number of them.
template <typename By, uint32_t kTaps>
void weigh_channels(const ResizeChannels& line, const By& by) {
  using Sum = typename By::Sum;
  const auto* sums = static_cast<const Sum*>(static_cast<const void*>(line.sums));
  const auto* weights = static_cast<const typename By::Weight*>(line.weights);
  auto* y = elements_at<typename By::Element>(line.y);
  const uint32_t channels = line.channels;
  const uint32_t taps = kTaps == 0 ? line.taps : kTaps;
  typename By::Element outside;
  std::memcpy(&outside, &line.outside, sizeof outside);
  for (uint32_t i = 0; i < line.places; ++i, y += line.y_step, weights += taps) {
    const int32_t first = line.firsts[i];
    if (first < 0) {
      for (uint32_t c = 0; c < channels; ++c) y[c] = outside;
      continue;
    }
    const Sum* from = sums + static_cast<size_t>(static_cast<uint32_t>(first)) * channels;
    const auto at = [&](uint32_t c) {
      return columns_sum<By, kTaps>(from + c, weights, taps, channels);
    };
    if (cover(channels, [&](uint32_t c) { by.put(y + c, at(c)); })) continue;
    // This also writes behind the channels, to places that are written later.
    if (line.y_step == channels && (line.places - i) * size_t{channels} >= kLanes) {
      by.put(y, at(0));
      continue;
    }
    typename By::Element last[kLanes];
    by.put(last, at(0));
    for (uint32_t c = 0; c < channels; ++c) y[c] = last[c];
  }
}

// Lines of a single channel: as many places as a vector has.
template <typename By, uint32_t kTaps>
void weigh_places(const ResizeChannels& line, const By& by) {
  using Sum = typename By::Sum;
  const auto* sums = static_cast<const Sum*>(static_cast<const void*>(line.sums));
  const auto* weights = static_cast<const typename By::Weight*>(line.weights);
  auto* y = elements_at<typename By::Element>(line.y);
  const uint32_t taps = kTaps == 0 ? line.taps : kTaps;
  typename By::Element outside;
  std::memcpy(&outside, &line.outside, sizeof outside);
  for (uint32_t i = 0; i < line.places; i += kLanes) {
    const uint32_t count = line.places - i < kLanes ? line.places - i : kLanes;
    Sum numbers[kLanes] = {};
    typename By::Element results[kLanes];
    for (uint32_t j = 0; j < count; ++j, weights += taps) {
      const int32_t first = line.firsts[i + j];
      const Sum* from = sums + (first < 0 ? 0 : first);
      Sum sum = By::product(from[0], weights[0]);
      for (uint32_t t = 1; t < taps; ++t) sum = By::sum(sum, By::product(from[t], weights[t]));
      numbers[j] = sum;
    }
    by.put(results, By::load_sums(numbers));
    for (uint32_t j = 0; j < count; ++j, y += line.y_step) {
      *y = line.firsts[i + j] < 0 ? outside : results[j];
    }
  }
}

template <typename By>
void weigh_line(const ResizeChannels& line) {
  const By by(line);
  auto* sums = static_cast<typename By::Sum*>(static_cast<void*>(line.sums));
  const auto* x = elements_at<typename By::Element>(line.x);
  const uint32_t channels = line.channels;
  const uint32_t all = line.columns * channels;
  if (line.x_step == channels) {
    add_lines<By>(line, x, all, sums);
  } else {
    for (uint32_t i = 0; i < line.columns; ++i) {
      add_lines<By>(line, x + i * line.x_step, channels, sums + i * channels);
    }
  }
  for (uint32_t i = 0; i < kChannelSumsMore; ++i) sums[all + i] = 0;
  if (channels == 1) {
    return line.taps == 2 ? weigh_places<By, 2>(line, by) : weigh_places<By, 0>(line, by);
  }
  line.taps == 2 ? weigh_channels<By, 2>(line, by) : weigh_channels<By, 0>(line, by);
}

// Two chunks of kBytes each cover as many bytes or up to twice of it.
template <uint32_t kBytes>
[[gnu::always_inline]] inline void move_two(std::byte* y, const std::byte* x, size_t bytes) {
  std::byte ends[2][kBytes];
  std::memcpy(ends[0], x, kBytes);
  std::memcpy(ends[1], x + (bytes - kBytes), kBytes);
  std::memcpy(y, ends[0], kBytes);
  std::memcpy(y + (bytes - kBytes), ends[1], kBytes);
}

[[gnu::always_inline]] inline void move_channels(std::byte* y, const std::byte* x, size_t bytes) {
  constexpr uint32_t kChunk = 32;
  while (bytes > 2 * kChunk) {
    std::memcpy(y, x, kChunk);
    y += kChunk;
    x += kChunk;
    bytes -= kChunk;
  }
  if (bytes >= 32) return move_two<32>(y, x, bytes);
  if (bytes >= 16) return move_two<16>(y, x, bytes);
  if (bytes >= 8) return move_two<8>(y, x, bytes);
  if (bytes >= 4) return move_two<4>(y, x, bytes);
  if (bytes >= 2) return move_two<2>(y, x, bytes);
  *y = *x;
}

// T: an unsigned type of an element's size.
template <typename T>
void move_line(const ResizeChannels& line) {
  const auto* x = elements_at<T>(line.x);
  auto* y = elements_at<T>(line.y);
  const size_t bytes = line.channels * sizeof(T);
  for (uint32_t i = 0; i < line.places; ++i, y += line.y_step) {
    const int32_t first = line.all_outside ? -1 : line.firsts[i];
    if (first < 0) {
      for (uint32_t c = 0; c < line.channels; ++c) y[c] = static_cast<T>(line.outside);
      continue;
    }
    const T* from = x + static_cast<uint32_t>(first) * line.x_step;
    if (line.channels == 1) {
      *y = *from;
    } else {
      move_channels(static_cast<std::byte*>(static_cast<void*>(y)),
                    static_cast<const std::byte*>(static_cast<const void*>(from)), bytes);
    }
  }
}

inline void resize_line(const ResizeChannels& line) {
  const bool moves = line.weights == nullptr || line.all_outside;
  switch (line.type) {
    case ChannelType::kFloat:
      return moves ? move_line<uint32_t>(line) : weigh_line<FloatChannels>(line);
    case ChannelType::kInt8:
      return moves ? move_line<uint8_t>(line) : weigh_line<ByteChannels<int8_t>>(line);
    default:
      return moves ? move_line<uint8_t>(line) : weigh_line<ByteChannels<uint8_t>>(line);
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
