// The contract of quantized_sum: sums and means of integers along axes.
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/requantization.h"

namespace arenite {
namespace {

Status check_quantized_sum(const Step& step) {
  const auto attributes = step.attributes<QuantizedSumAttributes>();
  ARENITE_TRY(check_reduced(step, attributes.axes));
  if (!is_one_of(attributes.x_zero_point, step.dtype(0)) ||
      !is_multiplier(attributes.multiplier, attributes.shift)) {
    return error(Code::kBadAttribute);
  }
  return check_requantization(attributes.output, step.output(0).dtype());
}

}  // namespace

constexpr Contract kQuantizedSumContract = {
    .op = Op::kQuantizedSum,
    .attribute_words = words_of<QuantizedSumAttributes>(),
    .work = Work::kReduced,
    .types = kQuantizedSumTypes,
    .check = check_quantized_sum,
};

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0
