// The activation that operators of com.microsoft end in, by its ONNX name.
#pragma once

#include "planner/import/model/op_context.h"

namespace arenite::planner {

// The attributes that hold an activation's parameters: two numbers, or one list.
struct ActivationNames {
  const char* parameters[2] = {nullptr, nullptr};
  const char* list = nullptr;
};

// Adds output 0: what attribute `activation` says, of x; a copy where it is not there.
void add_activation(OpContext& context, ValueId x, const ActivationNames& names);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
