// The contract of soft_non_max_suppression: boxes and their scores in, the best boxes and what is
// left of their scores out.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

constexpr uint32_t kSides = 4;

Status check_soft_non_max_suppression(const Step& step) {
  const auto attributes = step.attributes<SoftNonMaxSuppressionAttributes>();
  const Tensor boxes = step.input(0);
  const Tensor scores = step.input(1);
  if (boxes.rank() != 2 || boxes.dims[1] != kSides) return input_error(step, Code::kBadShape, 0);
  const uint32_t count = boxes.dims[0];
  if (scores.rank() != 1 || scores.dims[0] != count) return input_error(step, Code::kBadShape, 1);
  // Loops count these elements, and each has bytes of its own: they bound the results.
  for (uint32_t i = 0; i < 2; ++i) ARENITE_TRY(check_dense_enough(step, i));
  if (!(attributes.weight < 0.0f)) return error(Code::kBadAttribute);
  if (step.output_count() != 3) return error(Code::kBadOperandCount);
  const uint32_t rows = attributes.results < count ? attributes.results : count;
  const uint32_t lengths[] = {rows, rows, 1};
  for (uint32_t i = 0; i < 3; ++i) {
    const OutTensor output = step.output(i);
    if (output.rank() != 1 || output.dims[0] != lengths[i]) {
      return output_error(step, Code::kBadShape, i);
    }
  }
  return ok_status();
}

}  // namespace

constexpr Contract kSoftNonMaxSuppressionContract = {
    .op = Op::kSoftNonMaxSuppression,
    .max_inputs = 2,
    .min_inputs = 2,
    .max_outputs = 3,
    .attribute_words = words_of<SoftNonMaxSuppressionAttributes>(),
    .work = Work::kReduced,
    .layout = {.kind = LayoutClass::kRowMajor},
    .types = kSoftNonMaxSuppressionTypes,
    .outputs = {OperandType::kT, OperandType::kInt64},
    .check = check_soft_non_max_suppression,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
