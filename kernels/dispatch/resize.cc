// Resizes by tables, through resize.comp: an invocation for each element, of any type where it is
// only moved.
#include "kernels/shaders/resize.h"

#include "core/contract.h"
#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/dispatch/spatial_loops.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

constexpr uint32_t kAxes = 3;

shaders::Resize::Weighting weighting_of(const Step& step) {
  using Weighting = shaders::Resize::Weighting;
  if (!step.has_input(2)) return Weighting::kUnweighted;
  return is_float(input_operand(step, 0)) ? Weighting::kFloats : Weighting::kIntegers;
}

// The shader weighs float32 and integers of a byte.
bool accepts_resize(const Step& step) {
  const Operand x = input_operand(step, 0);
  return !step.has_input(2) || is_float(x) || has(types::kByte, x.dtype);
}

Status emit_resize(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand firsts = input_operand(step, 1);
  const bool weighted = step.has_input(2);
  const Operand weights = weighted ? input_operand(step, 2) : firsts;
  const Operand y = output_operand(step, 0);
  const auto attributes = step.attributes<ResizeAttributes>();
  const uint32_t words = words_each(y);
  uint32_t axes[kAxes];
  for (uint32_t k = 0; k < kAxes; ++k) {
    axes[k] = attributes.taps[k] != 0 ? attributes.axis[k] : kNoIndex;
  }
  const Loops loops = spatial_loops(x, y, axes);
  const uint32_t y_skip = skip_of(y);
  const Stores stores = stores_of(y, loops, 1, y_skip);
  uint32_t first = 0;
  uint32_t weight = 0;
  const auto axis = [&](uint32_t k) {
    const bool there = attributes.taps[k] != 0;
    const uint32_t d = attributes.axis[k];
    const uint32_t taps = there ? attributes.taps[k] : 1;
    const shaders::Resize::Axis result = {.there = there ? 1u : 0u,
                                          .taps = taps,
                                          .x_stride = there ? x.strides[d] * words : 0u,
                                          .highest = there ? x.dims[d] - taps : 0u,
                                          .first = first,
                                          .weight = weight};
    if (there) {
      first += y.dims[d];
      weight += y.dims[d] * taps;
    }
    return result;
  };
  DispatchBuilder builder(
      shaders::Resize{.spec = {.store = stores.kind,
                               .weights = weighting_of(step),
                               .type_of_x = integer_type(y),
                               .wide = words == 2},
                      .push = {.count = static_cast<uint32_t>(loops.count()), .y_skip = y_skip},
                      .parameters = {.rank = loops.rank,
                                     .x_skip = skip_of(x),
                                     .firsts_skip = firsts.skip,
                                     .firsts_stride = firsts.strides[0],
                                     .weights_skip = weights.skip,
                                     .weights_stride = weights.strides[0],
                                     .outside = attributes.outside_bits,
                                     .axes = {axis(0), axis(1), axis(2)},
                                     .dims = shaders::dims_of(loops),
                                     .x_strides = shaders::strides_of(loops, 0),
                                     .y_strides = shaders::strides_of(loops, 1),
                                     .codes = shaders::strides_of(loops, 2),
                                     .fraction_bits = attributes.fraction_bits}});
  builder.buffer(x).buffer(firsts).buffer(weights).buffer(y);
  return builder.run_invocations(sink, stores.invocations);
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kResize,
     .types = types::kAny,
     .accepts = accepts_resize,
     .emit = emit_resize},
};

}  // namespace

std::span<const DispatchRow> resize_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
