// Pointwise and depthwise convolution of bytes in one dispatch: a group does four channels of a
// tile.
#include "kernels/shaders/quantized_pointwise_depthwise.h"

#include "kernels/dispatch/binding.h"
#include "kernels/dispatch/depthwise_step.h"
#include "kernels/dispatch/integer_sums.h"
#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/shaders/shared/each_element.h"

namespace arenite {
namespace {

using Attributes = QuantizedPointwiseDepthwiseAttributes;

constexpr uint32_t kEndsInput = 2, kTapsInput = kDepthwiseTapsInput, kTapsEndsInput = 4;
constexpr uint32_t kTablesInput = 5;

DepthwiseImage image_of(const Step& step) { return depthwise_image<Attributes>(step); }

bool accepts_tile(const Step& step) {
  const DepthwiseImage image = image_of(step);
  const DepthwiseTile tile = tile_of(image, step.record().choice);
  return is_uniform(step.bindings(), step.input_value(kEndsInput)) &&
         is_uniform(step.bindings(), step.input_value(kTapsEndsInput)) && has_few_taps(image) &&
         fits_shared_memory(image, tile);
}

bool accepts_without_tables(const Step& step) {
  return !step.has_input(kTablesInput) && accepts_tile(step);
}

bool accepts_tables(const Step& step) {
  return step.has_input(kTablesInput) &&
         is_uniform(step.bindings(), step.input_value(kTablesInput)) && accepts_tile(step);
}

uint32_t choose_quantized_pointwise_depthwise(const Step& step, const Capabilities&) {
  const DepthwiseImage image = image_of(step);
  return has_few_taps(image) ? choose_depthwise_tile(of_bytes(image)) : kNotSuitable;
}

// Chooses how the shader reads x and w.
WordUse words_of(const Operand& x, const Operand& w) {
  if (!are_words_of_four(x, 1) || !are_words_of_four(w, 1) || x.dims[1] % 4 != 0) {
    return WordUse::kBytes;
  }
  return x.dims[1] % 16 == 0 && has_vectors(x, 1) && has_vectors(w, 1) ? WordUse::kVectorsOfRuns
                                                                       : WordUse::kWordsOfRuns;
}

shaders::DepthwiseParameters parameters_of(const Step& step, const DepthwiseImage& image,
                                           const DepthwiseTile& tile) {
  const Operand x = input_operand(step, 0), w = input_operand(step, 1);
  const Operand ends = input_operand(step, kEndsInput), taps = input_operand(step, kTapsInput);
  const Operand taps_ends = input_operand(step, kTapsEndsInput), y = output_operand(step, 0);
  const auto a = step.attributes<Attributes>();
  const bool has_tables = step.has_input(kTablesInput);  // else nothing reads their words
  return {.image = tile_words(step, image, tile),
          .x_skip = x.skip,
          .w_skip = w.skip,
          .ends_skip = ends.skip,
          .taps_skip = taps.skip,
          .taps_ends_skip = taps_ends.skip,
          .y_skip = y.skip,
          .x_strides = shaders::first_of(x.strides),
          .y_strides = shaders::first_of(y.strides),
          .taps_strides = shaders::first_of(taps.strides),
          .w_strides = shaders::first_of(w.strides),
          .ends_strides = shaders::first_of(ends.strides),
          .taps_ends_strides = shaders::first_of(taps_ends.strides),
          .x_zero = a.x_zero_point,
          .w_zero = a.w_zero_point,
          .inner_zero = a.inner_zero_point,
          .taps_zero = a.taps_zero_point,
          .inner_output_zero = a.inner.zero_point,
          .inner_low = a.inner.low,
          .inner_high = a.inner.high,
          .output = output_words(a.output),
          .tables = table_words(has_tables ? input_operand(step, kTablesInput) : y)};
}

Status emit_quantized_pointwise_depthwise(const Step& step, const DispatchSink& sink) {
  const DepthwiseImage image = image_of(step);
  const DepthwiseTile tile = tile_of(image, step.record().choice);
  const Operand x = input_operand(step, 0), w = input_operand(step, 1);
  const Operand taps = input_operand(step, kTapsInput), y = output_operand(step, 0);
  const auto a = step.attributes<Attributes>();
  const bool whole_words = y.dims[1] % 4 == 0 && are_words_of_four(y, 1);
  const bool has_tables = step.has_input(kTablesInput);
  const Shader shader = has_tables ? Shader::kQuantizedPointwiseDepthwiseLookup
                                   : Shader::kQuantizedPointwiseDepthwise;
  DispatchBuilder builder(
      shader, shaders::QuantizedPointwiseDepthwise{
                  .spec = {.store = element_type(y) | (whole_words ? shaders::kRun : 0u),
                           .type_x = integer_type(x),
                           .type_w = integer_type(w),
                           .type_taps = integer_type(taps),
                           .words = words_of(x, w),
                           .words_taps = y.dims[1] % 4 == 0 && are_words_of_four(taps, 2),
                           .inner_rounding = a.inner.rounding,
                           .rounding = a.output.rounding,
                           .slices = 1u << tile.slices_log,
                           .places = static_cast<uint32_t>(places_of(image, tile))},
                  .parameters = parameters_of(step, image, tile)});
  builder.buffer(x).buffer(w).buffer(taps).buffer(y);
  builder.uniform(input_operand(step, kEndsInput)).uniform(input_operand(step, kTapsEndsInput));
  if (has_tables) builder.uniform(input_operand(step, kTablesInput));
  return builder.run_groups(sink, groups_of(image, tile));
}

constexpr DispatchRow row(uint8_t form, Shader shader, bool (*accepts)(const Step& step)) {
  return {.form = form,
          .shader = shader,
          .types = types::kByte,
          .accepts = accepts,
          .emit = emit_quantized_pointwise_depthwise,
          .choices = kTileChoices,
          .choose = choose_quantized_pointwise_depthwise};
}

constexpr DispatchRow kRows[] = {
    row(1, Shader::kQuantizedPointwiseDepthwiseLookup, accepts_tables),
    row(0, Shader::kQuantizedPointwiseDepthwise, accepts_without_tables),
};

}  // namespace

std::span<const DispatchRow> quantized_pointwise_depthwise_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
