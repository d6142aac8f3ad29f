// Resizes by tables, through resize.comp: an invocation for each element, of any type where it is
// only moved.
#include "kernels/dispatch/elements.h"
#include "kernels/dispatch/rules.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

constexpr uint32_t kAxes = 3;

// Operands x, y; and what tells resized axes from others and each other, so that none is joined
// with a neighbour: no dim makes both numbers of one axis those of another.
Loops loops_of(const Operand& x, const Operand& y, const ResizeAttributes& attributes) {
  const uint32_t words = words_each(y);
  Loops loops;
  for (uint32_t d = 0; d < y.rank; ++d) {
    uint32_t code = 0;
    for (uint32_t k = 0; k < kAxes; ++k) {
      if (attributes.taps[k] != 0 && attributes.axis[k] == d) code = k + 1;
    }
    loops.add(y.dims[d], x.strides[d] * words, y.strides[d] * words, code,
              code == 0 ? 0 : kAxes + 1 - code);
  }
  loops.add(words, 1, 1);
  collapse_dims(loops, 1);
  return loops;
}

}  // namespace

// The shader weighs float32 alone.
bool supports_resize(const Step& step) {
  return !step.has_input(2) || is_float(input_operand(step, 0));
}

Status emit_resize(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand firsts = input_operand(step, 1);
  const bool weighted = step.has_input(2);
  const Operand weights = weighted ? input_operand(step, 2) : firsts;
  const Operand y = output_operand(step, 0);
  const auto attributes = step.attributes<ResizeAttributes>();
  const uint32_t words = words_each(y);
  const Loops loops = loops_of(x, y, attributes);
  const uint32_t y_skip = skip_of(y);
  const Stores stores = stores_of(y, loops, 1, y_skip);
  DispatchBuilder builder(Shader::kResize);
  builder.buffer(x).buffer(firsts).buffer(weights).buffer(y);
  builder.spec(stores.kind).spec(weighted).spec(element_type(y)).spec(words == 2);
  builder.push(static_cast<uint32_t>(loops.count())).push(y_skip);
  builder.parameter(loops.rank).parameter(skip_of(x));
  builder.parameter(firsts.skip).parameter(firsts.strides[0]);
  builder.parameter(weights.skip).parameter(weights.strides[0]);
  builder.parameter(attributes.outside_bits[0]).parameter(attributes.outside_bits[1]);
  uint32_t first = 0;
  uint32_t weight = 0;
  for (uint32_t k = 0; k < kAxes; ++k) {
    const bool there = attributes.taps[k] != 0;
    const uint32_t d = attributes.axis[k];
    const uint32_t taps = there ? attributes.taps[k] : 1;
    builder.parameter(there ? 1u : 0u).parameter(taps).parameter(there ? x.strides[d] * words : 0);
    builder.parameter(there ? x.dims[d] - taps : 0).parameter(first).parameter(weight);
    if (!there) continue;
    first += y.dims[d];
    weight += y.dims[d] * taps;
  }
  for (uint32_t d = 0; d < Loops::kDims; ++d) builder.parameter(d < loops.rank ? loops.dims[d] : 1);
  for (uint32_t k = 0; k < 3; ++k) {
    for (uint32_t d = 0; d < Loops::kDims; ++d) {
      builder.parameter(d < loops.rank ? loops.strides[k][d] : 0);
    }
  }
  builder.fill_parameters();
  return builder.run_invocations(sink, stores.invocations);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
