// Imports RoiAlign of opsets 10 and 16.
#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

RoiAlignAttributes read_attributes(OpContext& context) {
  RoiAlignAttributes attributes{};
  const std::string mode = context.string_attribute("mode", "avg");
  if (mode != "avg" && mode != "max") {
    context.fail_attribute("mode", "is " + quote(mode) + ", expected avg or max");
  }
  attributes.take_max = mode == "max" ? 1 : 0;
  if (context.opset() >= 16) {
    const char* name = "coordinate_transformation_mode";
    const std::string coordinates = context.string_attribute(name, "half_pixel");
    if (coordinates != "half_pixel" && coordinates != "output_half_pixel") {
      context.fail_attribute(
          name, "is " + quote(coordinates) + ", expected half_pixel or output_half_pixel");
    }
    attributes.half_pixel = coordinates == "half_pixel" ? 1 : 0;
  }
  attributes.sampling =
      attribute_word(context, "sampling_ratio", context.int_attribute("sampling_ratio", 0), 0);
  if (attributes.sampling > kMaxRoiSamples) {
    context.unsupported_attribute("sampling_ratio",
                                  "of " + std::to_string(attributes.sampling) +
                                      " is not supported, only up to " +
                                      std::to_string(kMaxRoiSamples),
                                  "fewer samples");
  }
  attributes.scale = context.float_attribute("spatial_scale", 1.0f);
  return attributes;
}

}  // namespace

void import_roi_align(OpContext& context) {
  context.expect_operands(3, 3);
  const ValueId x = context.input(0);
  const ValueId rois = context.input(1);
  const ValueId batch = context.input(2);
  const Dims x_dims = context.dims(x);
  const Dims rois_dims = context.dims(rois);
  if (x_dims.size() != 4 || rois_dims.size() != 2 || rois_dims[1] != 4 ||
      context.dims(batch) != Dims{rois_dims[0]}) {
    context.fail("expected an input [N, C, H, W], regions [R, 4] and batch indices [R], found " +
                 dims_text(x_dims) + ", " + dims_text(rois_dims) + " and " +
                 dims_text(context.dims(batch)));
  }
  if (context.dtype(batch) != DType::kInt64) {
    context.fail("input 'batch_indices' is " + dtype_name(context.dtype(batch)) +
                 ", expected int64");
  }
  const int64_t height = context.int_attribute("output_height", 1);
  const int64_t width = context.int_attribute("output_width", 1);
  attribute_word(context, "output_height", height, 1);
  attribute_word(context, "output_width", width, 1);
  const ValueId y =
      context.add_output(0, context.dtype(x), {rois_dims[0], x_dims[1], height, width});
  context.add_node(Op::kRoiAlign, {x, rois, batch}, {y}, read_attributes(context));
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
