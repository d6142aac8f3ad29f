// Makes results of 8 bits of sums, eight outputs at a time, with AVX2: of each way of rounding that
// kernels know (IntegerResults), else one by one.
#pragma once

#if defined(__AVX2__)

// GCC 12 warns of undefined vectors in these headers of its own (bug 105593).
#ifndef __clang__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>
#ifndef __clang__
#pragma GCC diagnostic pop
#endif

#include "portable_fallback/fast/integer_ways.h"
#include "portable_fallback/fast/window_rows.h"

namespace arenite {
namespace {

inline __m256i load_words(const int32_t* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(static_cast<const void*>(from)));
}
inline void store_words(int32_t* to, __m256i v) {
  _mm256_storeu_si256(static_cast<__m256i*>(static_cast<void*>(to)), v);
}

// The first `count` of eight numbers; of what lies behind them nothing is read.
inline __m256i load_some(const int32_t* from, uint32_t count) {
  if (count >= 8) return load_words(from);
  const __m256i index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256i mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int32_t>(count)), index);
  return _mm256_maskload_epi32(from, mask);
}
inline __m256i load_some(const int8_t* from, uint32_t count) {
  int64_t bytes = 0;
  if (count >= 8) {
    std::memcpy(&bytes, from, 8);
  } else {
    for (uint32_t i = 0; i < count; ++i) {
      bytes |= int64_t{static_cast<uint8_t>(from[i])} << 8 * i;
    }
  }
  return _mm256_cvtepi8_epi32(_mm_cvtsi64_si128(bytes));
}

struct Factors {
  __m256i multipliers, shifts;
};
// Of outputs `output` and the next; those behind the last are 0.
inline Factors factors_of(const IntegerResults& results, uint32_t output, uint32_t count) {
  if (results.factor_step == 0) {
    return {_mm256_set1_epi32(*results.multipliers), _mm256_set1_epi32(*results.shifts)};
  }
  return {load_some(results.multipliers + output, count),
          load_some(results.shifts + output, count)};
}

// The upper halves of the doubled products, rounded down, or with 2^30 to the nearest.
inline __m256i high_halves(__m256i even, __m256i odd) {
  const __m256i low_lanes = _mm256_srli_epi64(even, 31);
  const __m256i high_lanes = _mm256_slli_epi64(_mm256_srli_epi64(odd, 31), 32);
  return _mm256_blend_epi32(low_lanes, high_lanes, 0xaa);
}

// Rounded as kTfliteDouble, shifts in [-31, 0].
inline __m256i rounded_twice(__m256i sums, const Factors& by) {
  const __m256i half = _mm256_set1_epi64x(int64_t{1} << 30);
  const __m256i even = _mm256_add_epi64(_mm256_mul_epi32(sums, by.multipliers), half);
  const __m256i odd = _mm256_add_epi64(
      _mm256_mul_epi32(_mm256_srli_epi64(sums, 32), _mm256_srli_epi64(by.multipliers, 32)), half);
  const __m256i high = high_halves(even, odd);
  const __m256i right = _mm256_sub_epi32(_mm256_setzero_si256(), by.shifts);
  const __m256i one = _mm256_set1_epi32(1);
  const __m256i mask = _mm256_sub_epi32(_mm256_sllv_epi32(one, right), one);
  const __m256i limit = _mm256_add_epi32(_mm256_srli_epi32(mask, 1), _mm256_srli_epi32(high, 31));
  const __m256i up = _mm256_cmpgt_epi32(_mm256_and_si256(high, mask), limit);
  return _mm256_sub_epi32(_mm256_srav_epi32(high, right), up);
}

