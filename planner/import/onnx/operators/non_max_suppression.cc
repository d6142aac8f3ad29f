// Imports NonMaxSuppression: as many rows as there may be, and how many of them hold results.
#include <algorithm>
#include <limits>

#include "planner/graph/names.h"
#include "planner/import/onnx/operators/counted.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

float number_or(const OpContext& context, size_t input, const char* what, float otherwise) {
  if (!context.has_input(input)) return otherwise;
  return static_cast<float>(constant_number(context, input, what));
}

}  // namespace

void import_non_max_suppression(OpContext& context) {
  context.expect_operands(2, 5);
  const ValueId boxes = context.input(0);
  // Boxes without results have no score.
  const ValueId scores = filled(context, context.input(1), -kInfinity);
  const Dims box_dims = context.dims(boxes);
  const Dims score_dims = context.dims(scores);
  if (box_dims.size() != 3 || score_dims.size() != 3 || box_dims[2] != 4 ||
      box_dims[0] != score_dims[0] || box_dims[1] != score_dims[2]) {
    context.fail("expected boxes [batches, boxes, 4] and scores [batches, classes, boxes], found " +
                 dims_text(box_dims) + " and " + dims_text(score_dims));
  }
  const double asked =
      context.has_input(2) ? constant_number(context, 2, "max_output_boxes_per_class") : 0;
  const int64_t of_class =
      static_cast<int64_t>(std::clamp<double>(asked, 0, static_cast<double>(bound(box_dims[1]))));
  NonMaxSuppressionAttributes attributes{};
  attributes.overlap_most = number_or(context, 3, "iou_threshold", 0.0f);
  if (!(attributes.overlap_most >= 0.0f && attributes.overlap_most <= 1.0f)) {
    context.fail("input 'iou_threshold' is " + std::to_string(attributes.overlap_most) +
                 ", expected 0 to 1");
  }
  attributes.score_least = number_or(context, 4, "score_threshold", -kInfinity);
  attributes.class_boxes = static_cast<uint32_t>(of_class);
  attributes.centers = context.flag_attribute("center_point_box", false) ? 1 : 0;
  const int64_t rows = bound(score_dims[0] * score_dims[1]) * of_class;
  if (rows == 0) {
    context.set_constant(context.add_output(0, DType::kInt64, {0, 3}), {});
    return;
  }
  const ValueId count = context.add_between("count", DType::kInt64, {1});
  const ValueId places = context.add_output(0, DType::kInt64, {context.add_count(count, rows), 3});
  context.add_node(Op::kNonMaxSuppression, {boxes, scores}, {places, count}, attributes);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
