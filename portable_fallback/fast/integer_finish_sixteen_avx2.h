// Makes results of 8 bits of sums with AVX2, sixteen outputs of four places at a time, which are
// narrowed together.
#pragma once

#include "portable_fallback/fast/integer_finish_avx2.h"

#if defined(__AVX2__)

namespace arenite {
namespace {

// Sums of 32 bits have the type that GCC has for what it adds to, as it copies others each time.
using EightSums [[gnu::vector_size(32)]] = int32_t;
inline __m256i words_of(EightSums sums) { return reinterpret_cast<__m256i>(sums); }
inline EightSums sums_of(__m256i words) { return reinterpret_cast<EightSums>(words); }
struct Sixteen {
  EightSums first, last;
};

// Holds all that sixteen outputs need to make results of their sums, in every place.
template <Way kWay>
struct SixteenOutputs {
  // They are `output` and the next, of which `count` are there.
  SixteenOutputs(const IntegerResults& results, uint32_t output, uint32_t count)
      : first(results, output, count), last(results, output + 8, count < 8 ? 0 : count - 8) {}

  EightOutputs<kWay> first, last;
};

// Makes results of four times sixteen sums. Numbers of 16 and 8 bits are saturated, as those that
// they stand for are beyond all results.
class FourResults {
 public:
  explicit FourResults(const IntegerResults& results) {
    // Results of uint8 are 128 less until they are stored, which makes them int8.
    const int32_t above = results.high > 127 ? 128 : 0;
    zero_point_ = _mm256_set1_epi16(static_cast<int16_t>(results.zero_point - above));
    low_ = _mm256_set1_epi8(static_cast<int8_t>(results.low - above));
    high_ = _mm256_set1_epi8(static_cast<int8_t>(results.high - above));
    flip_ = _mm256_set1_epi8(static_cast<int8_t>(above));
  }

  // Returns the results of sums[0], then those of the next.
  template <Way kWay>
  [[gnu::always_inline]] FourBytes of(const SixteenOutputs<kWay> (&outputs)[1],
                                      const Sixteen* sums) const {
    const SixteenOutputs<kWay>& all = outputs[0];
    __m256i numbers[8];
    const auto* words = static_cast<const __m256i*>(static_cast<const void*>(sums));
    EightOutputs<kWay>::round(all.first, all.last, words, numbers);
    return {narrowed(numbers[0], numbers[1], numbers[2], numbers[3]),
            narrowed(numbers[4], numbers[5], numbers[6], numbers[7])};
  }

 private:
  // Returns the results of four times eight numbers. Packing takes four of each, then the next
  // four.
  __m256i narrowed(__m256i a, __m256i b, __m256i c, __m256i d) const {
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    const __m256i first = _mm256_adds_epi16(_mm256_packs_epi32(a, b), zero_point_);
    const __m256i last = _mm256_adds_epi16(_mm256_packs_epi32(c, d), zero_point_);
    const __m256i bytes = _mm256_packs_epi16(first, last);
    const __m256i results = _mm256_max_epi8(_mm256_min_epi8(bytes, high_), low_);
    return _mm256_permutevar8x32_epi32(_mm256_xor_si256(results, flip_), order);
  }

  __m256i zero_point_, low_, high_, flip_;
};

}  // namespace
}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0