// Rounded once, halves to even or up, shifts in [-31, -1]: what is left of the upper half decides,
// and of halves to even the lower half.
template <bool kToEven>
inline __m256i rounded_once(__m256i sums, const Factors& by) {
  const __m256i even = _mm256_mul_epi32(sums, by.multipliers);
  const __m256i odd =
      _mm256_mul_epi32(_mm256_srli_epi64(sums, 32), _mm256_srli_epi64(by.multipliers, 32));
  const __m256i high = high_halves(even, odd);
  const __m256i one = _mm256_set1_epi32(1);
  const __m256i right = _mm256_sub_epi32(_mm256_setzero_si256(), by.shifts);
  const __m256i half = _mm256_sllv_epi32(one, _mm256_sub_epi32(right, one));
  const __m256i whole = _mm256_srav_epi32(high, right);
  const __m256i rest = _mm256_sub_epi32(high, _mm256_sllv_epi32(whole, right));
  __m256i over = _mm256_sub_epi32(rest, half);
  if constexpr (kToEven) {
    const __m256i low = _mm256_slli_epi32(_mm256_mullo_epi32(sums, by.multipliers), 1);
    const __m256i none = _mm256_cmpeq_epi32(low, _mm256_setzero_si256());
    const __m256i odd_or_more = _mm256_or_si256(whole, _mm256_andnot_si256(none, one));
    over = _mm256_add_epi32(over, _mm256_and_si256(odd_or_more, one));
    return _mm256_sub_epi32(whole, _mm256_cmpgt_epi32(over, _mm256_setzero_si256()));
  }
  const __m256i below = _mm256_cmpgt_epi32(_mm256_setzero_si256(), over);
  return _mm256_add_epi32(_mm256_add_epi32(whole, one), below);
}

// Factors in float32.
inline __m256 float_factors(const Factors& by) {
  const __m256i exponents =
      _mm256_slli_epi32(_mm256_add_epi32(by.shifts, _mm256_set1_epi32(127 - 31)), 23);
  return _mm256_mul_ps(_mm256_cvtepi32_ps(by.multipliers), _mm256_castsi256_ps(exponents));
}

inline __m256 scaled(__m256i sums, __m256 factors) {
  return _mm256_mul_ps(_mm256_cvtepi32_ps(sums), factors);
}
// Rounds to whole numbers, halves to even. Numbers that are beyond any result of 8 bits stay there:
// those below all of 32 bits become the least of these.
inline __m256i nearest(__m256 numbers) {
  return _mm256_cvtps_epi32(_mm256_min_ps(numbers, _mm256_set1_ps(65536.0f)));
}

// What eight outputs need to make results of their sums, in every place.
//
// Halves of results that are rounded once are looked for in float32. Numbers that are not beyond
// all results are no larger than 256, and within 2^-14 of the exact ones, since three roundings
// made them: only those that may be halves take products of 64 bits.
template <Way kWay>
class EightOutputs {
 public:
  // Outputs `output` and the next, of which `count` are there.
  EightOutputs(const IntegerResults& results, uint32_t output, uint32_t count)
      : results_(&results),
        output_(output),
        count_(count),
        biases_(results.bias_step == 0 ? _mm256_set1_epi32(*results.bias)
                                       : load_some(results.bias + output, count)),
        by_(factors_of(results, output, count)),
        zero_point_(_mm256_set1_epi32(results.zero_point)),
        low_(_mm256_set1_epi32(results.low)),
        high_(_mm256_set1_epi32(results.high)) {
    if constexpr (kWay != Way::kTwice) factors_ = float_factors(by_);
  }

  // Results of 8 bits, one a word.
  __m256i of(__m256i sums) const {
    // Numbers beyond all results, so that the zero point cannot wrap.
    const __m256i most = _mm256_set1_epi32(65536), least = _mm256_set1_epi32(-65536);
    __m256i numbers[1];
    round(*this, *this, &sums, numbers);
    numbers[0] = _mm256_max_epi32(_mm256_min_epi32(numbers[0], most), least);
    numbers[0] = _mm256_add_epi32(numbers[0], zero_point_);
    return _mm256_max_epi32(_mm256_min_epi32(numbers[0], high_), low_);
  }

  // Rounds sums of both outputs in turn; no zero point is added, and there are no limits. All are
  // looked at for halves together.
  template <uint32_t kVectors>
  static void round(const EightOutputs& even, const EightOutputs& odd, const __m256i* sums,
                    __m256i (&numbers)[kVectors]) {
    [[maybe_unused]] __m256 rests = _mm256_setzero_ps();
#pragma GCC unroll 8
    for (uint32_t i = 0; i < kVectors; ++i) {
      const EightOutputs& of = i % 2 == 0 ? even : odd;
      const __m256i biased = _mm256_add_epi32(sums[i], of.biases_);
      if constexpr (kWay == Way::kTwice) {
        numbers[i] = rounded_twice(biased, of.by_);
      } else {
        const __m256 in_float32 = scaled(biased, of.factors_);
        if constexpr (kWay != Way::kFloat32) rests = greater_rest(rests, in_float32);
        numbers[i] = nearest(in_float32);
      }
    }
    if constexpr (kWay == Way::kOnceToEven || kWay == Way::kOnceUp) {
      if (!may_halve(rests)) [[likely]]
        return;
#pragma GCC unroll 8
      for (uint32_t i = 0; i < kVectors; ++i) {
        const EightOutputs& of = i % 2 == 0 ? even : odd;
        numbers[i] = exact(*of.results_, of.output_, of.count_, sums + i);
      }
    }
  }

