// Reads the table of a lookup from its step.
#include "portable_fallback/shared/integer_lookup.h"

namespace arenite {

bool takes_integer_lookup(const Step& step) {
  const Tensor table = step.input(1);
  return element_bytes(step.dtype(0)) == 1 && element_bytes(table.dtype()) == 1 &&
         table.strides[0] == 1;
}

uint64_t integer_lookup_distance(const Step& step, uint32_t input) {
  return input == 0 ? map_distance(step, input) : kNoOverlap;
}

ByteTable byte_table(const Step& step) {
  return {step.input(1).read<std::byte>(), step.dtype(0) == DType::kUint8};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
