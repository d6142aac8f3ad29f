// The contract of batch_normalization: one factor, term, mean and variance a channel.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

constexpr uint8_t kInputs = 5;

Status check_batch_normalization(const Step& step) {
  ARENITE_TRY(check_map(step));
  const OutTensor y = step.output(0);
  if (y.rank() < 2) return output_error(step, Code::kBadShape);
  const uint32_t channels = y.dims[1];
  for (uint32_t i = 1; i < kInputs; ++i) ARENITE_TRY(check_vector(step, i, channels));
  if (step.output_count() > 1 && step.attributes<BatchNormalizationAttributes>().training == 0) {
    return error(Code::kBadOperandCount);
  }
  for (uint32_t i = 1; i < step.output_count(); ++i) {
    const OutTensor running = step.output(i);
    if (running.rank() != 1 || running.dims[0] != channels) {
      return output_error(step, Code::kBadShape, i);
    }
  }
  return ok_status();
}

}  // namespace

constexpr Contract kBatchNormalizationContract = {
    .op = Op::kBatchNormalization,
    .max_inputs = kInputs,
    .min_inputs = kInputs,
    .max_outputs = 3,
    .attribute_words = words_of<BatchNormalizationAttributes>(),
    .layout = {.kind = LayoutClass::kSpatial},
    .types = kBatchNormalizationTypes,
    .check = check_batch_normalization,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
