// Hands rows of neighboring floats to a kernel, as many at a time as lie evenly in all operands.
#include "portable_fallback/shared/float_binary.h"

#include <utility>

#include "portable_fallback/shared/activation.h"
#include "portable_fallback/shared/binary_rows.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

// Sums and products keep their value when a and b are swapped; only the NaN that stays may differ.
bool can_swap(const Step& step) { return step.op() == Op::kAdd || step.op() == Op::kMul; }

struct FloatBinaryTask : Binary {
  // Makes b the operand that has one element for a whole row.
  explicit FloatBinaryTask(const Step& step) : Binary(step) {
    swapped = loop.rank != 0 && can_swap(step) && loop.inner_stride(1) == 0;
    if (!swapped) return;
    std::swap(a, b);
    std::swap(loop.strides[1], loop.strides[2]);
  }

  // Rows of the innermost dim but one that lie evenly: one where a row is cut into pieces.
  uint32_t even_rows() const {
    return loop.rank < 2 || loop.inner_dim() > kRowPiece ? 1 : loop.dims[loop.rank - 2];
  }
  ptrdiff_t row_stride(uint32_t operand) const {
    return even_rows() == 1 ? 0 : loop.strides[operand][loop.rank - 2];
  }

  bool swapped = false;
  FloatBinaryKernel kernel = nullptr;
  FloatBinary function = {};
};

// What the kernel does not compute: a function that bends its results.
void activate_rows(const Activation& activation, const FloatBinaryRun& run) {
  Dst<float> y = run.y;
  for (uint32_t left = run.rows; left != 0; --left, y += run.y_row) {
    activate(activation, y, y, run.count);
  }
}

void combine_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const FloatBinaryTask*>(argument);
  const Activation& activation = task.attributes.activation;
  const uint32_t even = task.even_rows();
  FloatBinaryRun run = {};
  run.y_row = task.row_stride(0);
  run.a_row = task.row_stride(1);
  run.b_row = task.row_stride(2);
  run.one_b = task.loop.inner_stride(2) == 0;
  run.clips = activation.kind == ActivationKind::kClip;
  run.low = activation.a;
  run.high = activation.b;
  for (uint32_t item = first; item < last; item += run.rows) {
    const RowCursor at(task.loop, kRowPiece, item);
    const uint32_t left = even - item % even;
    run.rows = left < last - item ? left : last - item;
    run.count = at.count();
    run.y = as<float>(task.y) + at.offset(0);
    run.a = as<float>(task.a) + at.offset(1);
    run.b = as<float>(task.b) + at.offset(2);
    task.kernel(task.function, run);
    if (!run.clips && activation.kind != ActivationKind::kNone) activate_rows(activation, run);
  }
}

}  // namespace

bool takes_float_binary(const Step& step) {
  const FloatBinaryTask task(step);
  const NestedLoop& loop = task.loop;
  return loop.rank != 0 && loop.inner_stride(0) == 1 && loop.inner_stride(1) == 1 &&
         (loop.inner_stride(2) == 0 || loop.inner_stride(2) == 1);
}

uint64_t float_binary_distance(const Step& step, uint32_t input) {
  const FloatBinaryTask task(step);
  DistanceWalk walk;
  if (task.loop.rank == 0) return 0;
  const uint32_t operand = task.swapped ? 2 - input : 1 + input;
  const bool one = operand == 2 && task.loop.inner_stride(2) == 0;
  walk_loop(walk, task.loop, operand, {}, one ? kRowPiece : kFloatBinaryPiece);
  return walk.bytes();
}

Status run_float_binary(const Step& step, const Platform& platform, FloatBinaryKernel kernel,
                        FloatBinary function) {
  FloatBinaryTask task(step);
  if (task.loop.rank == 0) return ok_status();
  task.kernel = kernel;
  task.function = function;
  split(platform, RowCursor::rows(task.loop, kRowPiece), task.loop.size(), combine_items, &task);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
