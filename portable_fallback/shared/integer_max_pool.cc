// Walks max pools of 8-bit integers.
#include "portable_fallback/shared/integer_max_pool.h"

namespace arenite {

void max_pool_rows(const MaxPoolRows& pool, uint32_t first, uint32_t last, MaxPoolKernel kernel) {
  MaxPoolRun run;
  run.taps.is_unsigned = pool.x.dtype() == DType::kUint8;
  run_max_pool_rows<std::byte>(pool, first, last, run, kernel);
}

bool takes_integer_max_pool(const Step& step) {
  const Tensor x = step.input(0);
  return element_bytes(x.dtype()) == 1 && x.strides[1] == 1 && step.output(0).strides[1] == 1 &&
         step.output_count() == 1;
}

uint64_t integer_max_pool_distance(const Step& step, uint32_t) {
  return max_pool_rows_distance<1, kPoolChannels>(step);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
