// Family softmax: exponentials normalized to sum to one along the axes, through softmax.comp; long
// rows through softmax_subgroup.comp, where a device reduces across subgroups.
#include "kernels/shaders/softmax.h"

#include "kernels/dispatch/row_files.h"
#include "kernels/dispatch/rows.h"
#include "kernels/shaders/softmax_subgroup.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

uint32_t choose_softmax(const Step& step, const Capabilities&) {
  return choose_rows(step, step.attributes<SoftmaxAttributes>().axes);
}

Status emit_softmax(const Step& step, const DispatchSink& sink) {
  return emit_rows<shaders::Softmax>(
      step, rows_along(step, step.attributes<SoftmaxAttributes>().axes), sink);
}

uint32_t choose_softmax_subgroup(const Step& step, const Capabilities& device) {
  return choose_softmax(step, device) == 1 ? 0 : kNotSuitable;
}

Status emit_softmax_subgroup(const Step& step, const DispatchSink& sink) {
  Rows rows = rows_along(step, step.attributes<SoftmaxAttributes>().axes);
  rows.group = true;
  return emit_rows<shaders::SoftmaxSubgroup>(step, rows, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 1,
     .shader = Shader::kSoftmaxSubgroup,
     .types = types::kFloat32,
     .emit = emit_softmax_subgroup,
     .choose = choose_softmax_subgroup},
    {.form = 0,
     .shader = Shader::kSoftmax,
     .types = types::kFloat32,
     .emit = emit_softmax,
     .choices = 2,
     .choose = choose_softmax},
};

}  // namespace

std::span<const DispatchRow> softmax_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
