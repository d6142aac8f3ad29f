// The walk of elementwise forms of up to three inputs.
#include "portable_fallback/shared/elementwise.h"

#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

struct Task {
  NestedLoop loop;  // operands y, then the inputs
  ElementwiseRow start;
  ptrdiff_t bytes[NestedLoop::kOperands];  // of an element of each
  Elementwise what;
};

void items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const Task*>(argument);
  RowCursor at(task.loop, kRowPiece, first);
  ElementwiseRow row = task.start;
  for (uint32_t item = first; item < last; ++item, at.next()) {
    row.y = task.start.y + at.offset(0) * task.bytes[0];
    row.count = at.count();
    for (uint32_t i = 0; i < task.what.inputs; ++i) {
      if (row.inputs[i] == nullptr) continue;
      row.inputs[i] = task.start.inputs[i] + at.offset(1 + i) * task.bytes[1 + i];
    }
    task.what.row(task.what.context, row);
  }
}

}  // namespace

NestedLoop elementwise_loop(const Step& step, uint32_t inputs) {
  const OutTensor y = step.output(0);
  NestedLoop loop;
  if (element_count(y) == 0) return loop;
  const auto stride = [&](uint32_t i, uint32_t d) {
    return i < inputs && step.has_input(i) ? signed_stride(step.input(i), d) : 0;
  };
  for (uint32_t d = 0; d < y.rank(); ++d) {
    loop.add(y.dims[d], signed_stride(y, d), stride(0, d), stride(1, d), stride(2, d));
  }
  loop.sort();
  loop.merge();
  loop.lengthen_rows();
  return loop;
}

uint64_t elementwise_distance(const Step& step, uint32_t input, uint32_t inputs) {
  const NestedLoop loop = elementwise_loop(step, inputs);
  DistanceWalk walk;
  if (loop.rank != 0 && input < inputs) {
    walk_loop(walk, loop, 1 + input,
              {.y_bytes = element_bytes(step.output(0).dtype()),
               .x_bytes = element_bytes(step.input(input).dtype())});
  }
  return walk.bytes();
}

Status run_elementwise(const Step& step, const Platform& platform, const Elementwise& what) {
  const OutTensor y = step.output(0);
  Task task = {.loop = elementwise_loop(step, what.inputs), .start = {}, .bytes = {}, .what = what};
  if (task.loop.rank == 0) return ok_status();
  task.bytes[0] = static_cast<ptrdiff_t>(element_bytes(y.dtype()));
  task.start.y = y.write<std::byte>();
  task.start.y_step = task.loop.inner_stride(0) * task.bytes[0];
  for (uint32_t i = 0; i < what.inputs; ++i) {
    if (!step.has_input(i)) continue;
    const Tensor x = step.input(i);
    task.bytes[1 + i] = static_cast<ptrdiff_t>(element_bytes(x.dtype()));
    task.start.inputs[i] = x.read<std::byte>();
    task.start.steps[i] = task.loop.inner_stride(1 + i) * task.bytes[1 + i];
  }
  split(platform, RowCursor::rows(task.loop, kRowPiece), uint64_t{task.loop.size()} * what.work,
        items, &task);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
