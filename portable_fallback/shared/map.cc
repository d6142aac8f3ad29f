// The walk of elementwise forms of one input.
#include "portable_fallback/shared/map.h"

#include "portable_fallback/shared/move_elements.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

struct MapTask {
  NestedLoop loop;  // operands y, x
  Src<std::byte> x;
  Dst<std::byte> y;
  ptrdiff_t x_bytes, y_bytes;  // of an element
  Map map;
};

// Elements that are read before any of them is written. Rows of neighbors are left to kernels,
// which may read one after the other.
uint32_t at_once(const NestedLoop& loop, uint32_t x_bytes, uint32_t y_bytes) {
  if (loop.inner_stride(0) == 1 && loop.inner_stride(1) == 1) return 1;
  return kMapTogether / (x_bytes > y_bytes ? x_bytes : y_bytes);
}

[[gnu::noinline]] void map_apart(const MapTask& task, Src<std::byte> x, Dst<std::byte> y,
                                 uint32_t count) {
  const ptrdiff_t x_step = task.loop.inner_stride(1), y_step = task.loop.inner_stride(0);
  const auto x_bytes = static_cast<uint32_t>(task.x_bytes);
  const auto y_bytes = static_cast<uint32_t>(task.y_bytes);
  const uint32_t most = at_once(task.loop, x_bytes, y_bytes);
  alignas(8) std::byte from[kMapTogether], to[kMapTogether];
  while (count != 0) {
    const uint32_t taken = count < most ? count : most;
    if (x_step != 1) move_row({from, x, 1, x_step, taken}, x_bytes);
    task.map.row(task.map.context, x_step != 1 ? from : x, y_step != 1 ? to : y, taken);
    if (y_step != 1) move_row({y, to, y_step, 1, taken}, y_bytes);
    x += static_cast<ptrdiff_t>(taken) * x_step * task.x_bytes;
    y += static_cast<ptrdiff_t>(taken) * y_step * task.y_bytes;
    count -= taken;
  }
}

void map_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const MapTask*>(argument);
  const ptrdiff_t y_step = task.loop.inner_stride(0);
  const ptrdiff_t x_step = task.loop.inner_stride(1);
  RowCursor row(task.loop, kRowPiece, first);
  for (uint32_t item = first; item < last; ++item, row.next()) {
    Dst<std::byte> y = task.y + row.offset(0) * task.y_bytes;
    Src<std::byte> x = task.x + row.offset(1) * task.x_bytes;
    if (y_step == 1 && x_step == 1) {
      task.map.row(task.map.context, x, y, row.count());
      continue;
    }
    map_apart(task, x, y, row.count());
  }
}

}  // namespace

NestedLoop map_loop(const Step& step) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  NestedLoop loop;
  if (element_count(y) == 0) return loop;
  for (uint32_t d = 0; d < y.rank(); ++d) {
    loop.add(y.dims[d], signed_stride(y, d), signed_stride(x, d));
  }
  loop.sort();
  loop.merge();
  return loop;
}

uint64_t map_distance(const Step& step, uint32_t input) {
  const NestedLoop loop = map_loop(step);
  DistanceWalk walk;
  if (loop.rank != 0 && input == 0) {
    const uint32_t y_bytes = element_bytes(step.output(0).dtype());
    const uint32_t x_bytes = element_bytes(step.input(0).dtype());
    walk_loop(walk, loop, 1, {.y_bytes = y_bytes, .x_bytes = x_bytes},
              at_once(loop, x_bytes, y_bytes));
  }
  return walk.bytes();
}

Status run_map(const Step& step, const Platform& platform, const Map& map) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  MapTask task = {map_loop(step),
                  x.read<std::byte>(),
                  y.write<std::byte>(),
                  static_cast<ptrdiff_t>(element_bytes(x.dtype())),
                  static_cast<ptrdiff_t>(element_bytes(y.dtype())),
                  map};
  if (task.loop.rank == 0) return ok_status();
  split(platform, RowCursor::rows(task.loop, kRowPiece), uint64_t{task.loop.size()} * map.work,
        map_items, &task);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
