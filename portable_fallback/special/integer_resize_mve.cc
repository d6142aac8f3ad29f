// Resize of 8-bit integers on CPUs with Arm's MVE.
#include "portable_fallback/fast/integer_resize_mve_kernel.h"
#include "portable_fallback/shared/integer_resize.h"

namespace arenite {

constexpr Form kResizeForm9 = integer_resize_form<resize_line_mve>(9);
ARENITE_FORM_CODE(Resize, 9)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
