// Resize of 8-bit integers on CPUs that have no vectors.
#include "portable_fallback/fast/integer_resize_scalar_kernel.h"
#include "portable_fallback/shared/integer_resize.h"

namespace arenite {

constexpr Form kResizeForm20 = integer_resize_form<resize_line_scalar>(20);
ARENITE_FORM_CODE(Resize, 20)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
