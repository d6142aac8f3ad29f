// The contract of non_max_suppression: boxes and their scores in, places of the best boxes out.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

constexpr uint32_t kSides = 4;
constexpr uint32_t kNumbers = 3;

Status check_non_max_suppression(const Step& step) {
  const auto attributes = step.attributes<NonMaxSuppressionAttributes>();
  const Tensor boxes = step.input(0);
  const Tensor scores = step.input(1);
  if (boxes.rank() != 3 || boxes.dims[2] != kSides) return input_error(step, Code::kBadShape, 0);
  const uint32_t count = boxes.dims[1];
  if (scores.rank() != 3 || scores.dims[0] != boxes.dims[0] || scores.dims[2] != count) {
    return input_error(step, Code::kBadShape, 1);
  }
  // Loops count these elements, and each has bytes of its own: they bound the results.
  for (uint32_t i = 0; i < 2; ++i) ARENITE_TRY(check_dense_enough(step, i));
  if (attributes.centers > 1) return error(Code::kBadAttribute);
  if (step.output_count() != 2) return error(Code::kBadOperandCount);
  const OutTensor places = step.output(0);
  const uint32_t of_class = attributes.class_boxes < count ? attributes.class_boxes : count;
  const uint64_t rows = uint64_t{scores.dims[0]} * scores.dims[1] * of_class;
  if (places.rank() != 2 || places.dims[0] != rows || places.dims[1] != kNumbers) {
    return output_error(step, Code::kBadShape);
  }
  const OutTensor found = step.output(1);
  if (found.rank() != 1 || found.dims[0] != 1) return output_error(step, Code::kBadShape, 1);
  return ok_status();
}

}  // namespace

constexpr Contract kNonMaxSuppressionContract = {
    .op = Op::kNonMaxSuppression,
    .max_inputs = 2,
    .min_inputs = 2,
    .max_outputs = 2,
    .attribute_words = words_of<NonMaxSuppressionAttributes>(),
    .work = Work::kReduced,
    .layout = {.kind = LayoutClass::kRowMajor},
    .types = kNonMaxSuppressionTypes,
    .outputs = {OperandType::kInt64, OperandType::kInt64},
    .check = check_non_max_suppression,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
