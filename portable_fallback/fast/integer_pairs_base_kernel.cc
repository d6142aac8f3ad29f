// Makes results by NEON's vectors; with SSE2, whose vectors multiply no 32 bits, one by one.
#include "portable_fallback/fast/integer_pairs_base_kernel.h"

#include "portable_fallback/fast/integer_finish_neon.h"
#include "portable_fallback/fast/integer_pairs_loops.h"

namespace arenite {

void multiply_pairs_base(const NeighborPairs& by, const IntegerPairRow& row) {
#if defined(__aarch64__)
  const bool done = with_way(by.results, [&]<Way kWay>() {
    const SixteenOutputs<kWay> outputs(by.results, 0, 16);
    multiply_neighbors(by, row, [&](const int32_t* products, int8_t* to) {
      for (uint32_t i = 0; i < kPairsAtOnce; i += 16) {
        vst1q_s8(to + i, outputs.of(load_sums(products + i, 16)));
      }
    });
  });
  if (done) return;
#endif
  multiply_neighbors_each(by, row);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
