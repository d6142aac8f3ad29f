// Fourier transforms: an invocation of dft.comp for each bin of each frame.
#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/rules.h"
#include "ops/attributes.h"

namespace arenite {

bool supports_dft(const Step& step) { return is_float(input_operand(step, 0)); }

Status emit_dft(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand twiddles = input_operand(step, 1);
  const bool windowed = step.has_input(2);
  const Operand window = windowed ? input_operand(step, 2) : twiddles;
  const Operand y = output_operand(step, 0);
  const auto attributes = step.attributes<DftAttributes>();
  const uint64_t count = y.count() / 2;
  DispatchBuilder builder(Shader::kDft);
  builder.buffer(x).buffer(twiddles).buffer(window).buffer(y);
  builder.spec(windowed).spec(x.dims[2] == 2);
  builder.push(static_cast<uint32_t>(count)).push(x.dims[1]).push(twiddles.dims[0]);
  builder.push(y.dims + 1, 2).push(attributes.hop).push(attributes.scale);
  builder.push(x.skip).push(twiddles.skip).push(window.skip).push(y.skip);
  builder.push(x.strides, 3).push(twiddles.strides, 2).push(windowed ? window.strides[0] : 0u);
  builder.push(y.strides, 4);
  return builder.run_invocations(sink, count);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
