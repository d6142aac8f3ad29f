// Integers, those below zero times a slope, through integer.comp.
#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"

namespace arenite {
namespace {

Status emit_quantized_prelu(const Step& step, const DispatchSink& sink) {
  const auto attributes = step.attributes<QuantizedPReluAttributes>();
  IntegerWork work = work_of_pair(step, attributes);
  for (uint32_t i = 0; i < 2; ++i) {
    work.words.multipliers[i] = attributes.multipliers[i];
    work.words.shifts[i] = attributes.shifts[i];
  }
  return emit_integers(step, work, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 0, .shader = Shader::kInteger, .types = types::kAny, .emit = emit_quantized_prelu},
};

}  // namespace

std::span<const DispatchRow> quantized_prelu_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
