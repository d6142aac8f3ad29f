// Adds neighbors of 8 bits with AVX2: eight at once where sums are rounded twice, else sixteen.
#include "portable_fallback/fast/integer_sums_avx2_kernel.h"

#include <type_traits>

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

// Pairs of numbers of both operands as 16 bits, times both multipliers: those are parts of 15 bits
// and of what is above, whose products with numbers of 8 bits are summed in 32.
template <bool kToEven>
struct OnceScaled {
  explicit OnceScaled(const OnceSums& of)
      : low_parts(pair_of(of.multipliers[0] & 0x7fff, of.multipliers[1] & 0x7fff)),
        high_parts(pair_of(of.multipliers[0] >> 15, of.multipliers[1] >> 15)),
        added(_mm256_set1_epi32(of.added)),
        right(_mm_cvtsi32_si128(static_cast<int32_t>(of.right))),
        left(_mm_cvtsi32_si128(static_cast<int32_t>(32 - of.right))) {}

  static __m256i pair_of(int32_t first, int32_t second) {
    return _mm256_set1_epi32((first & 0xffff) |
                             static_cast<int32_t>(static_cast<uint32_t>(second) << 16));
  }

  // Makes the quotients of eight pairs.
  __m256i quotients(__m256i pairs) const {
    const __m256i high = _mm256_slli_epi32(_mm256_madd_epi16(pairs, high_parts), 15);
    const __m256i sums =
        _mm256_add_epi32(_mm256_add_epi32(_mm256_madd_epi16(pairs, low_parts), added), high);
    const __m256i quotients = _mm256_sra_epi32(sums, right);
    if constexpr (!kToEven) return quotients;
    const __m256i exact = _mm256_cmpeq_epi32(_mm256_sll_epi32(sums, left), _mm256_setzero_si256());
    return _mm256_andnot_si256(_mm256_srli_epi32(exact, 31), quotients);
  }

  // Makes those of sixteen pairs; beyond 16 bits they are limited, which no result of 8 bits can
  // tell.
  __m256i quotients(__m256i a, __m256i b) const {
    return _mm256_packs_epi32(quotients(_mm256_unpacklo_epi16(a, b)),
                              quotients(_mm256_unpackhi_epi16(a, b)));
  }

  __m256i low_parts, high_parts, added;
  __m128i right, left;
};

template <typename T>
inline __m256i sixteen_numbers(const T* from) {
  const __m128i bytes =
      _mm_loadu_si128(static_cast<const __m128i*>(static_cast<const void*>(from)));
  return std::is_signed_v<T> ? _mm256_cvtepi8_epi16(bytes) : _mm256_cvtepu8_epi16(bytes);
}

template <typename T, bool kToEven>
void add_sixteens(const OnceSums& of, const OnceSumRow& row) {
  static_assert(kDspSumsAtOnce == 32);
  const OnceScaled<kToEven> scaled(of);
  const auto sixteen = [](int32_t number) {
    return _mm256_set1_epi16(static_cast<int16_t>(number));
  };
  const __m256i zero_point = sixteen(of.zero_point), low = sixteen(of.low), high = sixteen(of.high);
  const auto sixteen_results = [&](const T* a, const T* b) {
    const __m256i quotients = scaled.quotients(sixteen_numbers(a), sixteen_numbers(b));
    const __m256i numbers = _mm256_adds_epi16(quotients, zero_point);
    return _mm256_max_epi16(_mm256_min_epi16(numbers, high), low);
  };
  const auto sum = [&](const T* a, const T* b, T* y) {
    const __m256i first = sixteen_results(a, b), second = sixteen_results(a + 16, b + 16);
    // Packing takes from both by halves.
    const __m256i packed = std::is_signed_v<T> ? _mm256_packs_epi16(first, second)
                                               : _mm256_packus_epi16(first, second);
    _mm256_storeu_si256(static_cast<__m256i*>(static_cast<void*>(y)),
                        _mm256_permute4x64_epi64(packed, 0b11011000));
  };
  if (!add_neighbors<T>(row, sum)) add_once_sums<T, kToEven>(of, row);
}

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

void add_sums_once_avx2(const OnceSums& of, const OnceSumRow& row) {
  if (of.is_unsigned) {
    of.half_even ? add_sixteens<uint8_t, true>(of, row) : add_sixteens<uint8_t, false>(of, row);
  } else {
    of.half_even ? add_sixteens<int8_t, true>(of, row) : add_sixteens<int8_t, false>(of, row);
  }
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0
