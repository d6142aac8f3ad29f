// Checks what each value of a variant says about its storage and its life.
#include "core/range.h"
#include "core/shape.h"
#include "core/verifier.h"

namespace arenite {
namespace {

using format::ValueKind;
using format::ValueRecord;

// Both ranges lie in the arena, so that their ends are 32-bit numbers.
bool inside(const ValueRecord& view, const ValueRecord& root) {
  return view.offset >= root.offset && view.offset + view.bytes <= root.offset + root.bytes &&
         view.first_step >= root.first_step && view.last_step <= root.last_step;
}

}  // namespace

bool Verifier::value_holds(uint32_t index) {
  const ValueRecord& v = value(index);
  const format::ArenaRecord& arena = arenas_[v.place];
  if (!within(v.offset, v.bytes, arena.bytes)) {
    return refuse(Code::kBadRange, index);
  }
  // Elements are of 1, 2, 4 or 8 bytes.
  const uint32_t odd = element_bytes(static_cast<DType>(v.dtype)) - 1;
  if (((v.offset | arena.alignment) & odd) != 0) {
    return refuse(Code::kBadAlignment, index);
  }
  const bool lives =
      v.first_step <= v.last_step && (v.last_step < task_.variant->step_count || v.last_step == 0);
  if (!lives || !holds_elements(tensor_of(bindings_, index)) ||
      (kind_of(v) == ValueKind::kView && !inside(v, value(v.below_or_root)))) {
    return refuse(Code::kBadValue, index);
  }
  return true;
}

bool Verifier::values() {
  static_assert(kMaxArenas <= 32);
  uint32_t lent = 0;  // the caller's arenas that hold a value
  for (uint32_t i = 0; i < task_.variant->value_count; ++i) {
    if (!value_holds(i)) {
      return false;
    }
    // One alone, so that an input's bytes are never written to.
    const ValueRecord& v = value(i);
    if (kind_of(v) == ValueKind::kArena &&
        static_cast<format::ArenaKind>(arenas_[v.place].kind) == format::ArenaKind::kCaller) {
      const uint32_t bit = uint32_t{1} << v.place;
      if ((lent & bit) != 0) {
        return refuse(Code::kBadValue, i);
      }
      lent |= bit;
    }
  }
  return true;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
