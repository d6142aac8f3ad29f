// Resize of 16-bit integers on CPUs that have no vectors.
#include "portable_fallback/fast/int16_resize_scalar_kernel.h"
#include "portable_fallback/shared/integer_resize.h"

namespace arenite {

constexpr Form kResizeForm30 = int16_resize_form<resize_int16_line_scalar>(30);
ARENITE_FORM_CODE(Resize, 30)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
