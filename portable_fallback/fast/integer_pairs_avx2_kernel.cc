// Makes results eight at a time.
#include "portable_fallback/fast/integer_pairs_avx2_kernel.h"

#include "portable_fallback/fast/integer_finish_avx2.h"
#include "portable_fallback/fast/integer_pairs_loops.h"

#if defined(__AVX2__)

namespace arenite {

void multiply_pairs_avx2(const NeighborPairs& by, const IntegerPairRow& row) {
  const bool done = with_way(by.results, [&]<Way kWay>() {
    const EightOutputs<kWay> outputs(by.results, 0, 8);
    multiply_neighbors(by, row, [&](const int32_t* products, int8_t* to) {
      for (uint32_t i = 0; i < kPairsAtOnce; i += 8) {
        store_low_bytes(to + i, outputs.of(load_words(products + i)));
      }
    });
  });
  if (!done) multiply_neighbors_each(by, row);
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0
