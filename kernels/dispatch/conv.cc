// Convolution: forms conv_panel and conv_depthwise for the weights they suit, and the general conv.
#include "kernels/shaders/conv.h"

#include <algorithm>

#include "kernels/dispatch/binary.h"
#include "kernels/dispatch/binding.h"
#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/product_tile.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/dispatch/slices.h"
#include "kernels/dispatch/weights.h"
#include "kernels/shaders/conv_depthwise.h"
#include "kernels/shaders/conv_panel.h"
#include "kernels/shaders/conv_panel_residual.h"
#include "kernels/shaders/conv_tile.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

// Everything the shaders' common push words say (glsl/include/conv.glsl).
struct Conv {
  Operand x, w, bias, y;
  bool has_bias, has_residual;
  ConvAttributes attributes;  // of a convolution with a residual without its activation
  uint32_t group_channels, height, width;
  uint32_t outputs, out_height, out_width;
  uint32_t kernel[2];
};

// With so many invocations of four channels a large GPU stays busy on half of them, of eight.
constexpr uint64_t kPlentyOfTiles = 1u << 16;
// Fewer leave it idle: tiles are half as long then, and cut into slices. On an H100 a pointwise
// convolution of 960 channels and 7 x 7 pixels takes 7.4 us so, and 88 us with an invocation for
// each of its tiles.

Conv describe(const Step& step) {
  Conv conv;
  conv.x = input_operand(step, 0);
  conv.w = input_operand(step, 1);
  conv.has_bias = step.has_input(2);
  conv.bias = conv.has_bias ? input_operand(step, 2) : conv.w;
  conv.y = output_operand(step, 0);
  conv.has_residual = step.has_input(kResidualInput);
  conv.attributes = step.attributes<ConvAttributes>();
  if (conv.has_residual) conv.attributes.activation = {};
  conv.group_channels = conv.w.dims[1];
  conv.height = conv.x.dims[2];
  conv.width = conv.x.dims[3];
  conv.outputs = conv.y.dims[1];
  conv.out_height = conv.y.dims[2];
  conv.out_width = conv.y.dims[3];
  conv.kernel[0] = conv.w.dims[2];
  conv.kernel[1] = conv.w.dims[3];
  return conv;
}

// A pointwise convolution is the same for any shape of the image: one long row wastes least.
void flatten_pointwise(Conv& conv) {
  const ConvAttributes& a = conv.attributes;
  const bool pointwise = conv.kernel[0] == 1 && conv.kernel[1] == 1 && a.stride[0] == 1 &&
                         a.stride[1] == 1 && a.pad_begin[0] == 0 && a.pad_begin[1] == 0 &&
                         conv.height == conv.out_height && conv.width == conv.out_width;
  if (!pointwise || !crosses_rows_in_one_stride(conv.x) || !crosses_rows_in_one_stride(conv.y)) {
    return;
  }
  conv.width *= conv.height;
  conv.out_width = conv.width;
  conv.height = 1;
  conv.out_height = 1;
}

bool stays_inside(const Conv& conv, uint32_t axis, uint32_t size, uint32_t out_size) {
  const ConvAttributes& a = conv.attributes;
  const uint64_t last =
      uint64_t{out_size - 1} * a.stride[axis] + uint64_t{conv.kernel[axis] - 1} * a.dilation[axis];
  return a.pad_begin[axis] == 0 && last < size;
}

// Neighboring pixels of a row that an invocation computes: of 1, 2, ... pixels_max, what loads
// least in all, as its logarithm. `weight_loads`: what an invocation loads besides its pixels, each
// counted as one.
uint32_t choose_pixels(const Conv& conv, uint32_t pixels_max, uint32_t weight_loads) {
  uint32_t best = 0;
  uint64_t least = ~uint64_t{0};
  for (uint32_t log = 0; 1u << log <= pixels_max; ++log) {
    const uint32_t pixels = 1u << log;
    const uint64_t strips = (uint64_t{conv.out_width} + pixels - 1) / pixels;
    if (strips * (pixels + weight_loads) < least) {
      least = strips * (pixels + weight_loads);
      best = log;
    }
  }
  return best;
}

