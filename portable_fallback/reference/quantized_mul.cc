// y = a * b, each of its own scale and zero point.
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_pair.h"
#include "portable_fallback/shared/requantization.h"

namespace arenite {
namespace {

using Attributes = QuantizedMulAttributes;

struct QuantizedProduct {
  static int32_t apply(const Attributes& by, int32_t a, int32_t b) {
    return finished((a - by.zero_points[0]) * (b - by.zero_points[1]), by.multiplier, by.shift,
                    by.output);
  }
};

}  // namespace

constexpr Form kQuantizedMulForm1 =
    integer_pair_form<QuantizedProduct, Attributes, form_types(Op::kQuantizedMul, 1)>(
        Op::kQuantizedMul, 1);
ARENITE_FORM_CODE(QuantizedMul, 1)
constexpr Form kQuantizedMulForm2 =
    integer_pair_form<QuantizedProduct, Attributes, form_types(Op::kQuantizedMul, 2)>(
        Op::kQuantizedMul, 2);
ARENITE_FORM_CODE(QuantizedMul, 2)

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0
