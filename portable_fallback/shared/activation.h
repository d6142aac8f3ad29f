// The activations fused into other operators.
#pragma once

#include <cstdint>

#include "core/access.h"
#include "ops/attributes.h"

namespace arenite {

// y[i] = activation(x[i]) for i < count; x may be y.
void activate(const Activation& activation, const float* x, float* y, uint32_t count);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
