// Shape rules that several operators share: broadcasting, element counts.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/import/model/op_context.h"

namespace arenite::planner {

// numpy's broadcasting of two shapes; refused where they don't fit.
Dims broadcast_dims(const OpContext& context, const Dims& a, const Dims& b);

// Adds a view of `x` with other dims (of as many elements), or gives x back where they are its own.
ValueId reshaped(OpContext& context, ValueId x, const Dims& dims, const char* suffix);

// Adds output 0 as a view of `x` with other dims; refused where the elements differ in number.
void reshape_to_output(OpContext& context, ValueId x, const Dims& dims);

// Adds output `i` as a copy of `x`: what an operator becomes that changes nothing.
void copy_to_output(OpContext& context, size_t i, ValueId x);

// The one element of a constant operand of any number type; `what` names it. Refused where it is
// not constant.
double constant_number(const OpContext& context, size_t input, const char* what);

// `number` as a stored attribute word; refused below `least` or above 2^31 - 1.
uint32_t attribute_word(const OpContext& context, const char* name, int64_t number, int64_t least);

// An attribute with `count` numbers that attribute_word() takes, all `otherwise` where it is left
// out.
std::vector<int64_t> attribute_numbers(OpContext& context, const char* name, size_t count,
                                       int64_t otherwise, int64_t least);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