uint64_t invocations(const Conv& conv, uint32_t channels, uint32_t pixels) {
  const uint64_t across = (uint64_t{conv.outputs} + channels - 1) / channels;
  const uint64_t strips = (uint64_t{conv.out_width} + pixels - 1) / pixels;
  // At most the elements of y, which fit 31 bits.
  return conv.y.dims[0] * across * conv.out_height * strips;
}

shaders::ConvPush push_of(const Conv& conv, uint64_t count) {
  const ConvAttributes& a = conv.attributes;
  return {.count = static_cast<uint32_t>(count),
          .channels = conv.group_channels,
          .height = conv.height,
          .width = conv.width,
          .outputs = conv.outputs,
          .out_height = conv.out_height,
          .out_width = conv.out_width,
          .group_outputs = conv.outputs / a.groups,
          .kernel = conv.kernel[0] | conv.kernel[1] << 16,
          .stride = a.stride[0] | a.stride[1] << 16,
          .dilation = a.dilation[0] | a.dilation[1] << 16,
          .pad = a.pad_begin[0] | a.pad_begin[1] << 16,
          .x_skip = conv.x.skip,
          .w_skip = conv.w.skip,
          .bias_skip = conv.bias.skip,
          .y_skip = conv.y.skip,
          .x_strides = shaders::first_of(conv.x.strides),
          .w_strides = shaders::first_of(conv.w.strides),
          .y_strides = shaders::first_of(conv.y.strides),
          .bias_stride = conv.has_bias ? conv.bias.strides[0] : 0u,
          .activation_a = a.activation.a,
          .activation_b = a.activation.b,
          .r_skip = 0u};
}

// Emits one invocation for each of `count` places, or 1 << shared_log, in the shader of these
// constants. A residual is added behind: five storage buffers are more than each device binds.
template <typename ConvShader>
Status emit_form(const Step& step, const Conv& conv, const typename ConvShader::Spec& spec,
                 uint64_t count, const DispatchSink& sink, uint32_t shared_log = 0) {
  DispatchBuilder builder(ConvShader{.spec = spec, .push = push_of(conv, count)});
  builder.buffer(conv.x).buffer(conv.w).buffer(conv.bias).buffer(conv.y);
  ARENITE_TRY(builder.run_invocations(sink, count << shared_log));
  if (!conv.has_residual) return ok_status();
  return emit_residual(step, step.attributes<ConvAttributes>().activation, sink);
}

bool accepts_conv(const Step& step) {
  if (output_operand(step, 0).rank != 4) return false;
  const Conv conv = describe(step);
  for (uint32_t axis = 0; axis < 2; ++axis) {
    if (!fits_half(conv.kernel[axis]) || !fits_half(conv.attributes.stride[axis]) ||
        !fits_half(conv.attributes.dilation[axis]) || !fits_half(conv.attributes.pad_begin[axis])) {
      return false;
    }
  }
  return true;
}

Status emit_conv(const Step& step, const DispatchSink& sink) {
  const Conv conv = describe(step);
  return emit_form<shaders::Conv>(step, conv,
                                  {.activation = conv.attributes.activation.kind,
                                   .has_bias = conv.has_bias,
                                   .panels = conv.w.layout == Layout::kPanel16,
                                   .weights = weights_type(conv.w)},
                                  invocations(conv, 1, 1), sink);
}

// A step's choice says this of its tiles.
struct Panels {
  uint32_t pixels_log;  // bits 0 and 1
  uint32_t quads;       // bit 2: 2 instead of 1
  uint32_t slices_log;  // bits 3 to 5
};
constexpr uint32_t kPanelChoices = (kSlicesLogMax + 1) << 3;

Panels panels_of(uint32_t choice) {
  return {.pixels_log = choice & 3, .quads = 1 + (choice >> 2 & 1), .slices_log = choice >> 3};
}

bool accepts_conv_panel(const Step& step) {
  const Operand w = input_operand(step, 1);
  const Panels panels = panels_of(step.record().choice);
  return w.layout == Layout::kPanel16 && w.skip % 4 == 0 &&
         (panels.quads == 1 || panels.slices_log == 0) && accepts_conv(step);
}

uint32_t choose_conv_panel(const Step& step, const Capabilities&) {
  Conv conv = describe(step);
  flatten_pointwise(conv);
  const uint32_t most = choose_pixels(conv, 8, 4);
  if (invocations(conv, 4, 1u << most) >= kPlentyOfTiles) return most | 4u;
  const uint32_t pixels = choose_pixels(conv, 4, 4);
  const uint64_t channels = conv.group_channels;
  const uint64_t loads = conv.x.groups_of_four(1) ? channels / 4 : channels;
  const uint64_t taps = uint64_t{conv.kernel[0]} * conv.kernel[1];
  return pixels | choose_slices(invocations(conv, 4, 1u << pixels), loads * taps, 1) << 3;
}

