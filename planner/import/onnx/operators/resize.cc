// Imports Resize and Upsample: every mode, rule of coordinates and way to say the size, as tables
// that are computed here (resize_tables.h).
#include <algorithm>
#include <cmath>
#include <cstring>

#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/resize_tables.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

constexpr const char* kKeepRatio = "keep_aspect_ratio_policy";

template <typename T>
struct Named {
  const char* name;
  T value;
};

// The value of the attribute's word.
template <typename T, size_t kCount>
T choice(OpContext& context, const char* attribute, const char* otherwise,
         const Named<T> (&choices)[kCount]) {
  const std::string word = context.string_attribute(attribute, otherwise);
  std::string known;
  for (const Named<T>& entry : choices) {
    if (word == entry.name) return entry.value;
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  context.fail_attribute(attribute, "is " + quote(word) + ", expected one of " + known);
}

// The elements of a constant list of floats; nothing where it is left out or empty.
std::vector<float> floats(OpContext& context, size_t i, const char* what) {
  if (!context.has_input(i)) return {};
  const ValueId id = context.input(i);
  if (context.value(id).elements() == 0) return {};
  if (context.dtype(id) != DType::kFloat32 || context.dims(id).size() != 1) {
    context.fail("input '" + std::string(what) + "' is " + dtype_name(context.dtype(id)) + " " +
                 dims_text(context.dims(id)) + ", expected a list of float32");
  }
  context.expect_constant(i, what);
  return context.elements<float>(id);
}

ResizeRule read_rule(OpContext& context) {
  ResizeRule rule;
  constexpr Named<ResizeKind> kKinds[] = {{"nearest", ResizeKind::kNearest},
                                          {"linear", ResizeKind::kLinear},
                                          {"cubic", ResizeKind::kCubic}};
  rule.kind = choice(context, "mode", "nearest", kKinds);
  if (context.opset() < 11) {
    rule.coordinates = Coordinates::kAsymmetric;
    rule.nearest = NearestRule::kSimple;
    return rule;
  }
  constexpr Named<Coordinates> kCoordinates[] = {
      {"half_pixel", Coordinates::kHalfPixel},
      {"half_pixel_symmetric", Coordinates::kHalfPixelSymmetric},
      {"pytorch_half_pixel", Coordinates::kPytorchHalfPixel},
      {"align_corners", Coordinates::kAlignCorners},
      {"asymmetric", Coordinates::kAsymmetric},
      {"tf_half_pixel_for_nn", Coordinates::kTfHalfPixelForNn},
      {"tf_crop_and_resize", Coordinates::kTfCropAndResize}};
  constexpr Named<NearestRule> kNearest[] = {{"round_prefer_floor", NearestRule::kRoundPreferFloor},
                                             {"round_prefer_ceil", NearestRule::kRoundPreferCeil},
                                             {"floor", NearestRule::kFloor},
                                             {"ceil", NearestRule::kCeil}};
  rule.coordinates = choice(context, "coordinate_transformation_mode", "half_pixel", kCoordinates);
  rule.nearest = choice(context, "nearest_mode", "round_prefer_floor", kNearest);
  rule.cubic_a = double{context.float_attribute("cubic_coeff_a", -0.75f)};
  rule.exclude_outside = context.flag_attribute("exclude_outside", false);
  rule.antialias = context.flag_attribute("antialias", false);
  if (rule.kind != ResizeKind::kCubic) rule.exclude_outside &= rule.antialias;
  return rule;
}

// Sizes of each axis, in the model's order.
struct Sizes {
  std::vector<uint32_t> axes;
  std::vector<ResizedSize> sizes;
};

ResizedSize unchanged(const Dim& dim) {
  const auto size = static_cast<uint32_t>(baked(dim, "the tables of a resize"));
  return {size, size, 1, 0, 1};
}

void expect_count(OpContext& context, const char* what, size_t found, size_t expected) {
  if (found != expected) {
    context.fail("input '" + std::string(what) + "' holds " + std::to_string(found) +
                 " numbers, expected " + std::to_string(expected));
  }
}

// A scale of all axes, so that none or no other one passes what is wanted of it.
void keep_ratio(OpContext& context, const std::vector<int64_t>& wanted, Sizes& sizes) {
  const std::string policy = context.string_attribute(kKeepRatio, "stretch");
  if (policy == "stretch") return;
  if (policy != "not_larger" && policy != "not_smaller") {
    context.fail_attribute(kKeepRatio,
                           "is " + quote(policy) + ", expected stretch, not_larger or not_smaller");
  }
  float scale = sizes.sizes[0].scale;
  for (const ResizedSize& size : sizes.sizes) {
    scale = policy == "not_larger" ? std::min(scale, size.scale) : std::max(scale, size.scale);
  }
  for (size_t i = 0; i < wanted.size(); ++i) {
    ResizedSize& size = sizes.sizes[i];
    const double exact = static_cast<double>(scale) * size.input;
    size.scale = scale;
    size.output = static_cast<uint32_t>(std::floor(exact + 0.5));
  }
}

void read_scales(OpContext& context, const std::vector<float>& scales, bool crops, Sizes& sizes) {
  expect_count(context, "scales", scales.size(), sizes.sizes.size());
  for (size_t i = 0; i < scales.size(); ++i) {
    ResizedSize& size = sizes.sizes[i];
    const float share = crops ? size.roi_end - size.roi_begin : 1.0f;
    const float output = std::floor(static_cast<float>(size.input) * share * scales[i]);
    if (!(scales[i] > 0) || !(output >= 0) || !(output < 2147483648.0f)) {
      context.fail("input 'scales' holds " + std::to_string(scales[i]) + " for dimension " +
                   std::to_string(sizes.axes[i]) + " of " +
                   dims_text(context.dims(context.input(0))) + ", expected a positive number");
    }
    size.scale = scales[i];
    size.output = static_cast<uint32_t>(output);
  }
}

void read_sizes(OpContext& context, const std::vector<int64_t>& wanted, Sizes& sizes) {
  expect_count(context, "sizes", wanted.size(), sizes.sizes.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    ResizedSize& size = sizes.sizes[i];
    if (wanted[i] < 0 || wanted[i] > INT32_MAX) {
      context.fail("input 'sizes' holds " + std::to_string(wanted[i]) +
                   ", expected 0 to 2147483647");
    }
    size.output = static_cast<uint32_t>(wanted[i]);
    size.scale = static_cast<float>(size.output) / static_cast<float>(size.input);
  }
  if (!wanted.empty()) keep_ratio(context, wanted, sizes);
}

Sizes read_sizes(OpContext& context, bool crops) {
  const Dims dims = context.dims(context.input(0));
  Sizes sizes;
  if (const auto axes = context.ints_attribute("axes"); axes) {
    sizes.axes = context.axes(*axes, dims.size(), "axes");
  } else {
    for (uint32_t d = 0; d < dims.size(); ++d) sizes.axes.push_back(d);
  }
  for (const uint32_t d : sizes.axes) sizes.sizes.push_back(unchanged(dims[d]));
  if (crops) {
    const std::vector<float> roi = floats(context, 1, "roi");
    expect_count(context, "roi", roi.size(), 2 * sizes.axes.size());
    for (size_t i = 0; i < sizes.axes.size(); ++i) {
      sizes.sizes[i].roi_begin = roi[i];
      sizes.sizes[i].roi_end = roi[sizes.axes.size() + i];
    }
  }
  const size_t input = context.opset() < 11 ? 1 : 2;
  const std::vector<float> scales = floats(context, input, "scales");
  if (!scales.empty()) {
    context.ignore_attribute(kKeepRatio);
    read_scales(context, scales, crops, sizes);
  } else {
    const std::optional<std::vector<int64_t>> wanted =
        input == 2 ? context.constant_ints(3, "sizes") : std::nullopt;
    if (!wanted || wanted->empty()) context.fail("neither scales nor sizes are given");
    read_sizes(context, *wanted, sizes);
  }
  return sizes;
}

template <typename To, typename From>
std::vector<std::byte> bytes_of(const std::vector<From>& numbers) {
  std::vector<To> to(numbers.begin(), numbers.end());
  std::vector<std::byte> bytes(to.size() * sizeof(To));
  if (!to.empty()) std::memcpy(bytes.data(), to.data(), bytes.size());
  return bytes;
}

void add_steps(OpContext& context, const std::vector<ResizedAxis>& axes, float outside) {
  ValueId x = context.input(0);
  const DType type = context.dtype(x);
  std::vector<ResizeStep> steps = resize_steps(axes, bounds(context.dims(x)));
  for (size_t i = 0; i < steps.size(); ++i) {
    ResizeStep& step = steps[i];
    Dims dims = context.dims(x);
    for (const size_t a : step.axes) {
      dims[axes[a].axis] = static_cast<int64_t>(axes[a].table.first.size());
    }
    std::vector<ValueId> inputs = {
        x, context.add_constant("places", DType::kInt32, {static_cast<int64_t>(step.firsts.size())},
                                bytes_of<int32_t>(step.firsts))};
    if (!step.weights.empty()) {
      const auto count = static_cast<int64_t>(step.weights.size());
      const bool wide = type == DType::kFloat64;
      inputs.push_back(context.add_constant(
          "weights", wide ? type : DType::kFloat32, {count},
          wide ? bytes_of<double>(step.weights) : bytes_of<float>(step.weights)));
    }
    std::memcpy(step.attributes.outside_bits, &outside, sizeof(outside));
    const ValueId y = i + 1 == steps.size() ? context.add_output(0, type, dims)
                                            : context.add_between("resized", type, dims);
    context.add_node(Op::kResize, inputs, {y}, step.attributes);
    x = y;
  }
}

void resize(OpContext& context, const ResizeRule& rule, const Sizes& sizes, float outside) {
  const ValueId x = context.input(0);
  const DType type = context.dtype(x);
  std::vector<ResizedAxis> axes;
  bool empty = false;
  bool leaves = false;  // x, somewhere
  for (size_t i = 0; i < sizes.axes.size(); ++i) {
    const ResizedSize& size = sizes.sizes[i];
    empty = empty || size.output == 0;
    if (size.input == 0 && size.output != 0) {
      context.fail("dimension " + std::to_string(sizes.axes[i]) + " of " +
                   dims_text(context.dims(x)) + " has no elements to resize");
    }
    const bool whole = rule.coordinates != Coordinates::kTfCropAndResize ||
                       (size.roi_begin == 0 && size.roi_end == 1);
    if (size.input == size.output && size.scale == 1 && whole) continue;
    // Room for making the table: two taps or four an output; with antialias each input counts.
    context.expect_room({uint64_t{size.output} + size.input, 128});
    axes.push_back({sizes.axes[i], size.input == 0 ? ResizeTable{} : resize_table(rule, size)});
    const std::vector<int32_t>& first = axes.back().table.first;
    leaves = leaves || std::count(first.begin(), first.end(), -1) != 0;
  }
  if (leaves && outside != 0 && type != DType::kFloat32) {
    context.unsupported_attribute("extrapolation_value",
                                  "is only supported for float32, found " + dtype_name(type),
                                  "0, or a Cast to float32 before it");
  }
  const bool floats = type == DType::kFloat32 || type == DType::kFloat64 ||
                      type == DType::kFloat16 || type == DType::kBfloat16;
  if (!axes.empty() && rule.kind != ResizeKind::kNearest && !floats) {
    context.unsupported(
        "linear and cubic resizes are only supported for floats, found " + dtype_name(type),
        "a Cast to float32 before it, or nearest");
  }
  std::sort(axes.begin(), axes.end(),
            [](const ResizedAxis& a, const ResizedAxis& b) { return a.axis < b.axis; });
  if (empty) {
    Dims dims = context.dims(x);
    for (size_t i = 0; i < sizes.axes.size(); ++i) dims[sizes.axes[i]] = sizes.sizes[i].output;
    const ValueId y = context.add_output(0, type, dims);
    context.set_constant(y, {});
  } else if (axes.empty()) {
    copy_to_output(context, 0, x);
  } else {
    add_steps(context, axes, outside);
  }
}

}  // namespace

