// Checks what each value of a variant says about its storage and its life.
#include "core/range.h"
#include "core/shape.h"
#include "core/verifier.h"

namespace arenite {
namespace {

using format::ValueKind;
using format::ValueRecord;

// Whether the bytes a value owns hold every element it can address.
bool holds_elements(const Tensor& tensor) {
  if (!element_count_fits(tensor)) {
    return false;
  }
  if (tensor.layout == Layout::kStrided) {
    return extent_bytes(tensor) <= tensor.bytes;
  }
  // Panels are padded to whole panels; how many depends on which dims are outputs, which only the
  // op's check knows. Here: a matrix at least, and no fewer bytes than elements.
  return tensor.rank >= 2 && dense_bytes(tensor) <= tensor.bytes;
}

// Both ranges lie in the arena, so that their ends are 32-bit numbers.
bool inside(const ValueRecord& view, const ValueRecord& root) {
  return view.offset >= root.offset && view.offset + view.bytes <= root.offset + root.bytes &&
         view.first_step >= root.first_step && view.last_step <= root.last_step;
}

}  // namespace

bool Verifier::value_holds(uint32_t index) {
  const ValueRecord& v = value(index);
  const bool constant = kind_of(v) == ValueKind::kConstant;
  // Elements are of 1, 2, 4 or 8 bytes.
  const uint32_t odd = element_bytes(static_cast<DType>(v.dtype)) - 1;
  uint32_t storage_bytes = 0;
  uint32_t start = v.offset;
  if (constant) {
    const format::ConstantRecord& c = bindings_.constants[v.place];
    storage_bytes = c.bytes;
    start += c.offset;
  } else {
    storage_bytes = arenas_[v.place].bytes;
    start |= arenas_[v.place].alignment;
  }
  if (!within(v.offset, v.bytes, storage_bytes)) {
    return refuse(Code::kBadRange, index);
  }
  if ((start & odd) != 0) {
    return refuse(Code::kBadAlignment, index);
  }
  const bool lives = constant || (v.first_step <= v.last_step &&
                                  (v.last_step < task_.variant->step_count || v.last_step == 0));
  if (!lives || !holds_elements(tensor(index)) ||
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
