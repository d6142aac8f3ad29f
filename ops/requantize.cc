// The contract of requantize: integers of one scale and zero point to those of another.
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/requantization.h"

namespace arenite {
namespace {

Status check_requantize(const Step& step) {
  const DType type = step.output(0).dtype();
  if (!has(kRequantizeTypes, type)) return output_error(step, Code::kBadType);
  ARENITE_TRY(check_map(step));
  const auto attributes = step.attributes<RequantizeAttributes>();
  if (!is_one_of(attributes.x_zero_point, step.dtype(0)) ||
      !is_multiplier(attributes.multiplier, attributes.shift)) {
    return error(Code::kBadAttribute);
  }
  return check_requantization(attributes.output, type);
}

}  // namespace

constexpr Contract kRequantizeContract = {
    .op = Op::kRequantize,
    .attribute_words = words_of<RequantizeAttributes>(),
    .layout = {.kind = LayoutClass::kElementwise},
    .types = kRequantizeTypes,
    .outputs = {OperandType::kAny, OperandType::kAny},
    .check = check_requantize,
};

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0
