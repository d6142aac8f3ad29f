// Fourier transforms: an invocation of dft.comp for each bin of each frame.
#include "kernels/shaders/dft.h"

#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/row_files.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

Status emit_dft(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand twiddles = input_operand(step, 1);
  const bool windowed = step.has_input(2);
  const Operand window = windowed ? input_operand(step, 2) : twiddles;
  const Operand y = output_operand(step, 0);
  const auto attributes = step.attributes<DftAttributes>();
  const uint64_t count = y.count() / 2;
  DispatchBuilder builder(
      shaders::Dft{.spec = {.windowed = windowed, .complex = x.dims[2] == 2},
                   .push = {.count = static_cast<uint32_t>(count),
                            .signal = x.dims[1],
                            .n = twiddles.dims[0],
                            .frames = y.dims[1],
                            .bins = y.dims[2],
                            .hop = attributes.hop,
                            .scale = attributes.scale,
                            .x_skip = x.skip,
                            .twiddles_skip = twiddles.skip,
                            .window_skip = window.skip,
                            .y_skip = y.skip,
                            .x_strides = shaders::first_of(x.strides),
                            .twiddles_strides = shaders::first_of(twiddles.strides),
                            .window_stride = windowed ? window.strides[0] : 0u,
                            .y_strides = shaders::first_of(y.strides)}});
  builder.buffer(x).buffer(twiddles).buffer(window).buffer(y);
  return builder.run_invocations(sink, count);
}

constexpr DispatchRow kRows[] = {
    {.form = 0, .shader = Shader::kDft, .types = types::kFloat32, .emit = emit_dft},
};

}  // namespace

std::span<const DispatchRow> dft_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
