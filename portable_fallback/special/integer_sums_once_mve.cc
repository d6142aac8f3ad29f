// Sum and difference with Arm's MVE of numbers of 8 bits that are rounded once, as models
// of uint8 have them.
#include "portable_fallback/fast/integer_sums_once_mve_kernel.h"
#include "portable_fallback/shared/integer_sums_once.h"

namespace arenite {

constexpr Form kQuantizedAddForm10 = OnceSumForm<add_sums_once_mve, Rounding::kFloat32>::form(10);
ARENITE_FORM_CODE(QuantizedAdd, 10)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
