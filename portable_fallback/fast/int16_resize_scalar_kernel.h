// Resizes images of 16-bit integers on CPUs that have no vectors.
#pragma once

#include "portable_fallback/fast/integer_resize.h"

namespace arenite {

void resize_int16_line_scalar(const ResizeLine& line);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
