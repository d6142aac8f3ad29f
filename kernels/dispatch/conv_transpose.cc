// Transposed convolutions: an invocation of conv_transpose.comp for each output element.
#include "kernels/shaders/conv_transpose.h"

#include "kernels/dispatch/conv_volume.h"
#include "kernels/dispatch/row_files.h"
#include "ops/window.h"

namespace arenite {
namespace {

bool accepts_conv_transpose(const Step& step) { return accepts_conv_volume(step); }

Status emit_conv_transpose(const Step& step, const DispatchSink& sink) {
  const auto a = step.attributes<ConvTransposeAttributes>();
  const auto along = [&](uint32_t axis, const Operand& x, const Operand& w) {
    return TransposedWindow(x.dims[2 + axis], w.dims[2 + axis], a.stride[axis], a.dilation[axis],
                            a.pad_begin[axis]);
  };
  return emit_conv_volume<shaders::ConvTranspose>(step, a, along, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kConvTranspose,
     .types = types::kFloat32,
     .accepts = accepts_conv_transpose,
     .emit = emit_conv_transpose},
};

}  // namespace

std::span<const DispatchRow> conv_transpose_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
