// Makes a reduction's loops, and finds how far its reads are ahead of its
// writes.
#include "ops/check.h"
#include "portable_fallback/shared/reduce.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {

Reduction::Reduction(const Step& step, uint32_t axes) {
  const Tensor from = step.input(0);
  const OutTensor to = step.output(0);
  x = from.read<std::byte>();
  y = to.write<std::byte>();
  empty = is_empty(from);
  results = is_empty(to) ? 0 : static_cast<uint32_t>(element_count(to));
  if (results == 0) return;
  for (uint32_t d = 0; d < to.rank(); ++d) {
    if ((axes >> d & 1u) == 0) {
      kept.add(to.dims[d], signed_stride(to, d), signed_stride(from, d));
    } else if (!empty) {
      reduced.add(from.dims[d], 0, signed_stride(from, d));
    }
  }
  kept.sort();
  kept.merge();
  reduced.merge();
}

uint64_t reduction_distance(const Step& step, uint32_t axes, uint32_t block) {
  const Reduction task(step, axes);
  if (task.results == 0 || task.empty) return 0;
  DistanceWalk walk;
  walk_loop(walk, task.kept, 1,
            {.y_bytes = element_bytes(step.output(0).dtype()),
             .x_bytes = element_bytes(step.input(0).dtype())},
            block);
  return walk.bytes();
}

void run_reduction(const Reduction& reduction, const Platform& platform, PieceFunction task,
                   void* argument) {
  if (reduction.results == 0) return;
  const uint64_t work = uint64_t{reduction.results} * reduction.reduced.size();
  split(platform, RowCursor::rows(reduction.kept, kBlock), work, task, argument);
}

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0
