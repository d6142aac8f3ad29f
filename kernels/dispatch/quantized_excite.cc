// Channels of bytes times gates, which one or two dispatches make of their means.
#include "kernels/shaders/quantized_excite.h"

#include <algorithm>
#include <initializer_list>

#include "kernels/dispatch/binding.h"
#include "kernels/dispatch/image_shares.h"
#include "kernels/dispatch/integer_sums.h"
#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/shaders/shared/each_element.h"
#include "ops/quantized_excite.h"

namespace arenite {
namespace {

constexpr uint32_t kChannelAxis = 1, kWeightsAxis = 2;

GatedImage image_of(const Step& step) {
  return gated_image(input_operand(step, 0), input_operand(step, kGateWeightsInput));
}

// Bytes of the first weights that each group may read: beyond, a pass of its own takes less time.
// On an H200 one dispatch takes 8.5 us and 0.14 us a kilobyte.
constexpr uint64_t kOnePassBytesMax = 32768;

bool has_two_passes(const GatedImage& image) {
  return uint64_t{image.rows} * image.channels > kOnePassBytesMax;
}

uint64_t batches_of(const GatedImage& image) {
  return image.images * ((image.rows + shaders::kRowBatch - 1) / shaders::kRowBatch);
}

uint64_t scratch_bytes_of_quantized_excite(const Step& step) {
  const GatedImage image = image_of(step);
  return has_two_passes(image) ? image.images * image.rows * sizeof(int32_t) : 0;
}

bool accepts_quantized_excite(const Step& step) {
  const GatedImage image = image_of(step);
  if (!image.has_elements()) return true;  // y is empty: an empty w is refused before
  for (const uint32_t i : {kHiddenEndsInput, kGateEndsInput, kTablesInput}) {
    if (!is_uniform(step.bindings(), step.input_value(i))) return false;
  }
  return std::max(image.images * excite_share(image).parts(), batches_of(image)) <
         kMaxInvocations / kWorkgroupSize;
}

bool are_words(const Operand& operand, uint32_t axis) {
  return operand.dims[axis] % 4 == 0 && are_words_of_four(operand, axis);
}

// Chooses how the shader reads the weights.
shaders::WordUse words_of(const Operand& w) {
  if (!are_words(w, kWeightsAxis)) return shaders::WordUse::kBytes;
  return w.dims[kWeightsAxis] % 16 == 0 && has_vectors(w, kWeightsAxis)
             ? shaders::WordUse::kVectorsOfRuns
             : shaders::WordUse::kWordsOfRuns;
}

shaders::ExciteParameters parameters_of(const Step& step, const GatedImage& image,
                                        const ImageShare& share) {
  const Operand x = input_operand(step, 0), means = input_operand(step, kMeansInput);
  const Operand w = input_operand(step, kGateWeightsInput);
  const Operand ends = input_operand(step, kHiddenEndsInput);
  const Operand gate_ends = input_operand(step, kGateEndsInput);
  const Operand tables = input_operand(step, kTablesInput), y = output_operand(step, 0);
  const auto a = step.attributes<QuantizedExciteAttributes>();
  return {.share = share_words(image, share, x, y),
          .means_skip = means.skip,
          .w_skip = w.skip,
          .ends_skip = ends.skip,
          .gate_ends_skip = gate_ends.skip,
          .means_strides = shaders::first_of(means.strides),
          .w_strides = shaders::first_of(w.strides),
          .ends_strides = shaders::first_of(ends.strides),
          .gate_ends_strides = shaders::first_of(gate_ends.strides),
          .means_zero = a.means_zero_point,
          .hidden_zero = a.hidden_zero_point,
          .w_zeros = a.w_zero_points,
          .hidden_output_zero = a.hidden.zero_point,
          .hidden_low = a.hidden.low,
          .hidden_high = a.hidden.high,
          .gate_output_zero = a.gate.zero_point,
          .gate_low = a.gate.low,
          .gate_high = a.gate.high,
          .zero_points = a.product.zero_points,
          .multiplier = a.product.multiplier,
          .shift = a.product.shift,
          .output = output_words(a.product.output),
          .tables = table_words(tables)};
}

Status emit_pass(const Step& step, shaders::ExcitePass pass, const DispatchSink& sink) {
  const GatedImage image = image_of(step);
  const ImageShare share = excite_share(image);
  const Operand x = input_operand(step, 0), means = input_operand(step, kMeansInput);
  const Operand w = input_operand(step, kGateWeightsInput), y = output_operand(step, 0);
  const bool hidden = pass == shaders::ExcitePass::kHidden;
  const uint64_t groups = hidden ? batches_of(image) : image.images * share.parts();
  const auto a = step.attributes<QuantizedExciteAttributes>();
  shaders::ExciteParameters parameters = parameters_of(step, image, share);
  parameters.share.groups = static_cast<uint32_t>(groups);
  DispatchBuilder builder(shaders::QuantizedExcite{
      .spec = {.store = element_type(y) | (are_words(y, kChannelAxis) ? shaders::kRun : 0u),
               .type_x = integer_type(x),
               .type_w = integer_type(w),
               .words = words_of(w),
               .words_x = are_words(x, kChannelAxis),
               .hidden_rounding = a.hidden.rounding,
               .gate_rounding = a.gate.rounding,
               .rounding = a.product.output.rounding,
               .pass = pass},
      .parameters = parameters});
  builder.buffer(x);
  builder.buffer(pass == shaders::ExcitePass::kGates ? scratch_operand(step) : means);
  builder.buffer(w).buffer(hidden ? scratch_operand(step) : y);
  for (const uint32_t i : {kHiddenEndsInput, kGateEndsInput, kTablesInput}) {
    builder.uniform(input_operand(step, i));
  }
  return builder.run_groups(sink, groups);
}

Status emit_quantized_excite(const Step& step, const DispatchSink& sink) {
  if (!has_two_passes(image_of(step))) return emit_pass(step, shaders::ExcitePass::kAll, sink);
  ARENITE_TRY(emit_pass(step, shaders::ExcitePass::kHidden, sink));
  return emit_pass(step, shaders::ExcitePass::kGates, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kQuantizedExcite,
     .types = types::kByte,
     .accepts = accepts_quantized_excite,
     .emit = emit_quantized_excite,
     .scratch_bytes = scratch_bytes_of_quantized_excite},
};

}  // namespace

std::span<const DispatchRow> quantized_excite_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
