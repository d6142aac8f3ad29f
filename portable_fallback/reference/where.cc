// y = condition ? a : b for each element, of any type: elements move as they are.
#include "core/contract.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/loop.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

struct Where {
  NestedLoop loop;  // operands y, condition, a, b; of rank 0 when there is nothing to do
  Dst<std::byte> y;
  Src<std::byte> condition, a, b;
  uint32_t bytes;  // of an element
};

NestedLoop where_loop(const Step& step) {
  const OutTensor y = step.output(0);
  const Tensor condition = step.input(0), a = step.input(1), b = step.input(2);
  NestedLoop loop;
  if (element_count(y) == 0) return loop;
  for (uint32_t d = 0; d < y.rank(); ++d) {
    loop.add(y.dims[d], signed_stride(y, d), signed_stride(condition, d), signed_stride(a, d),
             signed_stride(b, d));
  }
  loop.sort();
  loop.merge();
  return loop;
}

template <typename T>
void where_row(const Where& task, const RowCursor& at) {
  const NestedLoop& loop = task.loop;
  Dst<T> y = as<T>(task.y) + at.offset(0);
  Src<uint8_t> condition = as<uint8_t>(task.condition) + at.offset(1);
  Src<T> a = as<T>(task.a) + at.offset(2);
  Src<T> b = as<T>(task.b) + at.offset(3);
  for (uint32_t left = at.count(); left != 0; --left) {
    // All are read, so that what is read first does not depend on data.
    const T of_a = *a, of_b = *b;
    *y = *condition != 0 ? of_a : of_b;
    y += loop.inner_stride(0);
    condition += loop.inner_stride(1);
    a += loop.inner_stride(2);
    b += loop.inner_stride(3);
  }
}

template <typename T>
void where_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const Where*>(argument);
  RowCursor at(task.loop, kRowPiece, first);
  for (uint32_t item = first; item < last; ++item, at.next()) where_row<T>(task, at);
}

PieceFunction items_of(uint32_t bytes) {
  switch (bytes) {
    case 1:
      return where_items<uint8_t>;
    case 2:
      return where_items<uint16_t>;
    case 4:
      return where_items<uint32_t>;
    default:
      return where_items<uint64_t>;
  }
}

Status run_where(const Step& step, const Platform& platform) {
  const OutTensor y = step.output(0);
  Where task = {where_loop(step),
                y.write<std::byte>(),
                step.input(0).read<std::byte>(),
                step.input(1).read<std::byte>(),
                step.input(2).read<std::byte>(),
                element_bytes(y.dtype())};
  if (task.loop.rank == 0) return ok_status();
  split(platform, RowCursor::rows(task.loop, kRowPiece), task.loop.size(), items_of(task.bytes),
        &task);
  return ok_status();
}

uint64_t where_distance(const Step& step, uint32_t input) {
  const NestedLoop loop = where_loop(step);
  DistanceWalk walk;
  if (loop.rank != 0) {
    walk_loop(walk, loop, 1 + input,
              {.y_bytes = element_bytes(step.output(0).dtype()),
               .x_bytes = element_bytes(step.input(input).dtype())});
  }
  return walk.bytes();
}

}  // namespace

constexpr Form kWhereForm0 =
    make_form(Op::kWhere, 0, {.parallel = true, .safe_distance = where_distance, .run = run_where});
ARENITE_FORM_CODE(Where, 0)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