 private:
  // This is rare. It reads outputs and sums where they are stored, so that GCC keeps no copies.
  [[gnu::noinline]] static __m256i exact(const IntegerResults& results, uint32_t output,
                                         uint32_t count, const __m256i* sums) {
    const EightOutputs outputs(results, output, count);
    constexpr bool kToEven = kWay == Way::kOnceToEven;
    return rounded_once<kToEven>(_mm256_add_epi32(*sums, outputs.biases_), outputs.by_);
  }

  // Returns the greater of `rests` and the distances of numbers from the nearest whole ones.
  static __m256 greater_rest(__m256 rests, __m256 numbers) {
    const __m256 whole = _mm256_round_ps(numbers, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    const __m256 sign = _mm256_set1_ps(-0.0f);
    return _mm256_max_ps(rests, _mm256_andnot_ps(sign, _mm256_sub_ps(numbers, whole)));
  }
  static bool may_halve(__m256 rests) {
    constexpr float kNear = 0.5f - 1.0f / 16384;
    return _mm256_movemask_ps(_mm256_cmp_ps(rests, _mm256_set1_ps(kNear), _CMP_GE_OQ)) != 0;
  }

  const IntegerResults* results_;
  uint32_t output_, count_;
  __m256i biases_;
  Factors by_;
  __m256 factors_ = _mm256_setzero_ps();
  __m256i zero_point_, low_, high_;
};

// These are four times sixteen results, in two halves.
struct FourBytes {
  __m256i first, last;
};
inline void store_halves(int8_t* to, const FourBytes& bytes) {
  auto* halves = static_cast<__m256i*>(static_cast<void*>(to));
  _mm256_storeu_si256(halves, bytes.first);
  _mm256_storeu_si256(halves + 1, bytes.last);
}

// The low bytes of eight words, in their order.
inline int64_t low_bytes(__m256i words) {
  const __m256i order =
      _mm256_setr_epi8(0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 4, 8, 12, -1,
                       -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
  const __m256i bytes = _mm256_shuffle_epi8(words, order);
  return _mm_cvtsi128_si64(
      _mm_unpacklo_epi32(_mm256_castsi256_si128(bytes), _mm256_extracti128_si256(bytes, 1)));
}

inline void store_low_bytes(int8_t* to, __m256i words) {
  const int64_t bytes = low_bytes(words);
  std::memcpy(to, &bytes, 8);
}

// Results of some places to y, whose columns may lie apart. There is room for whole vectors behind
// the sums.
inline void finish_columns(const IntegerProducts& p, const SumsOfPlaces& from, Dst<int8_t> y) {
  const uint32_t count = from.count;
  int8_t bytes[kTilePlaces][kColumnsAtOnce + 16];
  const bool done = with_way(p.results, [&]<Way kWay>() {
    for (uint32_t j = 0; j < count; j += 8) {
      const EightOutputs<kWay> outputs(p.results, from.column + j, count - j);
      for (uint32_t i = 0; i < from.places; ++i) {
        const __m256i more = _mm256_set1_epi32(from.added[i]);
        const __m256i sums = _mm256_add_epi32(load_words(from.sums[i] + j), more);
        store_low_bytes(bytes[i] + j, outputs.of(sums));
      }
    }
  });
  if (!done) return finish_each(p, from, y);
  for (uint32_t i = 0; i < from.places; ++i, y += p.y_w) {
    if (p.y_c == 1) {
      put(y, static_cast<const int8_t*>(bytes[i]), count);
    } else {
      for (uint32_t j = 0; j < count; ++j) y[j * p.y_c] = bytes[i][j];
    }
  }
}

// The sums of the lanes of four vectors.
inline __m128i sums_of_four(__m256i a, __m256i b, __m256i c, __m256i d) {
  const __m256i sums = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
  return _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
}

}  // namespace
}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0