// `vectors_y`: of y and of what is added to it.
shaders::ConvPanelSpec panel_spec(const Conv& conv, const Panels& panels, bool vectors_y) {
  return {.pixels = 1u << panels.pixels_log,
          .activation = conv.attributes.activation.kind,
          .has_bias = conv.has_bias,
          .vectors_x = conv.x.groups_of_four(1),
          .vectors_y = vectors_y,
          .inside = stays_inside(conv, 0, conv.height, conv.out_height) &&
                    stays_inside(conv, 1, conv.width, conv.out_width),
          .quads = panels.quads,
          .weights = weights_type(conv.w),
          .slices = 1u << panels.slices_log};
}

uint64_t panel_tiles(const Conv& conv, const Panels& panels) {
  return invocations(conv, 4 * panels.quads, 1u << panels.pixels_log);
}

Status emit_conv_panel(const Step& step, const DispatchSink& sink) {
  Conv conv = describe(step);
  flatten_pointwise(conv);
  const Panels panels = panels_of(step.record().choice);
  return emit_form<shaders::ConvPanel>(step, conv,
                                       panel_spec(conv, panels, conv.y.groups_of_four(1)),
                                       panel_tiles(conv, panels), sink, panels.slices_log);
}

// Sums of fewer products gain nothing by tiles in shared memory: on an H200 a pointwise convolution
// of 64 to 64 channels and 160 x 160 pixels takes 27 us with them, 19 without; a 3 x 3 one 95
// instead of 102.
constexpr uint64_t kConvTileDepthMin = 128;
// Few tiles of long sums are cut into parts, so many groups and products in all and each at least:
// on an H200 a 3 x 3 convolution of 256 to 256 channels and 14 x 14 pixels takes 22.6 us in 16
// parts, 30 without, one of 512 to 512 channels and 7 x 7 pixels 24 in 32 parts, 27.5 without. Half
// as many products take longer than without: 128 to 256 channels, 14 x 14 pixels, 16.4 us instead
// of 14.
constexpr uint64_t kConvPartGroupsMin = 448;
constexpr uint64_t kConvPartDepthMin = 144;
// Fewer leave most of a tile's columns in shared memory empty.
constexpr uint32_t kTileOutputsMin = 48;

// A step's choice says this.
struct ConvTiling {
  uint32_t row_choice;
  uint32_t parts;  // of the sums, in groups of their own
};
constexpr uint32_t kConvPartsLogMax = 5;
constexpr uint32_t kConvTileChoices = kTileRowChoices * (kConvPartsLogMax + 1);
ConvTiling conv_tiling_of(uint32_t choice) {
  return {.row_choice = choice % kTileRowChoices, .parts = 1u << choice / kTileRowChoices};
}

uint64_t tile_groups(const Conv& conv, uint32_t row_choice) {
  return conv.y.dims[0] *
         tiles_of_product(uint64_t{conv.out_height} * conv.out_width, conv.outputs, row_choice);
}

// Vectors of four sums of a part.
uint64_t quads_of_part(const Conv& conv) {
  return uint64_t{conv.y.dims[0]} * conv.out_height * conv.out_width *
         ((uint64_t{conv.outputs} + 3) / 4);
}

bool has_strides_of(const Operand& residual, const Operand& y) {
  return std::equal(residual.strides, residual.strides + residual.rank, y.strides);
}

bool accepts_conv_tile(const Step& step) {
  const Operand w = input_operand(step, 1);
  if (w.layout != Layout::kPanel16 || w.skip % 4 != 0 || !accepts_conv(step)) return false;
  const Conv conv = describe(step);
  const ConvTiling tiling = conv_tiling_of(step.record().choice);
  if (tiling.parts != 1 &&
      (quads_of_part(conv) * tiling.parts >= kMaxInvocations / 16 ||
       (conv.has_residual && !has_strides_of(input_operand(step, kResidualInput), conv.y)))) {
    return false;
  }
  return tile_groups(conv, tiling.row_choice) * tiling.parts < kMaxInvocations / kWorkgroupSize;
}

