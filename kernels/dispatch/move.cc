// Family move: a dispatch of move.comp for each box of elements (ops/move.h), of any type.
#include "kernels/dispatch/move.h"

#include "kernels/dispatch/elements.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/shaders/move.h"
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

// A dispatch reads elements of an operand, or one element's bits (low word first) for all.
struct Source {
  Operand operand;
  const uint32_t* value = nullptr;
};

// A box as nested loops of which operand 0 is read, operand 1 written, with the first elements.
// Strides and starts are modulo 2^32, as the shader adds: a negative one is very large.
struct Range {
  Loops loops;
  uint32_t x_first = 0, y_first = 0;
};

Range range_of(const MoveBox& box) {
  Range range;
  range.x_first = static_cast<uint32_t>(box.x_first);
  range.y_first = static_cast<uint32_t>(box.y_first);
  for (uint32_t d = 0; d < box.rank; ++d) {
    range.loops.add(box.dims[d], static_cast<uint32_t>(box.x_strides[d]),
                    static_cast<uint32_t>(box.y_strides[d]));
  }
  return range;
}

// Elements of eight bytes are an innermost dim of two words: of a value too, whose other strides
// are 0.
Status emit_range(const Source& x, const Operand& y, const Range& range, const DispatchSink& sink) {
  const uint32_t words = words_each(y);
  Loops loops = range.loops, outer;
  for (uint32_t d = 0; d < loops.rank; ++d) {
    loops.strides[0][d] *= words;
    loops.strides[1][d] *= words;
  }
  loops.add(words, 1, 1);
  collapse_dims(loops, 1);
  split_outer(loops, kMaxRank, outer);
  const bool fills = x.value != nullptr;
  const uint32_t x_skip = fills ? 0 : skip_of(x.operand) + range.x_first * words;
  return for_each_outer(outer, [&](const uint32_t* offsets) {
    const uint32_t y_skip = skip_of(y) + range.y_first * words + offsets[1];
    const Stores stores = stores_of(y, loops, 1, y_skip);
    const uint32_t nothing[2] = {};
    DispatchBuilder builder(
        shaders::Move{.spec = {.store = stores.kind, .fill = fills, .type = element_type(y)},
                      .push = {.count = static_cast<uint32_t>(loops.count()),
                               .rank = shader_rank(loops),
                               .x_skip = x_skip + offsets[0],
                               .y_skip = y_skip,
                               .value = shaders::first_of(fills ? x.value : nothing),
                               .dims = shaders::dims_of(loops),
                               .x_strides = shaders::strides_of(loops, 0),
                               .y_strides = shaders::strides_of(loops, 1)}});
    builder.buffer(fills ? y : x.operand).buffer(y);  // nothing of y is read
    return builder.run_invocations(sink, stores.invocations);
  });
}

bool accepts_move(const Step& step) {
  // Nine dims, with that of an element's words, take two dispatches.
  const uint64_t boxes_max = kMaxStepDispatches / words_each(output_operand(step, 0));
  if (step.op() != Op::kPad) return step.input_count() <= boxes_max;
  return pad_box_count(step, boxes_max + 1) <= boxes_max;
}

Status emit_move(const Step& step, const DispatchSink& sink) {
  const Operand y = output_operand(step, 0);
  Status status;
  for_each_box(boxes_of(step.op()), step, [&](const MoveBox& box) {
    if (!status.ok()) return;
    Source x;
    if (box.input == MoveBox::kValue) {
      x.value = box.value;
    } else {
      x.operand = input_operand(step, box.input);
    }
    status = emit_range(x, y, range_of(box), sink);
  });
  return status;
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kMove,
     .types = types::kAny,
     .accepts = accepts_move,
     .emit = emit_move,
     .accepts_empty_inputs = true},
};

}  // namespace

Status emit_copy(const Operand& x, const Operand& y, const DispatchSink& sink) {
  return emit_range({x}, y, {map_loops(x, y)}, sink);
}

std::span<const DispatchRow> move_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
