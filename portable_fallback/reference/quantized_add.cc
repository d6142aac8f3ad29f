// y = a + b or a - b, each of its own scale and zero point.
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_pair.h"
#include "portable_fallback/shared/quantized_sum.h"

namespace arenite {
constexpr Form kQuantizedAddForm1 =
    integer_pair_form<QuantizedSum, QuantizedAddAttributes, form_types(Op::kQuantizedAdd, 1)>(
        Op::kQuantizedAdd, 1);
ARENITE_FORM_CODE(QuantizedAdd, 1)
constexpr Form kQuantizedAddForm2 =
    integer_pair_form<QuantizedSum, QuantizedAddAttributes, form_types(Op::kQuantizedAdd, 2)>(
        Op::kQuantizedAdd, 2);
ARENITE_FORM_CODE(QuantizedAdd, 2)

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0
