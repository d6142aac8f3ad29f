// Sum and difference with Arm's DSP extension of numbers of 8 bits that are rounded once, halves to
// even, as ONNX has them.
#include "portable_fallback/fast/integer_sums_even_dsp_kernel.h"
#include "portable_fallback/shared/integer_sums_once.h"

namespace arenite {

constexpr Form kQuantizedAddForm13 = OnceSumForm<add_sums_even_dsp, Rounding::kHalfEven>::form(13);
ARENITE_FORM_CODE(QuantizedAdd, 13)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
