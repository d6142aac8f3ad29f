// Resizes by tables, through resize.comp: an invocation for each element, of any type where it is
// only moved.
#include "core/contract.h"
#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/rules.h"
#include "kernels/dispatch/spatial_loops.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

constexpr uint32_t kAxes = 3;

// kWeights of the shader.
uint32_t weights_of(const Step& step) {
  if (!step.has_input(2)) return 0;
  return is_float(input_operand(step, 0)) ? 1 : 2;
}

}  // namespace

// The shader weighs float32 and integers of a byte.
bool supports_resize(const Step& step) {
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
  DispatchBuilder builder(Shader::kResize);
  builder.buffer(x).buffer(firsts).buffer(weights).buffer(y);
  builder.spec(stores.kind).spec(weights_of(step)).spec(integer_type(y)).spec(words == 2);
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
  builder.parameter_loops(loops, 3).parameter(attributes.fraction_bits).fill_parameters();
  return builder.run_invocations(sink, stores.invocations);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
