// How each kernel op becomes dispatches: supports_<name> and emit_<name>, in <name>.cc.
#pragma once

#include "core/step.h"
#include "kernels/dispatch/dispatch.h"

namespace arenite {

// supports_<name>: whether shaders do this step; vulkan_supports has looked at what concerns every
// op (ranges, empty operands, placement) before. emit_<name>: its dispatches; the step is supported
// and output 0 is not empty.
#define ARENITE_KERNEL_OP(number, name, Type, shader) \
  bool supports_##name(const Step& step);             \
  Status emit_##name(const Step& step, const DispatchSink& sink);
#include "schema/ops.def"

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
