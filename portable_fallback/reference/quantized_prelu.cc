// y = x, below zero times the slope, each of its own scale and zero point.
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_pair.h"
#include "portable_fallback/shared/requantization.h"

namespace arenite {
namespace {

using Attributes = QuantizedPReluAttributes;

struct QuantizedSlope {
  static int32_t apply(const Attributes& by, int32_t x, int32_t slope) {
    const int32_t number = x - by.zero_points[0];
    if (number >= 0) return finished(number, by.multipliers[0], by.shifts[0], by.output);
    return finished(number * (slope - by.zero_points[1]), by.multipliers[1], by.shifts[1],
                    by.output);
  }
};

}  // namespace

constexpr Form kQuantizedPReluForm1 =
    integer_pair_form<QuantizedSlope, Attributes, form_types(Op::kQuantizedPRelu, 1)>(
        Op::kQuantizedPRelu, 1);
ARENITE_FORM_CODE(QuantizedPRelu, 1)
constexpr Form kQuantizedPReluForm2 =
    integer_pair_form<QuantizedSlope, Attributes, form_types(Op::kQuantizedPRelu, 2)>(
        Op::kQuantizedPRelu, 2);
ARENITE_FORM_CODE(QuantizedPRelu, 2)

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0
