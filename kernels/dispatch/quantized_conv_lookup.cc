// Quantized convolutions of bytes whose results a table replaces, in one dispatch.
#include "kernels/shaders/quantized_conv_lookup.h"

#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/dispatch/whole_conv.h"
#include "ops/quantized_conv_ends.h"
#include "ops/requantization.h"

namespace arenite {
namespace {

WholeConv conv_of(const Step& step) { return whole_conv(step, Shader::kQuantizedConvLookup); }

bool accepts_quantized_conv_lookup(const Step& step) {
  return accepts_joined_conv(step, conv_of(step));
}

uint32_t choose_quantized_conv_lookup(const Step& step, const Capabilities&) {
  return choose_whole_tile(conv_of(step));
}

Status emit_quantized_conv_lookup(const Step& step, const DispatchSink& sink) {
  const WholeConv conv = conv_of(step);
  const WholeTile tile = whole_tile(step.record().choice);
  const Operand& x = conv.operands.x;
  const Operand& w = conv.operands.w;
  const Operand& y = conv.operands.y;
  const Operand ends = input_operand(step, kEndsInput), table = input_operand(step, kJoinedInput);
  const uint64_t tiles = tiles_of(conv, 1u << tile.places_log);
  DispatchBuilder builder(
      shaders::QuantizedConvLookup{.spec = {.store = store_of(conv),
                                            .type_x = integer_type(x),
                                            .type_w = integer_type(w),
                                            .words = conv.pass.words,
                                            .rounding = conv.attributes.output.rounding,
                                            .slices = 1u << tile.slices_log,
                                            .places = 1u << tile.places_log},
                                   .push = {.count = static_cast<uint32_t>(tiles)},
                                   .parameters = {.whole = joined_conv_words(conv),
                                                  .own = conv_words(conv),
                                                  .ends = ends_words(ends),
                                                  .table_skip = table.skip,
                                                  .table_stride = table.strides[0],
                                                  .lowest = range_of(y.dtype).low}});
  builder.buffer(x).buffer(w).buffer(table).buffer(y).uniform(ends);
  return builder.run_invocations(sink, tiles << tile.slices_log);
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kQuantizedConvLookup,
     .types = types::kByte,
     .accepts = accepts_quantized_conv_lookup,
     .emit = emit_quantized_conv_lookup,
     .choices = kWholeChoices,
     .choose = choose_quantized_conv_lookup},
};

}  // namespace

std::span<const DispatchRow> quantized_conv_lookup_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