// The logarithm of the parts that few tiles of long sums are worth cutting into; 0: none.
uint32_t choose_conv_parts(const Step& step, const Conv& conv, uint64_t depth) {
  if (!conv.x.groups_of_four(1)) return 0;
  if (conv.has_residual && !has_strides_of(input_operand(step, kResidualInput), conv.y)) return 0;
  const uint64_t tiles = tile_groups(conv, 1);
  uint32_t log = 0;
  while (log < kConvPartsLogMax && tiles << log < kConvPartGroupsMin) ++log;
  const bool is_worth_it = tiles << log >= kConvPartGroupsMin && depth >> log >= kConvPartDepthMin;
  return is_worth_it ? log : 0;
}

uint32_t choose_conv_tile(const Step& step, const Capabilities&) {
  const Conv conv = describe(step);
  const uint64_t depth = uint64_t{conv.group_channels} * conv.kernel[0] * conv.kernel[1];
  if (depth < kConvTileDepthMin || conv.outputs < kTileOutputsMin) return kNotSuitable;
  const uint32_t parts_log = choose_conv_parts(step, conv, depth);
  if (parts_log != 0) return 1 + parts_log * kTileRowChoices;
  // A dispatch more for a residual costs more than tiles gain.
  if (conv.has_residual) return kNotSuitable;
  if (tile_groups(conv, 0) >= kTileGroupsMany) return 0;
  // Other forms load single numbers of x where its channels do not come in vectors of four.
  const uint64_t least = conv.x.groups_of_four(1) ? kTileGroupsMany : kTileGroupsMin;
  return tile_groups(conv, 1) >= least ? 1 : kNotSuitable;
}

uint64_t scratch_bytes_of_conv_tile(const Step& step) {
  const uint32_t parts = conv_tiling_of(step.record().choice).parts;
  return parts == 1 ? 0 : quads_of_part(describe(step)) * parts * 4 * sizeof(float);
}

DispatchBuilder conv_tile_pass(const Conv& conv, const ConvTiling& tiling, uint64_t count,
                               bool add_parts, const Operand* residual) {
  const bool vectors_r = residual == nullptr || residual->groups_of_four(1);
  const shaders::ConvPanelSpec panel = panel_spec(conv, {}, conv.y.groups_of_four(1) && vectors_r);
  shaders::ConvTile words{.spec = {.rows = tile_rows(tiling.row_choice),
                                   .activation = panel.activation,
                                   .has_bias = panel.has_bias,
                                   .vectors_x = panel.vectors_x,
                                   .vectors_y = panel.vectors_y,
                                   .inside = panel.inside,
                                   .weights = panel.weights,
                                   .parts = tiling.parts,
                                   .add_parts = add_parts,
                                   .has_residual = residual != nullptr},
                          .push = push_of(conv, count)};
  if (residual != nullptr) words.push.r_skip = residual->skip;
  return DispatchBuilder(words);
}

Status emit_conv_tile_in_parts(const Step& step, Conv& conv, const ConvTiling& tiling,
                               const DispatchSink& sink) {
  conv.attributes.activation = step.attributes<ConvAttributes>().activation;
  const uint64_t groups = tile_groups(conv, tiling.row_choice) * tiling.parts;
  const Operand scratch = scratch_operand(step);
  DispatchBuilder sums = conv_tile_pass(conv, tiling, groups, false, nullptr);
  sums.buffer(conv.x).buffer(conv.w).buffer(conv.bias).buffer(scratch);
  ARENITE_TRY(sums.run_groups(sink, groups));
  Operand residual;
  if (conv.has_residual) residual = input_operand(step, kResidualInput);
  DispatchBuilder added = conv_tile_pass(conv, tiling, quads_of_part(conv), true,
                                         conv.has_residual ? &residual : nullptr);
  added.buffer(scratch).buffer(conv.has_residual ? residual : conv.w).buffer(conv.bias);
  added.buffer(conv.y);
  return added.run_invocations(sink, quads_of_part(conv));
}

