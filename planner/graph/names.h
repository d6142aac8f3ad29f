// Words for messages: types, dims, operators and names as a person reads them.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/status.h"
#include "core/types.h"
#include "planner/graph/dims.h"
#include "support/printable.h"

namespace arenite::planner {

// "float32"; "type 77" for a number that is no element type.
std::string dtype_name(DType type);

// "[1, 3, 224, 224]"; "[]" for a scalar.
std::string dims_text(std::span<const uint32_t> dims);
std::string dims_text(std::span<const int64_t> dims);
// A template, so that lists of numbers are not taken for dims.
template <std::same_as<Dims> T>
std::string dims_text(const T& dims);

// The name of schema/ops.def: "max_pool".
std::string op_name(Op op);

// The fault that a check found in operands, without its indices: "element types".
std::string operand_fault(Code code);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
