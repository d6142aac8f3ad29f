// Picks slices of the data by run-time indices, through gather.comp.
#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/rules.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

constexpr uint32_t kRankMax = 6;  // what three operands' strides leave of the push words

}  // namespace

bool supports_gather(const Step& step) {
  const Operand data = input_operand(step, 0);
  const Operand indices = input_operand(step, 1);
  const Operand y = output_operand(step, 0);
  return is_word(data) && data.dtype == y.dtype &&
         (indices.dtype == DType::kInt32 || indices.dtype == DType::kInt64);
}

Status emit_gather(const Step& step, const DispatchSink& sink) {
  const Operand data = input_operand(step, 0);
  const Operand indices = input_operand(step, 1);
  const Operand y = output_operand(step, 0);
  const uint32_t axis = step.attributes<GatherAttributes>().axis;
  const uint32_t index_words = indices.dtype == DType::kInt64 ? 2 : 1;
  Loops loops, outer;
  for (uint32_t d = 0; d < y.rank; ++d) {
    if (d < axis) {
      loops.add(y.dims[d], data.strides[d], 0, y.strides[d]);
    } else if (d < axis + indices.rank) {
      loops.add(y.dims[d], 0, indices.strides[d - axis] * index_words, y.strides[d]);
    } else {
      loops.add(y.dims[d], data.strides[d - indices.rank + 1], 0, y.strides[d]);
    }
  }
  collapse_dims(loops, 2);
  split_outer(loops, kRankMax, outer);
  // In words, which unlike elements of eight bytes need no alignment.
  const uint32_t indices_skip =
      storage_offset(step.bindings(), indices.value) % kBufferAlignment / 4;
  return for_each_outer(outer, [&](const uint32_t* offsets) {
    DispatchBuilder builder(Shader::kGather);
    builder.buffer(data).buffer(indices).buffer(y).spec(index_words == 2);
    builder.push(static_cast<uint32_t>(loops.count())).push(shader_rank(loops));
    builder.push(data.skip + offsets[0]).push(indices_skip + offsets[1]).push(y.skip + offsets[2]);
    builder.push(data.dims[axis]).push(data.strides[axis]).push_loops(loops, kRankMax, 3);
    return builder.run_invocations(sink, loops.count());
  });
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
