// Makes results of 8 bits of sums, sixteen outputs at a time, with AVX-512, by the same ways as
// integer_finish_avx2.h.
#pragma once

#include "portable_fallback/fast/integer_finish_avx2.h"

#if defined(__AVX512VNNI__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && \
    defined(__AVX512VL__)

namespace arenite {
namespace {

// Sums of 32 bits: of the type that GCC has for what it adds to, as it copies others each time.
using Sixteen [[gnu::vector_size(64)]] = int32_t;
inline __m512i words_of(Sixteen sums) { return reinterpret_cast<__m512i>(sums); }
inline Sixteen sixteen_of(__m512i words) { return reinterpret_cast<Sixteen>(words); }

// The first `count` of sixteen, else all.
inline __mmask16 first_of_sixteen(uint32_t count) {
  return static_cast<__mmask16>(count >= 16 ? 0xffff : (1u << count) - 1);
}

// The lower words of both, in turn.
inline __m512i words_of(__m512i even, __m512i odd) {
  return _mm512_mask_blend_epi32(0xaaaa, even, _mm512_slli_epi64(odd, 32));
}

// The first and the last eight of sixteen numbers, in turn, in float64.
struct Doubles {
  __m512d first, last;
};
inline Doubles doubles_of(__m512i words) {
  return {_mm512_cvtepi32_pd(_mm512_castsi512_si256(words)),
          _mm512_cvtepi32_pd(_mm512_extracti64x4_epi64(words, 1))};
}
// What sixteen outputs need to make results of their sums, in every place.
//
// Halves of results that are rounded once are looked for in float32. Numbers that are not beyond
// all results are no larger than 256, and within 2^-14 of the exact ones, since three roundings
// made them: only those that may be halves take integers of 64 bits. A sum times a multiplier of 31
// bits is exact in float64 if it is below 2^53; divided by 2^43 at most, as shifts of -12 and above
// do, any larger one is beyond all results. So float64 rounds the first of two times.
template <Way kWay>
class SixteenOutputs {
 public:
  // Outputs `output` and the next, of which `count` are there.
  [[gnu::always_inline]] SixteenOutputs(const IntegerResults& results, uint32_t output,
                                        uint32_t count)
      : results_(&results),
        output_(output),
        count_(count),
        zero_point_(_mm512_set1_epi32(results.zero_point)),
        low_(_mm512_set1_epi32(results.low)),
        high_(_mm512_set1_epi32(results.high)) {
    const __mmask16 there = first_of_sixteen(count);
    biases_ = results.bias_step == 0 ? _mm512_set1_epi32(*results.bias)
                                     : _mm512_maskz_loadu_epi32(there, results.bias + output);
    if (results.factor_step == 0) {
      multipliers_ = _mm512_set1_epi32(*results.multipliers);
      shifts_ = _mm512_set1_epi32(*results.shifts);
    } else {
      multipliers_ = _mm512_maskz_loadu_epi32(there, results.multipliers + output);
      shifts_ = _mm512_cvtepi8_epi32(_mm_maskz_loadu_epi8(there, results.shifts + output));
    }
    if constexpr (kWay == Way::kTwice) {
      constexpr int32_t kLeast = -12;
      exact_ = _mm512_cmplt_epi32_mask(shifts_, _mm512_set1_epi32(kLeast)) == 0;
      const __m512d scale = _mm512_set1_pd(1.0 / (uint32_t{1} << 31));
      doubles_ = doubles_of(multipliers_);
      doubles_ = {_mm512_mul_pd(doubles_.first, scale), _mm512_mul_pd(doubles_.last, scale)};
    } else {
      const __m512i exponents =
          _mm512_slli_epi32(_mm512_add_epi32(shifts_, _mm512_set1_epi32(127 - 31)), 23);
      factors_ = _mm512_mul_ps(_mm512_cvtepi32_ps(multipliers_), _mm512_castsi512_ps(exponents));
    }
  }

  // Results of 8 bits.
  __m128i of(Sixteen sums) const {
    __m512i numbers = rounded(biased(sums));
    // Numbers beyond all results, so that the zero point cannot wrap.
    if constexpr (kWay == Way::kTwice) {
      const __m512i most = _mm512_set1_epi32(65536), least = _mm512_set1_epi32(-65536);
      numbers = _mm512_max_epi32(_mm512_min_epi32(numbers, most), least);
    }
    numbers = _mm512_add_epi32(numbers, zero_point_);
    return _mm512_cvtepi32_epi8(_mm512_max_epi32(_mm512_min_epi32(numbers, high_), low_));
  }

