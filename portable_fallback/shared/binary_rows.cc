// The walk of family binary: rows of two operands and of the result, shared among threads.
#include "portable_fallback/shared/binary_rows.h"

#include "portable_fallback/shared/activation.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

ptrdiff_t bytes_of(DType type) { return static_cast<ptrdiff_t>(element_bytes(type)); }

BinaryRow row_at(const Binary& task, const RowCursor& at) {
  const NestedLoop& loop = task.loop;
  return {task.y + at.offset(0) * task.y_bytes,
          task.a + at.offset(1) * task.a_bytes,
          task.b + at.offset(2) * task.b_bytes,
          at.count(),
          loop.inner_stride(0),
          loop.inner_stride(1),
          loop.inner_stride(2),
          task.b_type};
}

void activate_row(const Activation& activation, const BinaryRow& row) {
  if (activation.kind == ActivationKind::kNone) return;
  Dst<float> y = as<float>(row.y);
  if (row.y_step == 1) return activate(activation, y, y, row.count);
  for (uint32_t j = 0; j < row.count; ++j, y += row.y_step) activate(activation, y, y, 1);
}

void binary_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const Binary*>(argument);
  RowCursor at(task.loop, kRowPiece, first);
  for (uint32_t item = first; item < last; ++item, at.next()) {
    const BinaryRow row = row_at(task, at);
    task.row(row);
    activate_row(task.attributes.activation, row);
  }
}

}  // namespace

Binary::Binary(const Step& step) {
  const Tensor left = step.input(0);
  const Tensor right = step.input(1);
  const OutTensor result = step.output(0);
  a = left.read<std::byte>();
  b = right.read<std::byte>();
  y = result.write<std::byte>();
  a_type = left.dtype();
  b_type = right.dtype();
  y_bytes = bytes_of(result.dtype());
  a_bytes = bytes_of(a_type);
  b_bytes = bytes_of(b_type);
  attributes = step.attributes<BinaryAttributes>();
  if (element_count(result) == 0) return;
  for (uint32_t d = 0; d < result.rank(); ++d) {
    loop.add(result.dims[d], signed_stride(result, d), signed_stride(left, d),
             signed_stride(right, d));
  }
  loop.sort();
  loop.merge();
}

uint64_t binary_distance(const Step& step, uint32_t input) {
  const Binary task(step);
  DistanceWalk walk;
  if (task.loop.rank == 0) return 0;
  const RowCursor row(task.loop, kRowPiece, 0);
  // A number for a whole row is read before it.
  const bool floats = task.a_type == DType::kFloat32 && task.b_type == DType::kFloat32;
  const bool once =
      input == 1 && floats && task.loop.inner_stride(2) == 0 && is_vector_row(row_at(task, row));
  const DistanceStart at = {
      .y_bytes = static_cast<uint32_t>(task.y_bytes),
      .x_bytes = static_cast<uint32_t>(input == 0 ? task.a_bytes : task.b_bytes)};
  walk_loop(walk, task.loop, 1 + input, at, once ? kRowPiece : 1);
  return walk.bytes();
}

Status run_rows(Binary& task, const Platform& platform) {
  if (task.loop.rank == 0) return ok_status();
  split(platform, RowCursor::rows(task.loop, kRowPiece), task.loop.size(), binary_items, &task);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
