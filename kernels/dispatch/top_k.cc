// TopK of float32 and integers of up to 32 bits through top_k.comp, which looks at each pair of a
// row's elements: long rows are the CPU's, which needs n log k steps.
#include "kernels/shaders/top_k.h"

#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

constexpr uint32_t kRowMax = 16384;

bool accepts_top_k(const Step& step) {
  const Operand x = input_operand(step, 0);
  return x.dims[step.attributes<TopKAttributes>().axis] <= kRowMax && x.count() < kMaxInvocations;
}

Status emit_top_k(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand values = output_operand(step, 0);
  const Operand indices = output_operand(step, 1);
  const auto attributes = step.attributes<TopKAttributes>();
  Loops rows;
  for (uint32_t d = 0; d < x.rank; ++d) {
    if (d == attributes.axis) continue;
    rows.add(x.dims[d], x.strides[d], values.strides[d], indices.strides[d] * 2);
  }
  collapse_dims(rows, 0);
  const uint32_t axis = attributes.axis;
  const uint64_t count = rows.count() * x.dims[axis];
  DispatchBuilder builder(
      shaders::TopK{.spec = {.type = integer_type(x), .smallest = attributes.smallest != 0},
                    .push = {.count = static_cast<uint32_t>(count),
                             .rank = rows.rank,
                             .x_skip = x.skip,
                             .values_skip = values.skip,
                             .indices_skip = skip_of(indices),
                             .elements = x.dims[axis],
                             .k = values.dims[axis],
                             .x_stride = x.strides[axis],
                             .values_stride = values.strides[axis],
                             .indices_stride = indices.strides[axis] * 2},
                    .parameters = {.walk = rows}});
  builder.buffer(x).buffer(values).buffer(indices);
  return builder.run_invocations(sink, count);
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kTopK,
     .types = kElements,
     .accepts = accepts_top_k,
     .emit = emit_top_k},
};

}  // namespace

std::span<const DispatchRow> top_k_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