  // Results before their zero point is added, and limits. Those of four sums of two outputs in
  // turn, or of one, are looked at for halves together.
  template <uint32_t kOutputs>
  static void round_four(const SixteenOutputs (&outputs)[kOutputs], const Sixteen* sums,
                         __m512i (&numbers)[4]) {
    if constexpr (kWay == Way::kOnceToEven || kWay == Way::kOnceUp) {
      __m512 rests = _mm512_setzero_ps();
#pragma GCC unroll 4
      for (uint32_t i = 0; i < 4; ++i) {
        const SixteenOutputs& output = outputs[i % kOutputs];
        const __m512 scaled = output.scaled(output.biased(sums[i]));
        rests = greater_rest(rests, scaled);
        numbers[i] = _mm512_cvtps_epi32(scaled);
      }
      if (may_halve(rests)) [[unlikely]] {
#pragma GCC unroll 4
        for (uint32_t i = 0; i < 4; ++i) {
          const SixteenOutputs& output = outputs[i % kOutputs];
          numbers[i] = exact(*output.results_, output.output_, output.count_, sums[i]);
        }
      }
    } else {
#pragma GCC unroll 4
      for (uint32_t i = 0; i < 4; ++i) {
        const SixteenOutputs& output = outputs[i % kOutputs];
        numbers[i] = output.rounded(output.biased(sums[i]));
      }
    }
  }

 private:
  // Rare, and told of its outputs as they are stored, so that GCC keeps these in registers.
  [[gnu::noinline]] static __m512i exact(const IntegerResults& results, uint32_t output,
                                         uint32_t count, Sixteen sums) {
    const SixteenOutputs outputs(results, output, count);
    return outputs.in_integers(outputs.biased(sums));
  }

  __m512i biased(Sixteen sums) const { return _mm512_add_epi32(words_of(sums), biases_); }

  __m512i rounded(__m512i sums) const {
    if constexpr (kWay == Way::kTwice) {
      return divided(exact_ ? in_doubles(sums) : in_integers(sums));
    } else {
      return in_floats(sums);
    }
  }

  // Halves to even, as kFloat32 has them; those of the other ways in integers. What is beyond any
  // result of 8 bits stays there.
  __m512i in_floats(__m512i sums) const {
    const __m512 numbers = scaled(sums);
    if constexpr (kWay == Way::kFloat32) {
      const __m512 most = _mm512_set1_ps(65536.0f), least = _mm512_set1_ps(-65536.0f);
      return _mm512_cvtps_epi32(_mm512_max_ps(_mm512_min_ps(numbers, most), least));
    }
    if (may_halve(greater_rest(_mm512_setzero_ps(), numbers))) [[unlikely]] {
      return in_integers(sums);
    }
    return _mm512_cvtps_epi32(numbers);
  }

  __m512 scaled(__m512i sums) const { return _mm512_mul_ps(_mm512_cvtepi32_ps(sums), factors_); }
  // Returns the greater of `rests` and the distances of numbers from the nearest whole ones.
  static __m512 greater_rest(__m512 rests, __m512 numbers) {
    constexpr int kOfMagnitudes = 0b1011;
    return _mm512_range_ps(rests, _mm512_reduce_ps(numbers, _MM_FROUND_TO_NEAREST_INT),
                           kOfMagnitudes);
  }
  static bool may_halve(__m512 rests) {
    constexpr float kNear = 0.5f - 1.0f / 16384;
    return _mm512_cmp_ps_mask(rests, _mm512_set1_ps(kNear), _CMP_GE_OQ) != 0;
  }

  // Of kTwice the upper half of the doubled product.
  __m512i in_doubles(__m512i sums) const {
    constexpr int kDown = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
    const __m512d half = _mm512_set1_pd(0.5);
    const Doubles numbers = doubles_of(sums);
    const __m256i first =
        _mm512_cvt_roundpd_epi32(_mm512_fmadd_pd(numbers.first, doubles_.first, half), kDown);
    const __m256i last =
        _mm512_cvt_roundpd_epi32(_mm512_fmadd_pd(numbers.last, doubles_.last, half), kDown);
    return _mm512_inserti64x4(_mm512_castsi256_si512(first), last, 1);
  }

