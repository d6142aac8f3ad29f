// Floats to integers by scales that their range gives, in three passes of dynamic_quantize.comp.
#include "kernels/shaders/dynamic_quantize.h"

#include "kernels/dispatch/elements.h"
#include "kernels/dispatch/row_files.h"
#include "ops/requantization.h"

namespace arenite {
namespace {

// Elements of a row that are worth another group, and the most groups of a row: the next pass looks
// at what each has found.
constexpr uint64_t kPartElements = 1024;
constexpr uint64_t kPartsMax = 64;
using Words = shaders::DynamicQuantize;

// The rows that the axes leave, numbered row-major.
struct DynamicRows {
  explicit DynamicRows(const Step& step);
  uint64_t record_words() const { return Words::kOwnWords + 2 * parts; }

  Operand x, y;
  uint32_t axes;
  uint32_t strides[kMaxRank];  // of y's dims in the numbers of rows
  uint64_t count = 1, elements = 1;
  uint64_t parts;  // of a row
};

DynamicRows::DynamicRows(const Step& step)
    : x(input_operand(step, 0)),
      y(output_operand(step, 0)),
      axes(step.attributes<DynamicQuantizeAttributes>().axes) {
  for (uint32_t d = y.rank; d-- > 0;) {
    const bool reduced = (axes >> d & 1u) != 0;
    strides[d] = reduced ? 0 : static_cast<uint32_t>(count);
    (reduced ? elements : count) *= y.dims[d];
  }
  const uint64_t wanted = (elements + kPartElements - 1) / kPartElements;
  parts = wanted < 1 ? 1 : wanted > kPartsMax ? kPartsMax : wanted;
}

struct Pass {
  Words::Pass number;
  Operand first, last;  // buffers
  uint32_t wanted;      // of outputs 1 and 2
};

DispatchBuilder builder_of(const Step& step, const DynamicRows& rows, const Pass& pass,
                           uint32_t store_kind, uint64_t count, const Loops& loops) {
  DispatchBuilder builder(
      Words{.spec = {.store = store_kind, .pass = pass.number},
            .push = {.count = static_cast<uint32_t>(count), .y_skip = pass.last.skip},
            .parameters = {.rank = shader_rank(loops),
                           .first_skip = pass.first.skip,
                           .row_elements = static_cast<uint32_t>(rows.elements),
                           .parts = static_cast<uint32_t>(rows.parts),
                           .lowest = range_of(rows.y.dtype).low,
                           .wanted = pass.wanted,
                           .range = step.attributes<DynamicQuantizeAttributes>().range,
                           .walk = loops}});
  builder.buffer(pass.first).buffer(scratch_operand(step)).buffer(pass.last);
  return builder;
}

// A group for each part of a row; the elements of a row in any order.
Status emit_ends(const Step& step, const DynamicRows& rows, const DispatchSink& sink) {
  Loops all, kept;
  for (uint32_t d = 0; d < rows.y.rank; ++d) {
    if ((rows.axes >> d & 1u) != 0) {
      all.add(rows.y.dims[d], rows.x.strides[d]);
    } else {
      kept.add(rows.y.dims[d], rows.x.strides[d], 0, rows.strides[d]);
    }
  }
  collapse_dims(all, 0);
  collapse_dims(kept, 0);
  for (uint32_t d = 0; d < kept.rank; ++d, ++all.rank) {
    all.dims[all.rank] = kept.dims[d];
    for (uint32_t k = 0; k < Loops::kOperands; ++k) {
      all.strides[k][all.rank] = kept.strides[k][d];
    }
  }
  const uint64_t groups = rows.count * rows.parts;
  return builder_of(step, rows, {Words::Pass::kEnds, rows.x, rows.y, 0}, 0, groups, all)
      .run_groups(sink, groups);
}

Status emit_scales(const Step& step, const DynamicRows& rows, const DispatchSink& sink) {
  Pass pass = {Words::Pass::kScales, scratch_operand(step), rows.y, 0};
  if (step.output_count() > 1) {
    pass.first = output_operand(step, 1);
    pass.wanted |= 1;
  }
  if (step.output_count() > 2) {
    pass.last = output_operand(step, 2);
    pass.wanted |= 2;
  }
  Loops loops;
  for (uint32_t d = 0; d < rows.y.rank; ++d) {
    if ((rows.axes >> d & 1u) != 0) continue;
    loops.add(rows.y.dims[d], step.output_count() > 1 ? pass.first.strides[d] : 0,
              step.output_count() > 2 ? pass.last.strides[d] : 0, rows.strides[d]);
  }
  collapse_dims(loops, 2);
  return builder_of(step, rows, pass, 0, rows.count, loops).run_invocations(sink, rows.count);
}

Status emit_elements(const Step& step, const DynamicRows& rows, const DispatchSink& sink) {
  Loops loops;
  for (uint32_t d = 0; d < rows.y.rank; ++d) {
    loops.add(rows.y.dims[d], rows.x.strides[d], rows.y.strides[d], rows.strides[d]);
  }
  collapse_dims(loops, 1);
  const Stores stores = stores_of(rows.y, loops, 1, rows.y.skip);
  return builder_of(step, rows, {Words::Pass::kElements, rows.x, rows.y, 0}, stores.kind,
                    loops.count(), loops)
      .run_invocations(sink, stores.invocations);
}

uint64_t scratch_bytes_of_dynamic_quantize(const Step& step) {
  const DynamicRows rows(step);
  return rows.count * rows.record_words() * sizeof(uint32_t);
}

Status emit_dynamic_quantize(const Step& step, const DispatchSink& sink) {
  const DynamicRows rows(step);
  ARENITE_TRY(emit_ends(step, rows, sink));
  ARENITE_TRY(emit_scales(step, rows, sink));
  return emit_elements(step, rows, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kDynamicQuantize,
     .types = types::kAny,
     .emit = emit_dynamic_quantize,
     .scratch_bytes = scratch_bytes_of_dynamic_quantize},
};

}  // namespace

std::span<const DispatchRow> dynamic_quantize_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
