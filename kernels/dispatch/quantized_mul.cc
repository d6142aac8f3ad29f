// Products of integers through integer.comp.
#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"

namespace arenite {
namespace {

Status emit_quantized_mul(const Step& step, const DispatchSink& sink) {
  const auto attributes = step.attributes<QuantizedMulAttributes>();
  IntegerWork work = work_of_pair(step, attributes);
  work.words.multipliers[0] = attributes.multiplier;
  work.words.shifts[0] = attributes.shift;
  return emit_integers(step, work, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 0, .shader = Shader::kInteger, .types = types::kAny, .emit = emit_quantized_mul},
};

}  // namespace

std::span<const DispatchRow> quantized_mul_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
