// Dot products of rows of int8 with one vector of 16 bits by vectors of either, compiled for each
// instruction set. Products are added up in pairs: sums wrap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/access.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#if defined(__SSE2__) || defined(__aarch64__)

namespace arenite {
// Each kernel's file has a copy of its own: a shared one would be compiled for one of the machines.
namespace {

#if defined(__AVX2__)
constexpr uint32_t kDotNumbers = 16;
#else
constexpr uint32_t kDotNumbers = 8;
#endif
typedef int16_t DotNumbers __attribute__((vector_size(2 * kDotNumbers)));
typedef int32_t DotSums __attribute__((vector_size(2 * kDotNumbers)));

inline DotNumbers load_numbers(const int16_t* from) {
  DotNumbers numbers;
  std::memcpy(&numbers, from, sizeof numbers);
  return numbers;
}

inline DotNumbers load_weights(const int8_t* from) {
#if defined(__AVX2__)
  return __builtin_bit_cast(
      DotNumbers, _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
#elif defined(__x86_64__)
  const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  return __builtin_bit_cast(DotNumbers, _mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8));
#else
  return __builtin_bit_cast(DotNumbers, vmovl_s8(vld1_s8(from)));
#endif
}

// A product of two numbers is below 2^30, so that a pair of them fits.
inline DotSums pair_products(DotNumbers a, DotNumbers b) {
#if defined(__AVX2__)
  return __builtin_bit_cast(
      DotSums, _mm256_madd_epi16(__builtin_bit_cast(__m256i, a), __builtin_bit_cast(__m256i, b)));
#elif defined(__x86_64__)
  return __builtin_bit_cast(
      DotSums, _mm_madd_epi16(__builtin_bit_cast(__m128i, a), __builtin_bit_cast(__m128i, b)));
#else
  const auto x = __builtin_bit_cast(int16x8_t, a), y = __builtin_bit_cast(int16x8_t, b);
  return __builtin_bit_cast(DotSums,
                            vmlal_high_s16(vmull_s16(vget_low_s16(x), vget_low_s16(y)), x, y));
#endif
}

inline int32_t sum_of(DotSums sums) {
#if defined(__x86_64__)
#if defined(__AVX2__)
  const auto all = __builtin_bit_cast(__m256i, sums);
  __m128i v = _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
#else
  auto v = __builtin_bit_cast(__m128i, sums);
#endif
  v = _mm_add_epi32(v, _mm_unpackhi_epi64(v, v));
  v = _mm_add_epi32(v, _mm_shuffle_epi32(v, 0x55));
  return _mm_cvtsi128_si32(v);
#else
  return vaddvq_s32(__builtin_bit_cast(int32x4_t, sums));
#endif
}

struct VectorDot {
  // Numbers of elements that lie `step` apart, plus `added`, which is in [-127, 128].
  static void widen(uint32_t* to, Src<int8_t> from, size_t step, uint32_t count, int32_t added) {
    auto* numbers = static_cast<int16_t*>(static_cast<void*>(to));
    for (; count != 0; --count, from += step) *numbers++ = static_cast<int16_t>(*from + added);
  }

  // sums[i] = the products of the numbers and row i of `rows`, which lie `to_next` elements apart.
  static void add_rows(const uint32_t* from, const int8_t* w, size_t to_next, uint32_t count,
                       uint32_t rows, int32_t* sums) {
    const auto* numbers = static_cast<const int16_t*>(static_cast<const void*>(from));
    if (count < kDotNumbers) {
      for (; rows != 0; --rows, w += to_next) *sums++ = few_products(numbers, w, count);
      return;
    }
    // The last vector begins among numbers that the one before has, which count for nothing there.
    const uint32_t whole = count / kDotNumbers * kDotNumbers;
    const uint32_t at = count - kDotNumbers;
    int16_t last[kDotNumbers] = {};
    for (uint32_t i = whole; i < count; ++i) last[i - at] = numbers[i];
    const DotNumbers rest = load_numbers(last);
    const auto add_row = [&](const int8_t* row) {
      DotSums sum = pair_products(rest, load_weights(row + at));
      for (uint32_t i = 0; i < whole; i += kDotNumbers) {
        sum += pair_products(load_numbers(numbers + i), load_weights(row + i));
      }
      return sum;
    };
    for (; rows != 0; --rows, w += to_next) *sums++ = sum_of(add_row(w));
  }

  // Moves a state of `memory` elements on by one, and puts `newest` behind it. Returns the sum of
  // its products with `times`, after the zero point is taken off its elements.
  template <typename T>
  static int32_t remember(Dst<T> to, Src<T> from, const T* times, uint32_t memory, int32_t newest,
                          int32_t zero_point = 0) {
    int32_t sum = 0;
    for (uint32_t left = memory; left != 0; --left, ++to, ++from, ++times) {
      const int32_t element = left > 1 ? int32_t{from[1]} : newest;
      *to = static_cast<T>(element);
      sum = wrapping_sum(sum, (element - zero_point) * *times);
    }
    return sum;
  }

 private:
  static int32_t wrapping_sum(int32_t a, int32_t b) {
    return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
  }

  static int32_t few_products(const int16_t* numbers, const int8_t* w, uint32_t count) {
    int32_t sum = 0;
    for (uint32_t i = 0; i < count; ++i) sum += numbers[i] * int32_t{w[i]};
    return sum;
  }
};

}  // namespace
}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0
