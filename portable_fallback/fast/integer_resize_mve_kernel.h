// Resizes images of 8-bit integers on CPUs with Arm's MVE.
#pragma once

#include "portable_fallback/fast/integer_resize.h"

namespace arenite {

void resize_line_mve(const ResizeLine& line);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
