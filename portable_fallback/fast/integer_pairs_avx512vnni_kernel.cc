// Makes results sixty-four at a time.
#include "portable_fallback/fast/integer_pairs_avx512vnni_kernel.h"

#include "portable_fallback/fast/integer_finish_avx512.h"
#include "portable_fallback/fast/integer_pairs_loops.h"

#if defined(__AVX512VNNI__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && \
    defined(__AVX512VL__)

namespace arenite {

void multiply_pairs_avx512vnni(const NeighborPairs& by, const IntegerPairRow& row) {
  const bool done = with_way(by.results, [&]<Way kWay>() {
    const SixteenOutputs<kWay> outputs[1] = {{by.results, 0, 16}};
    const FourResults four(by.results);
    multiply_neighbors(by, row, [&](const int32_t* products, int8_t* to) {
      Sixteen sums[4];
      for (uint32_t i = 0; i < 4; ++i) {
        sums[i] = sixteen_of(_mm512_loadu_si512(products + i * 16));
      }
      store_halves(to, four.of(outputs, sums));
    });
  });
  if (!done) multiply_neighbors_each(by, row);
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0
