// Chooses how results of bytes are written.
#include "kernels/dispatch/elements.h"

namespace arenite {
namespace {

constexpr uint32_t kStoreWords = 0, kStoreBytes = 1, kStoreWordsOfBytes = 2;

// Whether neighbours in the loops are neighbours in memory, throughout.
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
  if (element_bytes(y.dtype) != 1) return {kStoreWords, count};
  if (!is_one_run(loops, operand)) return {kStoreBytes, count};
  return {kStoreWordsOfBytes, (y_skip % 4 + count + 3) / 4};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
