// The twins of shaders, for steps whose floats are kept in 16 bits
// (kernels/glsl/include/floats.glsl).
#pragma once

#include "kernels/dispatch/rules.h"

namespace arenite {

// The types that T may have for a row of an operator: those of both, and float16 where the row's
// shader has a twin that does what it does for float32.
TypeSet types_taken(const DispatchRow& row, const Contract& contract);

// The shader that runs in place of `shader` where T is `type`: itself, or its twin.
Shader shader_for(Shader shader, DType type);

// The shader of a row that runs for a step.
Shader shader_of(const DispatchRow& row, const Step& step);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
