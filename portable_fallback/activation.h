// The activations fused into other kernels, and the kernels that are nothing but one.
#pragma once

#include <cstdint>

#include "core/access.h"
#include "core/attributes.h"
#include "core/status.h"

namespace arenite {

// y[i] = activation(x[i]) for i < count; x may be y.
void activate(const Activation& activation, const float* x, float* y, uint32_t count);
#ifdef ARENITE_TRACE_ACCESS
void activate(const Activation& activation, Src<float> x, Dst<float> y, uint32_t count);
#endif

inline Status check_activation(const Activation& activation) {
  return activation.kind <= ActivationKind::kSigmoid ? ok_status() : error(Code::kBadAttribute);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
