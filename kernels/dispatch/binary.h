// Steps that combine two operands element by element: add, mul, div.
#pragma once

#include "kernels/dispatch/builder.h"

namespace arenite {

// Numbers of binary.comp.
enum class BinaryOperation : uint32_t { kAdd = 0, kMul = 1, kDiv = 2 };

bool supports_binary(const Step& step);
Status emit_binary(const Step& step, BinaryOperation operation, const DispatchSink& sink);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
