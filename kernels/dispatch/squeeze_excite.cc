// Squeeze and excitation in two dispatches: means and the first product in parts, then gates and
// results.
#include "kernels/shaders/squeeze_excite.h"

#include <algorithm>
#include <bit>

#include "kernels/dispatch/binding.h"
#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/image_shares.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/dispatch/weights.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

constexpr uint32_t kBiasInput = 2, kGateBiasInput = 3;
// Invocations of a group, which share its channels and places.
constexpr uint64_t kLanes = kWorkgroupSize;
constexpr uint32_t kQuadsLogMin = 2, kQuadsLogMax = 5, kChunksLogMax = 7;

GatedImage image_of(const Step& step) {
  return gated_image(input_operand(step, 0), input_operand(step, 1));
}

// Invocations of the second pass lie beside each other for so many rows, and share the parts.
uint32_t row_lanes_log(const GatedImage& image) {
  return std::min<uint32_t>(static_cast<uint32_t>(std::bit_width(image.rows - 1)), 6);
}

uint64_t loads_of_parts(const GatedImage& image, const ImageShare& share) {
  const uint32_t log = row_lanes_log(image);
  const uint64_t turns = (image.rows + (uint64_t{1} << log) - 1) >> log;
  const uint64_t slices = kLanes >> log;
  return turns * ((share.parts() + slices - 1) / slices);
}

// Loads of an invocation one behind another, in both passes: places and weights here, and the parts
// that an invocation of the second pass adds up. Groups that do not run at once wait.
uint64_t squeeze_cost(const GatedImage& image, const ImageShare& share) {
  const uint64_t lanes = kLanes >> share.quads_log;
  const uint64_t places = (share.chunk + lanes - 1) / lanes;
  const uint64_t weights = ((image.rows + kLanes - 1) / kLanes) << share.quads_log;
  const uint64_t waves = (image.images * share.parts() + kGroupsAtOnce - 1) / kGroupsAtOnce;
  return (places + weights) * waves + loads_of_parts(image, share);
}

ImageShare squeeze_share(const GatedImage& image) {
  ImageShare best = {};
  uint64_t least = UINT64_MAX;
  for (uint32_t quads_log = kQuadsLogMin; quads_log <= kQuadsLogMax; ++quads_log) {
    for (uint32_t log = 0; log <= kChunksLogMax; ++log) {
      const uint64_t chunk = (image.places + (uint64_t{1} << log) - 1) >> log;
      const ImageShare share = share_of(image, quads_log, chunk);
      const uint64_t cost = squeeze_cost(image, share);
      if (cost >= least) continue;
      least = cost;
      best = share;
    }
  }
  return best;
}

bool accepts_squeeze_excite(const Step& step) {
  const GatedImage image = image_of(step);
  if (!image.has_elements()) return true;  // y is empty: an empty w is refused before
  const uint64_t parts = image.images * squeeze_share(image).parts();
  return is_uniform(step.bindings(), step.input_value(kBiasInput)) &&
         is_uniform(step.bindings(), step.input_value(kGateBiasInput)) &&
         parts < kMaxInvocations / image.rows &&
         image.images * excite_share(image).parts() < kMaxInvocations / kLanes;
}

uint64_t scratch_bytes_of_squeeze_excite(const Step& step) {
  const GatedImage image = image_of(step);
  if (!image.has_elements()) return 0;
  return image.images * squeeze_share(image).parts() * image.rows * sizeof(float);
}

shaders::SqueezeExcite::Parameters parameters_of(const Step& step, const GatedImage& image,
                                                 const ImageShare& share) {
  const Operand x = input_operand(step, 0), w = input_operand(step, 1);
  const Operand bias = input_operand(step, kBiasInput);
  const Operand gate_bias = input_operand(step, kGateBiasInput), y = output_operand(step, 0);
  const auto a = step.attributes<SqueezeExciteAttributes>();
  return {.share = share_words(image, share, x, y),
          .parts = static_cast<uint32_t>(squeeze_share(image).parts()),
          .row_lanes_log = row_lanes_log(image),
          .w_skip = w.skip,
          .bias_skip = bias.skip,
          .gate_bias_skip = gate_bias.skip,
          .w_strides = shaders::first_of(w.strides),
          .bias_stride = bias.strides[0],
          .gate_bias_stride = gate_bias.strides[0],
          .inner_a = a.inner_activation.a,
          .inner_b = a.inner_activation.b,
          .a = a.gate_activation.a,
          .b = a.gate_activation.b};
}

// The first pass has no use for what ends the second one: all steps share its specialization.
DispatchBuilder pass(const Step& step, const GatedImage& image, const ImageShare& share,
                     bool excite) {
  const Operand x = input_operand(step, 0), w = input_operand(step, 1);
  const Operand y = output_operand(step, 0), scratch = scratch_operand(step);
  const auto a = step.attributes<SqueezeExciteAttributes>();
  DispatchBuilder builder(shaders::SqueezeExcite{
      .spec = {.excite = excite,
               .inner_activation = excite ? a.inner_activation.kind : ActivationKind::kNone,
               .activation = excite ? a.gate_activation.kind : ActivationKind::kNone,
               .vectors_x = x.groups_of_four(1),
               .vectors_y = excite && y.groups_of_four(1),
               .vectors_w = w.groups_of_four(2),
               .weights = weights_type(w)},
      .parameters = parameters_of(step, image, share)});
  builder.buffer(x).buffer(w).buffer(excite ? scratch : x).buffer(excite ? y : scratch);
  builder.uniform(input_operand(step, kBiasInput)).uniform(input_operand(step, kGateBiasInput));
  return builder;
}

Status emit_squeeze_excite(const Step& step, const DispatchSink& sink) {
  const GatedImage image = image_of(step);
  const ImageShare squeeze = squeeze_share(image), excite = excite_share(image);
  ARENITE_TRY(pass(step, image, squeeze, false).run_groups(sink, image.images * squeeze.parts()));
  return pass(step, image, excite, true).run_groups(sink, image.images * excite.parts());
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kSqueezeExcite,
     .types = types::kFloat32,
     .accepts = accepts_squeeze_excite,
     .emit = emit_squeeze_excite,
     .scratch_bytes = scratch_bytes_of_squeeze_excite},
};

}  // namespace

std::span<const DispatchRow> squeeze_excite_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
