// Chooses how results of less than a word are written.
#include "kernels/dispatch/elements.h"
#include "kernels/shaders/shared/each_element.h"

namespace arenite {
namespace {

// Whether neighbors in the loops are neighbors in memory, throughout.
bool is_one_run(const Loops& loops, uint32_t operand) {
  uint64_t stride = 1;
  for (uint32_t d = 0; d < loops.rank; ++d) {
    if (loops.strides[operand][d] != stride) return false;
    stride *= loops.dims[d];
  }
  return loops.rank != 0;
}

}  // namespace

Stores stores_of(const Operand& y, const Loops& loops, uint32_t operand, uint32_t y_skip) {
  const uint64_t count = loops.count();
  const uint32_t type = element_type(y);
  const uint32_t bytes = element_bytes(y.dtype);
  if (bytes >= 4 || !is_one_run(loops, operand)) return {type, count};
  const uint32_t per_word = bytes == 1 ? 4 : 2;
  return {type | shaders::kRun, (y_skip % per_word + count + per_word - 1) / per_word};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
