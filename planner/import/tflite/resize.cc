// Imports TensorFlow Lite's resizes: channels-last images, along height and width. Interpolation of
// integers is integer arithmetic, by weights in parts of 1 that its kernels define.
#include <algorithm>
#include <cmath>

#include "core/contract.h"
#include "planner/fixed_point/tflite_resize.h"
#include "planner/graph/names.h"
#include "planner/import/tflite/operators.h"

namespace arenite::planner::tflite {
namespace {

namespace schema = tflite_schema;

template <typename T>
const char* coordinates(const T& options) {
  if (options.align_corners()) return "align_corners";
  return options.half_pixel_centers() ? "half_pixel" : "asymmetric";
}

// Height and width of the result.
std::vector<int64_t> size_of(Context& context, ValueId x) {
  context.expect_rank(x, 4);
  std::vector<int64_t> size = context.integers(1, "size");
  if (size.size() != 2) {
    context.fail("size holds " + std::to_string(size.size()) + " numbers, expected 2");
  }
  return size;
}

void resize(Context& context, ValueId x, Attributes attributes) {
  const std::vector<int64_t> size = size_of(context, x);
  const Dims dims = context.dims(x);
  const ValueId sizes = context.list({dims[0], dims[3], size[0], size[1]});
  const ValueId y =
      context.add("Resize", {context.transposed(x, kChannelsFirst), kNoValue, kNoValue, sizes},
                  std::move(attributes));
  context.result(0, context.transposed(y, kChannelsLast));
}

// Kernels take scales and zero points of both sides to be the same.
bool interpolates_integers(const Context& context) {
  const Tensor& x = context.tensor(0);
  return x.quantization && x.dtype == context.output_tensor(0).dtype &&
         has(types::kQuantizedFactor, x.dtype);
}

void resize_integers(Context& context, ResizeGrid grid) {
  constexpr int64_t kMost = 1 << 20;
  const ValueId x = context.stored(0);
  const std::vector<int64_t> size = size_of(context, x);
  Dims dims = context.dims(x);
  if (size[0] == dims[1] && size[1] == dims[2]) return context.result(0, x);
  ResizeAttributes attributes = {};
  std::vector<int32_t> firsts;
  std::vector<int16_t> weights;
  for (uint32_t k = 0; k < 2; ++k) {
    const int64_t input = baked(dims[1 + k], "the tables of a resize"), output = size[k];
    if (input < 1 || input > kMost || output < 1 || output > kMost) {
      context.fail("resizes " + dims_text(context.value(x).dims) + " to " +
                   std::to_string(size[0]) + " times " + std::to_string(size[1]) +
                   ", expected sides of 1 to " + std::to_string(kMost));
    }
    const IntegerTaps taps = integer_taps(grid, context.dtype(x), static_cast<uint32_t>(input),
                                          static_cast<uint32_t>(output));
    attributes.axis[k] = 1 + k;
    attributes.taps[k] = taps.taps;
    attributes.fraction_bits += taps.fraction_bits;
    firsts.insert(firsts.end(), taps.firsts.begin(), taps.firsts.end());
    weights.insert(weights.end(), taps.weights.begin(), taps.weights.end());
    dims[1 + k] = output;
  }
  const auto count = [](const auto& list) { return static_cast<int64_t>(list.size()); };
  const std::vector<ValueId> inputs = {x, context.constant(DType::kInt32, {count(firsts)}, firsts),
                                       context.constant(DType::kInt16, {count(weights)}, weights)};
  context.result(0,
                 context.add_own(Op::kResize, inputs, {{context.dtype(x), dims}}, attributes)[0]);
}

}  // namespace

void resize_bilinear(Context& context) {
  const auto& options = context.options<schema::ResizeBilinearOptions>();
  context.expect_operands(2, 2);
  if (interpolates_integers(context)) {
    return resize_integers(context, {options.align_corners(), options.half_pixel_centers()});
  }
  resize(context, context.input(0),
         Attributes()
             .with("mode", "linear")
             .with("coordinate_transformation_mode", coordinates(options)));
}

void resize_nearest(Context& context) {
  const auto& options = context.options<schema::ResizeNearestNeighborOptions>();
  const bool rounds = options.align_corners() || options.half_pixel_centers();
  context.expect_operands(2, 2);
  resize(context, context.stored_as_output(0),
         Attributes()
             .with("mode", "nearest")
             .with("nearest_mode", rounds ? "round_prefer_ceil" : "floor")
             .with("coordinate_transformation_mode", coordinates(options)));
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
