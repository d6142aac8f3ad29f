// Pointwise and depthwise convolution in one dispatch: a group does four channels of a tile.
#include "kernels/shaders/pointwise_depthwise.h"

#include "kernels/dispatch/binding.h"
#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/depthwise_step.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/dispatch/slices.h"
#include "kernels/dispatch/weights.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

constexpr uint32_t kBiasInput = 2, kTapsInput = kDepthwiseTapsInput, kTapsBiasInput = 4;

DepthwiseImage image_of(const Step& step) {
  return depthwise_image<PointwiseDepthwiseAttributes>(step);
}

bool accepts_pointwise_depthwise(const Step& step) {
  const DepthwiseImage image = image_of(step);
  const DepthwiseTile tile = tile_of(image, step.record().choice);
  return is_uniform(step.bindings(), step.input_value(kBiasInput)) &&
         is_uniform(step.bindings(), step.input_value(kTapsBiasInput)) && has_few_taps(image) &&
         fits_shared_memory(image, tile);
}

uint32_t choose_pointwise_depthwise(const Step& step, const Capabilities&) {
  const DepthwiseImage image = image_of(step);
  return has_few_taps(image) ? choose_depthwise_tile(image) : kNotSuitable;
}

bool in_panels(const Operand& w) { return w.layout == Layout::kPanel16; }

shaders::PointwiseDepthwise::Parameters parameters_of(const Step& step, const DepthwiseImage& image,
                                                      const DepthwiseTile& tile) {
  const Operand x = input_operand(step, 0), w = input_operand(step, 1);
  const Operand bias = input_operand(step, kBiasInput), taps = input_operand(step, kTapsInput);
  const Operand taps_bias = input_operand(step, kTapsBiasInput), y = output_operand(step, 0);
  const auto a = step.attributes<PointwiseDepthwiseAttributes>();
  const uint32_t w_strides[3] = {
      in_panels(w) ? kPanelWidth * w.dims[1] : kPanelWidth * w.strides[0],
      in_panels(w) ? 1 : w.strides[0], in_panels(w) ? kPanelWidth : w.strides[1]};
  return {.image = tile_words(step, image, tile),
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
                                  .parameters = parameters_of(step, image, tile)});
  builder.buffer(x).buffer(w).buffer(taps).buffer(y);
  builder.uniform(input_operand(step, kBiasInput)).uniform(input_operand(step, kTapsBiasInput));
  return builder.run_groups(sink, groups_of(image, tile));
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
