// The loops over weights of a byte or two each.
#include "portable_fallback/shared/integer_block.h"
#include "portable_fallback/shared/integer_loops.h"

namespace arenite {

using integer_loops::kLoops;
using integer_loops::Stored;

template <>
IntegerLoops<uint32_t> stored_loops(const Step& step) {
  const bool is_signed = step.input(1).dtype() == DType::kInt8;
  if (step.input(0).dtype() == DType::kInt8) {
    return is_signed ? kLoops<uint32_t, int8_t, Stored<int8_t>>
                     : kLoops<uint32_t, int8_t, Stored<uint8_t>>;
  }
  return is_signed ? kLoops<uint32_t, uint8_t, Stored<int8_t>>
                   : kLoops<uint32_t, uint8_t, Stored<uint8_t>>;
}

template <>
IntegerLoops<uint64_t> stored_loops(const Step& step) {
  const DType w = step.input(1).dtype();
  if (w == DType::kInt16) return kLoops<uint64_t, int16_t, Stored<int16_t>>;
  return w == DType::kInt8 ? kLoops<uint64_t, int16_t, Stored<int8_t>>
                           : kLoops<uint64_t, int16_t, Stored<uint8_t>>;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
