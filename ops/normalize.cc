// The contract of normalize: layer, instance, group, root mean square and Lp normalization.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

constexpr uint8_t kInputs = 3;  // x, scale, bias

Status check_normalize(const Step& step) {
  for (uint32_t i = 0; i < step.input_count(); ++i) {
    if (step.has_input(i)) ARENITE_TRY(check_same_dims(step, i));
  }
  const auto attributes = step.attributes<NormalizeAttributes>();
  const bool good =
      attributes.axes >> step.output(0).rank() == 0 && attributes.norm <= Norm::kMagnitudes;
  return good ? ok_status() : error(Code::kBadAttribute);
}

}  // namespace

constexpr Contract kNormalizeContract = {
    .op = Op::kNormalize,
    .max_inputs = kInputs,
    .attribute_words = words_of<NormalizeAttributes>(),
    .layout = {.kind = LayoutClass::kFollows, .operands = kInputs},
    .types = kNormalizeTypes,
    .check = check_normalize,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
