// Compiles the sums for AVX2. Numbers of the sums that are rounded twice are multiplied eight at
// once.
#include "portable_fallback/fast/integer_sums_avx2_kernel.h"

#include "portable_fallback/fast/integer_finish_avx2.h"
#include "portable_fallback/fast/integer_sums_loops.h"

#if defined(__AVX2__)

namespace arenite {
namespace {

Factors factors_of(const DspFactor& factor) {
  return {_mm256_set1_epi32(factor.multiplier),
          _mm256_set1_epi32(-static_cast<int32_t>(factor.right))};
}

// Numbers of 8 bits less their zero point, times 2^left, times a factor.
struct Scaled {
  Scaled(const DspSums& of, uint32_t which)
      : factors(factors_of(of.factors[which])),
        added(_mm256_set1_epi32(of.added[which])),
        flip(_mm256_set1_epi32(static_cast<int32_t>(of.flip ^ 0x80))),
        left(_mm_cvtsi32_si128(static_cast<int32_t>(of.left))) {}

  __m256i of_eight(const uint8_t* from) const {
    const __m128i bytes =
        _mm_loadl_epi64(static_cast<const __m128i*>(static_cast<const void*>(from)));
    // As bytes without a sign, in the order of their numbers: 128 more than those of int8.
    const __m256i raised = _mm256_xor_si256(_mm256_cvtepu8_epi32(bytes), flip);
    const __m256i number =
        _mm256_add_epi32(_mm256_sub_epi32(raised, _mm256_set1_epi32(128)), added);
    return rounded_twice(_mm256_sll_epi32(number, left), factors);
  }

  Factors factors;
  __m256i added, flip;
  __m128i left;
};

}  // namespace

void add_sums_avx2(const DspSums& of, const DspSumRow& row) {
  const Scaled first(of, 0), second(of, 1);
  const Factors whole = factors_of(of.sum);
  const __m256i zero_point = _mm256_set1_epi32(of.zero_point);
  const __m256i low = _mm256_set1_epi32(of.low), high = _mm256_set1_epi32(of.high);
  const bool subtracts = of.subtracts, squares = of.squares;
  const auto sum = [&](const uint8_t* a, const uint8_t* b, uint8_t* y) {
    for (uint32_t i = 0; i < kDspSumsAtOnce; i += 8) {
      const __m256i of_a = first.of_eight(a + i), of_b = second.of_eight(b + i);
      __m256i both = subtracts ? _mm256_sub_epi32(of_a, of_b) : _mm256_add_epi32(of_a, of_b);
      if (squares) both = _mm256_mullo_epi32(both, both);
      const __m256i number = _mm256_add_epi32(rounded_twice(both, whole), zero_point);
      const int64_t bytes = low_bytes(_mm256_max_epi32(_mm256_min_epi32(number, high), low));
      std::memcpy(y + i, &bytes, 8);
    }
  };
  if (!add_neighbors<uint8_t>(row, sum)) add_scaled_sums(of, row);
}

void add_sums_once_avx2(const OnceSums& sums, const OnceSumRow& row) { add_sums_once(sums, row); }

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0
