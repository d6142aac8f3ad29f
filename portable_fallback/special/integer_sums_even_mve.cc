// Sum and difference with Arm's MVE of numbers of 8 bits that are rounded once, halves to
// even, as ONNX has them.
#include "portable_fallback/fast/integer_sums_even_mve_kernel.h"
#include "portable_fallback/shared/integer_sums_once.h"

namespace arenite {

constexpr Form kQuantizedAddForm12 = OnceSumForm<add_sums_even_mve, Rounding::kHalfEven>::form(12);
ARENITE_FORM_CODE(QuantizedAdd, 12)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
