// Integers to those of another scale through integer.comp.
#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"

namespace arenite {
namespace {

Status emit_requantize(const Step& step, const DispatchSink& sink) {
  const auto attributes = step.attributes<RequantizeAttributes>();
  IntegerWork work;
  work.rounding = attributes.output.rounding;
  work.words = words_of(attributes.output);
  work.words.zero_points[0] = attributes.x_zero_point;
  work.words.multipliers[0] = attributes.multiplier;
  work.words.shifts[0] = attributes.shift;
  return emit_integers(step, work, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 0, .shader = Shader::kInteger, .types = types::kAny, .emit = emit_requantize},
};

}  // namespace

std::span<const DispatchRow> requantize_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
