// Functions of small integers by tables of their results, through integer.comp.
#include "ops/lookup.h"
#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"
#include "ops/requantization.h"

namespace arenite {
namespace {

Status emit_lookup(const Step& step, const DispatchSink& sink) {
  const Operand table = input_operand(step, 1);
  IntegerWork work;
  work.a = 1;
  work.table = true;
  work.between = table.dims[0] == kInterpolatedTable;
  work.type_b = element_type(table);
  work.words.table_stride = table.strides[0] * words_each(table);
  work.words.lowest = range_of(input_operand(step, 0).dtype).low;
  return emit_integers(step, work, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 0, .shader = Shader::kInteger, .types = types::kAny, .emit = emit_lookup},
};

}  // namespace

std::span<const DispatchRow> lookup_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
