// The contract of cum_sum: sums of all elements up to each, along an axis.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

Status check_cum_sum(const Step& step) {
  const auto attributes = step.attributes<CumSumAttributes>();
  if (attributes.axis >= step.input(0).rank() || attributes.exclusive > 1 ||
      attributes.reverse > 1) {
    return error(Code::kBadAttribute);
  }
  return check_same_dims(step, 0);
}

}  // namespace

constexpr Contract kCumSumContract = {
    .op = Op::kCumSum,
    .attribute_words = words_of<CumSumAttributes>(),
    .types = kCumSumTypes,
    .check = check_cum_sum,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