void import_resize(OpContext& context) {
  const bool first = context.opset() < 11;
  context.expect_operands(first ? 2 : 1, first ? 2 : 4);
  const ResizeRule rule = read_rule(context);
  const bool crops = rule.coordinates == Coordinates::kTfCropAndResize;
  const float outside = context.float_attribute("extrapolation_value", 0.0f);
  resize(context, rule, read_sizes(context, crops), outside);
}

void import_upsample(OpContext& context) {
  const bool listed = context.opset() < 9;
  context.expect_operands(listed ? 1 : 2, listed ? 1 : 2);
  constexpr Named<ResizeKind> kKinds[] = {{"nearest", ResizeKind::kNearest},
                                          {"linear", ResizeKind::kLinear},
                                          {"bilinear", ResizeKind::kLinear}};
  ResizeRule rule;
  rule.kind = choice(context, "mode", "nearest", kKinds);
  rule.coordinates = Coordinates::kAsymmetric;
  rule.nearest = NearestRule::kFloor;
  Sizes sizes;
  const Dims dims = context.dims(context.input(0));
  for (uint32_t d = 0; d < dims.size(); ++d) {
    sizes.axes.push_back(d);
    sizes.sizes.push_back(unchanged(dims[d]));
  }
  if (listed) {
    const ModelAttribute* scales = context.find_attribute("scales");
    if (scales == nullptr) context.fail_attribute("scales", "is missing");
    read_scales(context, scales->floats, false, sizes);
  } else {
    read_scales(context, floats(context, 1, "scales"), false, sizes);
  }
  resize(context, rule, sizes, 0);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
