// Family move: a dispatch of move.comp for each box of elements (ops/move.h).
#include "kernels/dispatch/move.h"

#include "kernels/dispatch/rules.h"
#include "ops/move.h"

namespace arenite {
namespace {

MoveBoxes boxes_of(Op op) {
  switch (op) {
#define ARENITE_OP_move(number, name, Type, set) \
  case Op::k##Type:                              \
    return name##_boxes;
#include "schema/ops.def"
    default:
      return nullptr;
  }
}

// Strides and starts are modulo 2^32, as the shader adds: a negative one is very large.
CopyRange range_of(const MoveBox& box) {
  CopyRange range;
  range.x_first = static_cast<uint32_t>(box.x_first);
  range.y_first = static_cast<uint32_t>(box.y_first);
  for (uint32_t d = 0; d < box.rank; ++d) {
    range.loops.add(box.dims[d], static_cast<uint32_t>(box.x_strides[d]),
                    static_cast<uint32_t>(box.y_strides[d]));
  }
  return range;
}

Status emit_fill(uint32_t bits, const Operand& y, const CopyRange& range,
                 const DispatchSink& sink) {
  Loops loops = range.loops;
  collapse_dims(loops, 1);
  DispatchBuilder builder(Shader::kMove);
  builder.buffer(y).buffer(y).spec(1);  // nothing is read
  builder.push(static_cast<uint32_t>(loops.count())).push(shader_rank(loops));
  builder.push(0u).push(y.skip + range.y_first).push(bits).push_loops(loops, kMaxRank, 2);
  return builder.run_invocations(sink, loops.count());
}

}  // namespace

bool supports_move(const Step& step) {
  if (step.input_count() > kMaxStepDispatches || !is_word(output_operand(step, 0))) return false;
  for (uint32_t i = 0; i < step.input_count(); ++i) {
    if (step.has_input(i) && !is_word(input_operand(step, i))) return false;
  }
  return true;
}

Status emit_move(const Step& step, const DispatchSink& sink) {
  const Operand y = output_operand(step, 0);
  Status status;
  for_each_box(boxes_of(step.op()), step, [&](const MoveBox& box) {
    if (!status.ok()) return;
    const CopyRange range = range_of(box);
    status = box.input == MoveBox::kValue
                 ? emit_fill(box.value[0], y, range, sink)
                 : emit_copy_range(input_operand(step, box.input), y, range, sink);
  });
  return status;
}

Status emit_copy_range(const Operand& x, const Operand& y, const CopyRange& range,
                       const DispatchSink& sink) {
  Loops loops = range.loops;
  collapse_dims(loops, 1);
  DispatchBuilder builder(Shader::kMove);
  builder.buffer(x).buffer(y).spec(0);
  builder.push(static_cast<uint32_t>(loops.count())).push(shader_rank(loops));
  builder.push(x.skip + range.x_first).push(y.skip + range.y_first).push(0u);
  builder.push_loops(loops, kMaxRank, 2);
  return builder.run_invocations(sink, loops.count());
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
