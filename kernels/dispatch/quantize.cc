// Floats to integers through integer.comp, whose quotients are the CPU's.
#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"
#include "ops/requantization.h"

namespace arenite {
namespace {

Status emit_quantize(const Step& step, const DispatchSink& sink) {
  const Operand y = output_operand(step, 0);
  const IntegerRange range = range_of(y.dtype);
  IntegerWork work;
  work.a = 1;
  if (step.has_input(2)) work.b = 2;
  work.type_b = integer_type(y);
  work.rounding = step.attributes<QuantizeAttributes>().rounding;
  work.words.low = range.low;
  work.words.high = range.high;
  return emit_integers(step, work, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 0, .shader = Shader::kInteger, .types = types::kAny, .emit = emit_quantize},
};

}  // namespace

std::span<const DispatchRow> quantize_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
