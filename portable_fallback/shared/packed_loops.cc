// The loops over weights of four bits each.
#include "portable_fallback/shared/integer_block.h"
#include "portable_fallback/shared/integer_loops.h"

namespace arenite {

using integer_loops::kLoops;
using integer_loops::Packed;

template <>
IntegerLoops<uint32_t> packed_loops(const Step& step) {
  return step.input(0).dtype() == DType::kInt8 ? kLoops<uint32_t, int8_t, Packed>
                                               : kLoops<uint32_t, uint8_t, Packed>;
}

template <>
IntegerLoops<uint64_t> packed_loops(const Step&) {
  return kLoops<uint64_t, int16_t, Packed>;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
