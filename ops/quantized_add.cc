// The contract of quantized_add: sums and differences of integers of different scales.
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/quantized.h"

namespace arenite {
namespace {

Status check_quantized_add(const Step& step) {
  ARENITE_TRY(check_same_dims(step, 0));
  ARENITE_TRY(check_same_dims(step, 1));
  return check_quantized_sum(step.attributes<QuantizedAddAttributes>(), step.output(0).dtype());
}

}  // namespace

constexpr Contract kQuantizedAddContract = {
    .op = Op::kQuantizedAdd,
    .max_inputs = 2,
    .min_inputs = 2,
    .attribute_words = words_of<QuantizedAddAttributes>(),
    .layout = {.kind = LayoutClass::kElementwise, .operands = 2},
    .types = kQuantizedAddTypes,
    .check = check_quantized_add,
};

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0
