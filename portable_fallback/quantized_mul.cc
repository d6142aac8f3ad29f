// y = a * b, each of its own scale and zero point.
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/integer_pair.h"
#include "portable_fallback/requantise.h"

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
    integer_pair_form<QuantizedProduct, Attributes, kQuantizedMulTypes & kIntegerForm>(
        Op::kQuantizedMul, 1);
constexpr Form kQuantizedMulForm2 =
    integer_pair_form<QuantizedProduct, Attributes, kQuantizedMulTypes & kOtherForm>(
        Op::kQuantizedMul, 2);
constexpr const Form* const kQuantizedMulForms[] = {&kQuantizedMulForm1, &kQuantizedMulForm2,
                                                    nullptr};

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0
