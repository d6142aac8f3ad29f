// Resizes lines of floats with the vectors that every machine of an architecture has.
#pragma once

#include "portable_fallback/fast/float_resize.h"

namespace arenite {

void float_resize_base(const FloatResizeLine& line);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
