// Integers to floats through integer.comp.
#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"

namespace arenite {
namespace {

Status emit_dequantize(const Step& step, const DispatchSink& sink) {
  IntegerWork work;
  work.a = 1;
  if (step.has_input(2)) work.b = 2;
  return emit_integers(step, work, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 0, .shader = Shader::kInteger, .types = types::kAny, .emit = emit_dequantize},
};

}  // namespace

std::span<const DispatchRow> dequantize_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
