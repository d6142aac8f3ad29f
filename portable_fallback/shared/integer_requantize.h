// Serves the forms of requantization from or to 8 bits: which steps they take, and a step as their
// kernels see it.
#pragma once

#include "core/step.h"
#include "portable_fallback/fast/integer_requantize.h"

namespace arenite {

bool takes_integer_requantize(const Step& step);
// From 16 bits, and to them.
bool narrows_int16(const Step& step);
bool widens_bytes(const Step& step);

IntegerRequantize integer_requantize(const Step& step);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
