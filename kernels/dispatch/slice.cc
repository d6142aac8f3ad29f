// Copies every step-th element from a start, forwards or backwards, through copy.comp.
#include "kernels/dispatch/rules.h"
#include "kernels/dispatch/unary.h"

namespace arenite {

bool supports_slice(const Step& step) { return supports_copy(step); }

Status emit_slice(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  const auto attributes = step.attributes<SliceAttributes>();
  CopyRange range;
  for (uint32_t d = 0; d < y.rank; ++d) {
    // Modulo 2^32, as the shader adds: a negative step is a very large stride.
    range.x_first += static_cast<uint32_t>(attributes.start[d]) * x.strides[d];
    range.loops.add(y.dims[d], static_cast<uint32_t>(attributes.step[d]) * x.strides[d],
                    y.strides[d]);
  }
  return emit_copy_range(x, y, range, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
