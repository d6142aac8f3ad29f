// Walks max pools of 16-bit integers.
#include "portable_fallback/shared/int16_max_pool.h"

namespace arenite {

void max_pool_int16_rows(const MaxPoolRows& pool, uint32_t first, uint32_t last,
                         Int16MaxPoolKernel kernel) {
  run_max_pool_rows<int16_t>(pool, first, last, Int16MaxPoolRun(), kernel);
}

bool takes_int16_max_pool(const Step& step) {
  const Tensor x = step.input(0);
  return x.dtype() == DType::kInt16 && x.strides[1] == 1 && step.output(0).strides[1] == 1 &&
         step.output_count() == 1;
}

uint64_t int16_max_pool_distance(const Step& step, uint32_t) {
  return max_pool_rows_distance<sizeof(int16_t), kInt16PoolChannels>(step);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
