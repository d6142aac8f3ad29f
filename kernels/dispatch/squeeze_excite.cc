// Squeeze and excitation in two dispatches: means and the first product in parts, then gates and
// results.
#include "kernels/shaders/squeeze_excite.h"

#include <algorithm>
#include <bit>

#include "kernels/dispatch/binding.h"
#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/dispatch/weights.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

constexpr uint32_t kBiasInput = 2, kGateBiasInput = 3;
// Invocations of a group, which share its channels and places.
constexpr uint64_t kLanes = 64;
// So many groups run at once on a large GPU.
constexpr uint64_t kGroupsAtOnce = 1024;
// Vectors that an invocation of the second pass multiplies: it loads them at once.
constexpr uint64_t kPlacesAtOnce = 4;
constexpr uint32_t kQuadsLogMin = 2, kQuadsLogMax = 5, kChunksLogMax = 7;

struct Image {
  uint64_t images, places;
  uint32_t channels, rows;
};

Image image_of(const Step& step) {
  const Operand x = input_operand(step, 0), w = input_operand(step, 1);
  return {.images = x.dims[0],
          .places = uint64_t{x.dims[2]} * x.dims[3],
          .channels = x.dims[1],
          .rows = w.dims[1]};
}

// A pass shares out an image among groups: each has a block of channels and a chunk of places.
struct Share {
  uint32_t quads_log;  // of a block, of four channels each
  uint64_t blocks, chunks, chunk;

  uint64_t parts() const { return blocks * chunks; }
};

Share share_of(const Image& image, uint32_t quads_log, uint64_t chunk) {
  const uint64_t quads = (uint64_t{image.channels} + 3) / 4;
  return {.quads_log = quads_log,
          .blocks = (quads + (uint64_t{1} << quads_log) - 1) >> quads_log,
          .chunks = (image.places + chunk - 1) / chunk,
          .chunk = chunk};
}

// Invocations of the second pass lie beside each other for so many rows, and share the parts.
uint32_t row_lanes_log(const Image& image) {
  return std::min<uint32_t>(static_cast<uint32_t>(std::bit_width(image.rows - 1)), 6);
}

uint64_t loads_of_parts(const Image& image, const Share& share) {
  const uint32_t log = row_lanes_log(image);
  const uint64_t turns = (image.rows + (uint64_t{1} << log) - 1) >> log;
  const uint64_t slices = kLanes >> log;
  return turns * ((share.parts() + slices - 1) / slices);
}

// Loads of an invocation one behind another, in both passes: places and weights here, and the parts
// that an invocation of the second pass adds up. Groups that do not run at once wait.
uint64_t squeeze_cost(const Image& image, const Share& share) {
  const uint64_t lanes = kLanes >> share.quads_log;
  const uint64_t places = (share.chunk + lanes - 1) / lanes;
  const uint64_t weights = ((image.rows + kLanes - 1) / kLanes) << share.quads_log;
  const uint64_t waves = (image.images * share.parts() + kGroupsAtOnce - 1) / kGroupsAtOnce;
  return (places + weights) * waves + loads_of_parts(image, share);
}

Share squeeze_share(const Image& image) {
  Share best = {};
  uint64_t least = UINT64_MAX;
  for (uint32_t quads_log = kQuadsLogMin; quads_log <= kQuadsLogMax; ++quads_log) {
    for (uint32_t log = 0; log <= kChunksLogMax; ++log) {
      const uint64_t chunk = (image.places + (uint64_t{1} << log) - 1) >> log;
      const Share share = share_of(image, quads_log, chunk);
      const uint64_t cost = squeeze_cost(image, share);
      if (cost >= least) continue;
      least = cost;
      best = share;
    }
  }
  return best;
}

Share excite_share(const Image& image) {
  const uint32_t quads_log = image.channels <= 16 ? 2 : 3;
  const uint64_t blocks = share_of(image, quads_log, image.places).blocks;
  const uint64_t usual = (kLanes >> quads_log) * kPlacesAtOnce;
  // Each group adds up the parts anew: more groups than run at once are not worth it.
  const uint64_t chunks_max = std::max<uint64_t>(kGroupsAtOnce / (blocks * image.images), 1);
  return share_of(image, quads_log, std::max(usual, (image.places + chunks_max - 1) / chunks_max));
}

bool has_elements(const Image& image) {
  return image.images != 0 && image.places != 0 && image.channels != 0 && image.rows != 0;
}

bool accepts_squeeze_excite(const Step& step) {
  const Image image = image_of(step);
  if (!has_elements(image)) return true;  // y is empty: an empty w is refused before
  const uint64_t parts = image.images * squeeze_share(image).parts();
  return is_uniform(step.bindings(), step.input_value(kBiasInput)) &&
         is_uniform(step.bindings(), step.input_value(kGateBiasInput)) &&
         parts < kMaxInvocations / image.rows &&
         image.images * excite_share(image).parts() < kMaxInvocations / kLanes;
}

uint64_t scratch_bytes_of_squeeze_excite(const Step& step) {
  const Image image = image_of(step);
  if (!has_elements(image)) return 0;
  return image.images * squeeze_share(image).parts() * image.rows * sizeof(float);
}

bool crosses_rows_in_one_stride(const Operand& image) {
  return image.strides[2] == image.dims[3] * image.strides[3];
}

shaders::SqueezeExcite::Parameters parameters_of(const Step& step, const Image& image,
                                                 const Share& share) {
  const Operand x = input_operand(step, 0), w = input_operand(step, 1);
  const Operand bias = input_operand(step, kBiasInput);
  const Operand gate_bias = input_operand(step, kGateBiasInput), y = output_operand(step, 0);
  const auto a = step.attributes<SqueezeExciteAttributes>();
  const bool flat = crosses_rows_in_one_stride(x) && crosses_rows_in_one_stride(y);
  return {.groups = static_cast<uint32_t>(image.images * share.parts()),
          .channels = image.channels,
          .rows = image.rows,
          .width = flat ? static_cast<uint32_t>(image.places) : x.dims[3],
          .places = static_cast<uint32_t>(image.places),
          .blocks = static_cast<uint32_t>(share.blocks),
          .quads_log = share.quads_log,
          .chunks = static_cast<uint32_t>(share.chunks),
          .chunk = static_cast<uint32_t>(share.chunk),
          .parts = static_cast<uint32_t>(squeeze_share(image).parts()),
          .row_lanes_log = row_lanes_log(image),
          .x_skip = x.skip,
          .w_skip = w.skip,
          .y_skip = y.skip,
          .bias_skip = bias.skip,
          .gate_bias_skip = gate_bias.skip,
          .x_strides = shaders::first_of(x.strides),
          .y_strides = shaders::first_of(y.strides),
          .w_strides = shaders::first_of(w.strides),
          .bias_stride = bias.strides[0],
          .gate_bias_stride = gate_bias.strides[0],
          .inner_a = a.inner_activation.a,
          .inner_b = a.inner_activation.b,
          .a = a.gate_activation.a,
          .b = a.gate_activation.b};
}

// The first pass has no use for what ends the second one: all steps share its specialization.
DispatchBuilder pass(const Step& step, const Image& image, const Share& share, bool excite) {
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
  const Image image = image_of(step);
  const Share squeeze = squeeze_share(image), excite = excite_share(image);
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
