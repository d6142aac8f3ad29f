// The contract of detection_post_process: boxes, scores and anchors in, the best boxes out.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

constexpr uint32_t kCorners = 4;

bool has_dims(const Tensor& tensor, uint32_t a, uint32_t b) {
  return tensor.rank() == 2 && tensor.dims[0] == a && tensor.dims[1] == b;
}

Status check_detection_post_process(const Step& step) {
  const auto attributes = step.attributes<DetectionPostProcessAttributes>();
  const Tensor boxes = step.input(0);
  const Tensor scores = step.input(1);
  // Loops count these elements, and each has bytes of its own: they bound the results.
  if (boxes.rank() != 2 || boxes.dims[1] < kCorners || boxes.dims[0] == 0) {
    return input_error(step, Code::kBadShape, 0);
  }
  const uint32_t count = boxes.dims[0];
  const bool whole =
      attributes.classes != 0 && scores.rank() == 2 && scores.dims[0] == count &&
      (scores.dims[1] == attributes.classes || scores.dims[1] - 1 == attributes.classes);
  if (!whole) return input_error(step, Code::kBadShape, 1);
  if (!has_dims(step.input(2), count, kCorners)) return input_error(step, Code::kBadShape, 2);
  for (uint32_t i = 0; i < 3; ++i) ARENITE_TRY(check_dense_enough(step, i));
  if (attributes.per_class_boxes > 1 || attributes.box_classes == 0) {
    return error(Code::kBadAttribute);
  }
  if (step.output_count() != 4) return error(Code::kBadOperandCount);
  const OutTensor corners = step.output(0);
  const uint64_t rows = uint64_t{attributes.boxes} * attributes.box_classes;
  if (corners.rank() != 2 || corners.dims[0] != rows || corners.dims[1] != kCorners) {
    return output_error(step, Code::kBadShape);
  }
  for (uint32_t i = 1; i < 3; ++i) {
    const OutTensor of_row = step.output(i);
    if (of_row.rank() != 1 || of_row.dims[0] != rows) return output_error(step, Code::kBadShape, i);
  }
  const OutTensor found = step.output(3);
  if (found.rank() != 1 || found.dims[0] != 1) return output_error(step, Code::kBadShape, 3);
  return ok_status();
}

}  // namespace

constexpr Contract kDetectionPostProcessContract = {
    .op = Op::kDetectionPostProcess,
    .max_inputs = 3,
    .min_inputs = 3,
    .max_outputs = 4,
    .attribute_words = words_of<DetectionPostProcessAttributes>(),
    .layout = {.kind = LayoutClass::kRowMajor},
    .types = kDetectionPostProcessTypes,
    .check = check_detection_post_process,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
