// Resizes images of 8-bit integers on CPUs that have no vectors.
#pragma once

#include "portable_fallback/fast/integer_resize.h"

namespace arenite {

void resize_line_scalar(const ResizeLine& line);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
