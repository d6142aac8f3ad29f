// The walk of elementwise float operators of one input.
#include "portable_fallback/unary.h"

#include "portable_fallback/activation.h"
#include "portable_fallback/check.h"
#include "portable_fallback/lead.h"
#include "portable_fallback/split.h"

namespace arenite {

Status check_unary(const Step& step, uint32_t max_inputs) {
  ARENITE_TRY(check_operands(step, {.min_inputs = 1, .max_inputs = max_inputs, .max_outputs = 1}));
  ARENITE_TRY(check_all_types(step, step.output(0).dtype));
  return check_same_dims(step, 0);
}

NestedLoop unary_loop(const Step& step) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  NestedLoop loop;
  if (is_empty(y)) return loop;
  for (uint32_t d = 0; d < y.rank; ++d) {
    loop.add(y.dims[d], signed_stride(y, d), signed_stride(x, d));
  }
  loop.sort();
  loop.merge();
  return loop;
}

namespace {

struct Unary {
  NestedLoop loop;
  Src<float> x;
  Dst<float> y;
  Activation activation;
};

void unary_items(void* argument, uint32_t first, uint32_t last) {
  const auto& task = *static_cast<const Unary*>(argument);
  const ptrdiff_t y_step = task.loop.inner_stride(0);
  const ptrdiff_t x_step = task.loop.inner_stride(1);
  RowCursor row(task.loop, kRowPiece, first);
  for (uint32_t item = first; item < last; ++item, row.next()) {
    Dst<float> y = task.y + row.offset(0);
    Src<float> x = task.x + row.offset(1);
    if (y_step == 1 && x_step == 1) {
      activate(task.activation, x, y, row.count());
    } else {
      for (uint32_t j = 0; j < row.count(); ++j, y += y_step, x += x_step) {
        activate(task.activation, x, y, 1);
      }
    }
  }
}

}  // namespace

uint64_t unary_lead(const Step& step, uint32_t input) {
  const NestedLoop loop = unary_loop(step);
  LeadWalk walk;
  if (loop.rank != 0 && input == 0) {
    walk_loop(walk, loop, 1,
              {.y_bytes = element_bytes(step.output(0).dtype),
               .x_bytes = element_bytes(step.input(0).dtype)});
  }
  return walk.lead_bytes();
}

Status run_unary(const Step& step, const Platform& platform, const Activation& activation) {
  Unary task = {unary_loop(step), step.input(0).read<float>(), step.output(0).write<float>(),
                activation};
  if (task.loop.rank == 0) return ok_status();
  split(platform, RowCursor::rows(task.loop, kRowPiece), task.loop.size(), unary_items, &task);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
