// Family move: elements of any type from the inputs to the output, box by box (ops/move.h).
#include "ops/move.h"

#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/move_elements.h"
#include "portable_fallback/shared/safe_distance.h"

namespace arenite {
namespace {

NestedLoop loop_of(const MoveBox& box) {
  NestedLoop loop;
  for (uint32_t d = 0; d < box.rank; ++d) {
    loop.add(box.dims[d], box.y_strides[d], box.x_strides[d]);
  }
  return loop;
}

// Whether all elements are the same one, which is read once.
bool repeats_one(const MoveBox& box) {
  for (uint32_t d = 0; d < box.rank; ++d) {
    if (box.dims[d] != 1 && box.x_strides[d] != 0) return false;
  }
  return true;
}

Status run_boxes(const Step& step, const Platform& platform, MoveBoxes boxes) {
  const OutTensor y = step.output(0);
  const uint32_t bytes = element_bytes(y.dtype());
  for_each_box(boxes, step, [&](const MoveBox& box) {
    // A uint64_t, so that it is aligned for elements of any size.
    uint64_t value = box.value[0] | uint64_t{box.value[1]} << 32;
    Move move = {y.write<std::byte>() + box.y_first * bytes, {}, bytes, loop_of(box)};
    if (box.input != MoveBox::kValue) {
      move.from = step.input(box.input).read<std::byte>() + box.x_first * bytes;
    }
    if (repeats_one(box)) {
      auto* value_bytes = reinterpret_cast<std::byte*>(&value);
      if (box.input != MoveBox::kValue) take(value_bytes, move.from, bytes);
      move.from = Src<std::byte>(value_bytes);
    }
    move_elements(platform, move);
  });
  return ok_status();
}

// Boxes that are read later are read when those before them have been written.
uint64_t distance_of_boxes(const Step& step, uint32_t input, MoveBoxes boxes) {
  const uint32_t bytes = element_bytes(step.output(0).dtype());
  DistanceWalk walk;
  for_each_box(boxes, step, [&](const MoveBox& box) {
    const auto y = static_cast<int64_t>(box.y_first) * bytes;
    const auto x = static_cast<int64_t>(box.x_first) * bytes;
    const bool one = repeats_one(box);
    if (box.input == input && !one) {
      NestedLoop loop = loop_of(box);
      return walk_move(walk, loop, bytes, {y, x});
    }
    if (box.input == input) walk.read(x);
    int64_t last = 0;
    for (uint32_t d = 0; d < box.rank; ++d) last += int64_t{box.dims[d] - 1} * box.y_strides[d];
    walk.write(y + (last + 1) * bytes);
  });
  return walk.bytes();
}

template <MoveBoxes kBoxes>
Status run_move(const Step& step, const Platform& platform) {
  return run_boxes(step, platform, kBoxes);
}

template <MoveBoxes kBoxes>
uint64_t move_distance(const Step& step, uint32_t input) {
  return distance_of_boxes(step, input, kBoxes);
}

template <MoveBoxes kBoxes>
constexpr Form move_form(Op op) {
  return make_form(
      op, 0, {.parallel = true, .safe_distance = move_distance<kBoxes>, .run = run_move<kBoxes>});
}

}  // namespace

#define ARENITE_OP_move(number, name, Type, set)                        \
  constexpr Form k##Type##Form0 = move_form<name##_boxes>(Op::k##Type); \
  ARENITE_FORM_CODE(Type, 0)
#include "schema/ops.def"

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
