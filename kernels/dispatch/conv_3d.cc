// Convolutions over three spatial dims: an invocation of conv_3d.comp for each output element.
#include "kernels/shaders/conv_3d.h"

#include "kernels/dispatch/conv_volume.h"
#include "kernels/dispatch/row_files.h"
#include "ops/window.h"

namespace arenite {
namespace {

bool accepts_conv_3d(const Step& step) { return accepts_conv_volume(step); }

Status emit_conv_3d(const Step& step, const DispatchSink& sink) {
  // Neighboring taps take inputs a dilation apart, counted down as the shader does.
  struct Axis : Window {
    uint32_t tap_step, input_step;
  };
  const auto a = step.attributes<Conv3dAttributes>();
  const auto along = [&](uint32_t axis, const Operand& x, const Operand& w) {
    const Window window = {x.dims[2 + axis], w.dims[2 + axis], a.stride[axis], a.dilation[axis],
                           a.pad_begin[axis]};
    return Axis{window, 1u, 0u - a.dilation[axis]};
  };
  return emit_conv_volume<shaders::Conv3d>(step, a, along, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kConv3d,
     .types = types::kFloat32,
     .accepts = accepts_conv_3d,
     .emit = emit_conv_3d},
};

}  // namespace

std::span<const DispatchRow> conv_3d_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