  // The same, or the rounded product, for any shifts.
  __m512i in_integers(__m512i sums) const {
    const __m512i even = _mm512_mul_epi32(sums, multipliers_);
    const __m512i odd =
        _mm512_mul_epi32(_mm512_srli_epi64(sums, 32), _mm512_srli_epi64(multipliers_, 32));
    const __m512i right = kWay == Way::kTwice ? _mm512_set1_epi32(31)
                                              : _mm512_sub_epi32(_mm512_set1_epi32(31), shifts_);
    const __m512i even_right = _mm512_srli_epi64(_mm512_slli_epi64(right, 32), 32);
    return words_of(shifted(even, even_right), shifted(odd, _mm512_srli_epi64(right, 32)));
  }

  // Divided by 2^31 to 2^62, halves up or to even.
  static __m512i shifted(__m512i product, __m512i right) {
    const __m512i one = _mm512_set1_epi64(1);
    const __m512i half = _mm512_sllv_epi64(one, _mm512_sub_epi64(right, one));
    if constexpr (kWay == Way::kOnceToEven) {
      const __m512i odd = _mm512_and_si512(_mm512_srlv_epi64(product, right), one);
      product = _mm512_add_epi64(_mm512_sub_epi64(product, one), odd);
    }
    return _mm512_srav_epi64(_mm512_add_epi64(product, half), right);
  }

  // The second rounding of kTwice, halves away from zero, shifts in [-31, 0].
  __m512i divided(__m512i high) const {
    const __m512i one = _mm512_set1_epi32(1);
    const __m512i right = _mm512_sub_epi32(_mm512_setzero_si512(), shifts_);
    const __m512i mask = _mm512_sub_epi32(_mm512_sllv_epi32(one, right), one);
    const __m512i limit = _mm512_add_epi32(_mm512_srli_epi32(mask, 1), _mm512_srli_epi32(high, 31));
    const __mmask16 up = _mm512_cmpgt_epi32_mask(_mm512_and_si512(high, mask), limit);
    const __m512i whole = _mm512_srav_epi32(high, right);
    return _mm512_mask_add_epi32(whole, up, whole, one);
  }

  const IntegerResults* results_;
  uint32_t output_, count_;
  bool exact_ = false;
  __m512i biases_, multipliers_, shifts_;
  Doubles doubles_ = {};
  __m512 factors_ = _mm512_setzero_ps();
  __m512i zero_point_, low_, high_;
};

// Makes results of four times sixteen sums. Numbers of 16 and 8 bits are saturated, as those that
// they stand for are beyond all results.
class FourResults {
 public:
  explicit FourResults(const IntegerResults& results) {
    // Those of uint8 are as many less as make them int8.
    const int32_t above = results.high > 127 ? 128 : 0;
    zero_point_ = _mm512_set1_epi16(static_cast<int16_t>(results.zero_point - above));
    low_ = _mm512_set1_epi8(static_cast<int8_t>(results.low - above));
    high_ = _mm512_set1_epi8(static_cast<int8_t>(results.high - above));
    flip_ = _mm512_set1_epi8(static_cast<int8_t>(above));
  }

  // The results of sums[0], then those of the next; of two outputs in turn, or of one.
  template <Way kWay, uint32_t kOutputs>
  FourBytes of(const SixteenOutputs<kWay> (&outputs)[kOutputs], const Sixteen* sums) const {
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    __m512i numbers[4];
    SixteenOutputs<kWay>::round_four(outputs, sums, numbers);
    const __m512i results = _mm512_permutexvar_epi32(order, of_lanes(numbers));
    return {_mm512_castsi512_si256(results), _mm512_extracti64x4_epi64(results, 1)};
  }

  // Four bytes of each, then the next four of each.
  __m512i of_lanes(const __m512i (&numbers)[4]) const {
    const __m512i first = _mm512_packs_epi32(numbers[0], numbers[1]);
    const __m512i last = _mm512_packs_epi32(numbers[2], numbers[3]);
    const __m512i bytes = _mm512_packs_epi16(_mm512_adds_epi16(first, zero_point_),
                                             _mm512_adds_epi16(last, zero_point_));
    return _mm512_xor_si512(_mm512_max_epi8(_mm512_min_epi8(bytes, high_), low_), flip_);
  }

 private:
  __m512i zero_point_, low_, high_, flip_;
};

}  // namespace
}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0
