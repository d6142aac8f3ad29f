// Sums of integers of different scales through integer.comp.
#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"

namespace arenite {
namespace {

Status emit_quantized_add(const Step& step, const DispatchSink& sink) {
  const auto attributes = step.attributes<QuantizedAddAttributes>();
  IntegerWork work = work_of_pair(step, attributes);
  for (uint32_t i = 0; i < 3; ++i) {
    work.words.multipliers[i] = attributes.multipliers[i];
    work.words.shifts[i] = attributes.shifts[i];
  }
  work.words.left_shift = attributes.left_shift;
  work.words.sum_kind = attributes.kind;
  return emit_integers(step, work, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 0, .shader = Shader::kInteger, .types = types::kAny, .emit = emit_quantized_add},
};

}  // namespace

std::span<const DispatchRow> quantized_add_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
