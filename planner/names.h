// Words for messages: types, dims, operators and names as a person reads them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/status.h"
#include "core/types.h"

namespace arenite::planner {

// "float32"; "type 77" for a number that is no element type.
std::string dtype_name(DType type);

// "[1, 3, 224, 224]"; "[]" for a scalar.
std::string dims_text(std::span<const uint32_t> dims);
std::string dims_text(std::span<const int64_t> dims);

// The name of schema/ops.def: "max_pool".
std::string op_name(Op op);

// The text with quotes, control characters and bytes that are not ASCII or valid UTF-8 escaped, cut
// after 200 bytes: names come from files that may hold anything.
std::string printable(std::string_view text);

// printable() between quotes.
std::string in_quotes(std::string_view text);

// True when the text is valid UTF-8.
bool is_utf8(std::string_view text);

// What a check found wrong with operands, without its indices: "element types".
std::string operand_fault(Code code);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