Status emit_conv_tile(const Step& step, const DispatchSink& sink) {
  Conv conv = describe(step);
  flatten_pointwise(conv);
  const ConvTiling tiling = conv_tiling_of(step.record().choice);
  if (tiling.parts != 1) return emit_conv_tile_in_parts(step, conv, tiling, sink);
  const uint64_t groups = tile_groups(conv, tiling.row_choice);
  DispatchBuilder builder = conv_tile_pass(conv, tiling, groups, false, nullptr);
  builder.buffer(conv.x).buffer(conv.w).buffer(conv.bias).buffer(conv.y);
  ARENITE_TRY(builder.run_groups(sink, groups));
  if (!conv.has_residual) return ok_status();
  return emit_residual(step, step.attributes<ConvAttributes>().activation, sink);
}

// The bias as a uniform buffer leaves room for the residual among the four storage buffers.
bool accepts_conv_panel_residual(const Step& step) {
  if (!accepts_conv_panel(step) || !step.has_input(kResidualInput) || !step.has_input(2) ||
      !format::is_constant(step.input_value(2)) ||
      !is_uniform(step.bindings(), step.input_value(2))) {
    return false;
  }
  const Operand r = input_operand(step, kResidualInput), y = output_operand(step, 0);
  return has_strides_of(r, y);
}

Status emit_conv_panel_residual(const Step& step, const DispatchSink& sink) {
  Conv conv = describe(step);
  conv.attributes.activation = step.attributes<ConvAttributes>().activation;
  flatten_pointwise(conv);
  const Panels panels = panels_of(step.record().choice);
  const Operand r = input_operand(step, kResidualInput);
  const uint64_t tiles = panel_tiles(conv, panels);
  const bool vectors_y = conv.y.groups_of_four(1) && r.groups_of_four(1);
  shaders::ConvPanelResidual words{.spec = panel_spec(conv, panels, vectors_y),
                                   .push = push_of(conv, tiles)};
  words.push.r_skip = r.skip;
  DispatchBuilder builder(words);
  builder.buffer(conv.x).buffer(conv.w).buffer(r).buffer(conv.y).uniform(conv.bias);
  return builder.run_invocations(sink, tiles << panels.slices_log);
}

bool accepts_conv_depthwise(const Step& step) {
  if (!accepts_conv(step)) return false;
  const Conv conv = describe(step);
  return conv.group_channels == 1 && conv.attributes.groups == conv.outputs &&
         conv.w.layout == Layout::kStrided;
}

// The logarithm of pixels.
uint32_t choose_conv_depthwise(const Step& step, const Capabilities&) {
  return choose_pixels(describe(step), 4, 1);
}

Status emit_conv_depthwise(const Step& step, const DispatchSink& sink) {
  const Conv conv = describe(step);
  const uint32_t pixels = 1u << step.record().choice;
  return emit_form<shaders::ConvDepthwise>(step, conv,
                                           {.pixels = pixels,
                                            .activation = conv.attributes.activation.kind,
                                            .has_bias = conv.has_bias,
                                            .vectors_x = conv.x.groups_of_four(1),
                                            .vectors_w = conv.w.groups_of_four(0),
                                            .vectors_y = conv.y.groups_of_four(1),
                                            .weights = weights_type(conv.w)},
                                           invocations(conv, 4, pixels), sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 4,
     .shader = Shader::kConvTile,
     .types = types::kFloat32,
     .accepts = accepts_conv_tile,
     .emit = emit_conv_tile,
     .choices = kConvTileChoices,
     .choose = choose_conv_tile,
     .scratch_bytes = scratch_bytes_of_conv_tile},
    {.form = 3,
     .shader = Shader::kConvPanelResidual,
     .types = types::kFloat32,
     .accepts = accepts_conv_panel_residual,
     .emit = emit_conv_panel_residual,
     .choices = kPanelChoices,
     .choose = choose_conv_panel},
    {.form = 1,
     .shader = Shader::kConvPanel,
     .types = types::kFloat32,
     .accepts = accepts_conv_panel,
     .emit = emit_conv_panel,
     .choices = kPanelChoices,
     .choose = choose_conv_panel},
    {.form = 2,
     .shader = Shader::kConvDepthwise,
     .types = types::kFloat32,
     .accepts = accepts_conv_depthwise,
     .emit = emit_conv_depthwise,
     .choices = 3,
     .choose = choose_conv_depthwise},
    {.form = 0,
     .shader = Shader::kConv,
     .types = types::kFloat32,
     .accepts = accepts_conv,
     .emit = emit_conv},
};

}  // namespace

std::span<const DispatchRow> conv_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
