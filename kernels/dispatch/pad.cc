// Fills the output with the value, then copies what lies inside the input over it: copy.comp twice.
#include "core/attributes.h"
#include "kernels/dispatch/rules.h"
#include "kernels/dispatch/unary.h"

namespace arenite {
namespace {

// Writes the value to all of y, from operand 1 when present.
Status emit_fill(const Step& step, const DispatchSink& sink) {
  const Operand y = output_operand(step, 0);
  Loops loops;
  for (uint32_t d = 0; d < y.rank; ++d) loops.add(y.dims[d], 0, y.strides[d]);
  if (step.has_input(1)) {
    return emit_copy_range(input_operand(step, 1), y, {loops}, sink);
  }
  collapse_dims(loops, 1);
  DispatchBuilder builder(Shader::kCopy);
  builder.buffer(y).buffer(y).spec(1);  // nothing is read
  builder.push(static_cast<uint32_t>(loops.count())).push(shader_rank(loops)).push(0u).push(y.skip);
  builder.push(step.attributes<PadAttributes>().value_bits[0]).push_loops(loops, kMaxRank, 2);
  return builder.run_invocations(sink, loops.count());
}

}  // namespace

bool supports_pad(const Step& step) {
  if (!supports_copy(step)) return false;
  if (!step.has_input(1)) return true;
  const Operand value = input_operand(step, 1);
  return value.dtype == output_operand(step, 0).dtype && value.count() == 1;
}

Status emit_pad(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  const auto attributes = step.attributes<PadAttributes>();
  CopyRange inside;
  bool whole = true, none = false;
  for (uint32_t d = 0; d < y.rank; ++d) {
    // The indices of y that have a counterpart in x.
    const int64_t begin = attributes.begin[d];
    const int64_t first = begin > 0 ? begin : 0;
    const int64_t end = begin + int64_t{x.dims[d]};
    const int64_t last = end < int64_t{y.dims[d]} ? end : int64_t{y.dims[d]};
    none = none || first >= last;
    whole = whole && first == 0 && last == int64_t{y.dims[d]};
    if (none) break;
    inside.x_first += static_cast<uint32_t>(first - begin) * x.strides[d];
    inside.y_first += static_cast<uint32_t>(first) * y.strides[d];
    inside.loops.add(static_cast<uint32_t>(last - first), x.strides[d], y.strides[d]);
  }
  if (none || !whole) ARENITE_TRY(emit_fill(step, sink));
  return none ? ok_status() : emit_copy_range(x, y, inside, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
