// Elementwise float operators of one input: each is an activation.
#pragma once

#include "core/attributes.h"
#include "core/kernel.h"
#include "portable_fallback/loop.h"

namespace arenite {

// y and x of the same dims and type; any number of extra inputs up to `max_inputs`.
Status check_unary(const Step& step, uint32_t max_inputs);

// The common loop of output 0 (operand 0) and input 0 (operand 1); of rank 0 when there is nothing
// to do.
NestedLoop unary_loop(const Step& step);

// The lead of input 0 in that loop; other inputs are read before anything is written.
uint64_t unary_lead(const Step& step, uint32_t input);

// y = activation(x) for float32.
Status run_unary(const Step& step, const Platform& platform, const Activation& activation);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
