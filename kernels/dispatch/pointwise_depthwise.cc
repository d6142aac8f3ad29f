// Pointwise and depthwise convolution in one dispatch: a group does four channels of a tile.
#include "kernels/shaders/pointwise_depthwise.h"

#include "kernels/dispatch/binding.h"
#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/depthwise_tile.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/dispatch/slices.h"
#include "kernels/dispatch/weights.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

constexpr uint32_t kBiasInput = 2, kTapsInput = 3, kTapsBiasInput = 4;

uint64_t groups_of_four(uint32_t channels) { return (uint64_t{channels} + 3) / 4; }

DepthwiseImage image_of(const Step& step) {
  const Operand x = input_operand(step, 0), taps = input_operand(step, kTapsInput);
  const Operand y = output_operand(step, 0);
  const auto a = step.attributes<PointwiseDepthwiseAttributes>();
  DepthwiseImage image = {.images = y.dims[0] * groups_of_four(y.dims[1]), .channels = x.dims[1]};
  for (uint32_t axis = 0; axis < 2; ++axis) {
    image.size[axis] = x.dims[2 + axis];
    image.out_size[axis] = y.dims[2 + axis];
    image.kernel[axis] = taps.dims[axis];
    image.stride[axis] = a.stride[axis];
    image.dilation[axis] = a.dilation[axis];
    image.pad[axis] = a.pad_begin[axis];
  }
  return image;
}

bool has_few_taps(const Operand& taps) {
  const uint64_t count = uint64_t{taps.dims[0]} * taps.dims[1];
  return count != 0 && count <= kTapsMax;
}

bool accepts_pointwise_depthwise(const Step& step) {
  const DepthwiseImage image = image_of(step);
  const DepthwiseTile tile = tile_of(image, step.record().choice);
  return is_uniform(step.bindings(), step.input_value(kBiasInput)) &&
         is_uniform(step.bindings(), step.input_value(kTapsBiasInput)) &&
         has_few_taps(input_operand(step, kTapsInput)) && fits_shared_memory(image, tile);
}

uint32_t choose_pointwise_depthwise(const Step& step, const Capabilities&) {
  if (!has_few_taps(input_operand(step, kTapsInput))) return kNotSuitable;
  return choose_depthwise_tile(image_of(step));
}

bool in_panels(const Operand& w) { return w.layout == Layout::kPanel16; }

shaders::PointwiseDepthwise::Parameters parameters_of(const Step& step, const DepthwiseImage& image,
                                                      const DepthwiseTile& tile, uint64_t groups) {
  const Operand x = input_operand(step, 0), w = input_operand(step, 1);
  const Operand bias = input_operand(step, kBiasInput), taps = input_operand(step, kTapsInput);
  const Operand taps_bias = input_operand(step, kTapsBiasInput), y = output_operand(step, 0);
  const auto a = step.attributes<PointwiseDepthwiseAttributes>();
  const uint32_t w_strides[3] = {
      in_panels(w) ? kPanelWidth * w.dims[1] : kPanelWidth * w.strides[0],
      in_panels(w) ? 1 : w.strides[0], in_panels(w) ? kPanelWidth : w.strides[1]};
  return {.groups = static_cast<uint32_t>(groups),
          .channels = image.channels,
          .outputs = y.dims[1],
          .size = image.size,
          .out_size = image.out_size,
          .tile = tile.size,
          .kernel = image.kernel,
          .stride = image.stride,
          .dilation = image.dilation,
          .pad = image.pad,
          .x_skip = x.skip,
          .w_skip = w.skip,
          .bias_skip = bias.skip,
          .taps_skip = taps.skip,
          .taps_bias_skip = taps_bias.skip,
          .y_skip = y.skip,
          .x_strides = shaders::first_of(x.strides),
          .y_strides = shaders::first_of(y.strides),
          .taps_strides = shaders::first_of(taps.strides),
          .w_strides = w_strides,
          .bias_stride = bias.strides[0],
          .taps_bias_stride = taps_bias.strides[0],
          .inner_a = a.inner_activation.a,
          .inner_b = a.inner_activation.b,
          .a = a.activation.a,
          .b = a.activation.b};
}

Status emit_pointwise_depthwise(const Step& step, const DispatchSink& sink) {
  const DepthwiseImage image = image_of(step);
  const DepthwiseTile tile = tile_of(image, step.record().choice);
  const Operand x = input_operand(step, 0), w = input_operand(step, 1);
  const Operand taps = input_operand(step, kTapsInput), y = output_operand(step, 0);
  const auto a = step.attributes<PointwiseDepthwiseAttributes>();
  uint64_t groups = image.images;
  for (uint32_t axis = 0; axis < 2; ++axis) {
    groups *= (image.out_size[axis] + tile.size[axis] - 1) / tile.size[axis];
  }
  DispatchBuilder builder(
      shaders::PointwiseDepthwise{.spec = {.inner_activation = a.inner_activation.kind,
                                           .activation = a.activation.kind,
                                           .vectors_x = x.groups_of_four(1),
                                           .vectors_w = in_panels(w) && w.skip % 4 == 0,
                                           .vectors_taps = taps.groups_of_four(2),
                                           .vectors_y = y.groups_of_four(1),
                                           .weights = weights_type(w),
                                           .slices = 1u << tile.slices_log,
                                           .places = static_cast<uint32_t>(places_of(image, tile))},
                                  .parameters = parameters_of(step, image, tile, groups)});
  builder.buffer(x).buffer(w).buffer(taps).buffer(y);
  builder.uniform(input_operand(step, kBiasInput)).uniform(input_operand(step, kTapsBiasInput));
  return builder.run_groups(sink, groups);
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kPointwiseDepthwise,
     .types = types::kFloat32,
     .accepts = accepts_pointwise_depthwise,
     .emit = emit_pointwise_depthwise,
     .choices = kTileChoices,
     .choose = choose_pointwise_depthwise},
};

}  // namespace

std::span<const DispatchRow> pointwise_depthwise_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
