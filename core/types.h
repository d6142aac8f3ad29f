// The small vocabulary of programs: element types, ranks, operators.
#pragma once

#include <cstdint>

#include "include/arenite/types.h"

namespace arenite {

inline constexpr uint32_t kMaxRank = 8;

// "float32"; "unknown" for a number that is no element type.
const char* text_of(DType type);

// The operator that a step runs; the numbers are those of schema/ops.def.
enum class Op : uint16_t {
#define ARENITE_OP(number, name, Type, family, types) k##Type = number,
#include "schema/ops.def"
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
