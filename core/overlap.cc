// Proves that no two values that live at the same time share bytes, in one pass over a certificate.
//
// Values of one arena are stored in order of their first step. For each arena a singly linked list
// is kept; its live members, those whose last step has not passed, are always disjoint and in order
// of offset (the invariant; it holds for an empty list). A value v names the live value just below
// it, or none. A live value with a smaller index is certainly in the list, for only dead members
// are unlinked, and the dead stay dead because first steps never fall. From there on the next
// pointers are followed over dead members, which are unlinked, to the next live one. If v starts at
// or after the end of the value below and ends at or before the start of the next, then v is
// disjoint from both, and by the invariant every other live value lies below the one or above the
// other: v is disjoint from all of them, and inserting it keeps the invariant. Two values that live
// at the same time are both live when the later one is born, so every such pair has been covered.
// Conversely, in a plan without overlap the live values are disjoint, and the greatest of those
// that end at or before v's offset is a certificate that passes. Each member is unlinked at most
// once, so the pass is linear whatever the certificate says.
#include "core/overlap.h"

#include "core/program.h"

namespace arenite {
namespace {

using format::ValueRecord;

// Takes bytes of an arena. Values without bytes share none.
bool occupies(const ValueRecord& v) {
  return v.kind == static_cast<uint8_t>(format::ValueKind::kArena) && v.bytes != 0;
}

// Ranges lie in their arenas, so that this can't wrap around.
uint32_t end_of(const ValueRecord& v) { return v.offset + v.bytes; }

// Whether a value of the list or a candidate for `below` lives when v is born.
bool lives_at_birth(const ValueRecord& u, const ValueRecord& v) {
  return u.last_step >= v.first_step;
}

// Inserts value i into the list of its arena.
bool insert(std::span<const ValueRecord> values, uint32_t i, uint32_t& head,
            std::span<uint32_t> next) {
  const ValueRecord& v = values[i];
  uint32_t* link = &head;
  if (v.below_or_root != kNoIndex) {
    if (v.below_or_root >= i) {
      return false;
    }
    const ValueRecord& below = values[v.below_or_root];
    if (!occupies(below) || below.place != v.place || !lives_at_birth(below, v) ||
        end_of(below) > v.offset) {
      return false;
    }
    link = &next[v.below_or_root];
  }
  uint32_t above = *link;
  while (above != kNoIndex && !lives_at_birth(values[above], v)) {
    above = next[above];
  }
  if (above != kNoIndex && end_of(v) > values[above].offset) {
    return false;
  }
  *link = i;
  next[i] = above;
  return true;
}

// The same by comparing v with every value before it.
bool fits(std::span<const ValueRecord> values, uint32_t i) {
  const ValueRecord& v = values[i];
  for (uint32_t k = 0; k < i; ++k) {
    const ValueRecord& u = values[k];
    if (occupies(u) && u.place == v.place && lives_at_birth(u, v) && u.offset < end_of(v) &&
        v.offset < end_of(u)) {
      return false;
    }
  }
  return true;
}

}  // namespace

Status verify_overlap(std::span<const ValueRecord> values, uint32_t arena_count,
                      std::span<uint32_t> proof) {
  uint32_t heads[kMaxArenas];
  uint32_t births[kMaxArenas];  // the last first_step seen
  for (uint32_t a = 0; a < arena_count; ++a) {
    heads[a] = kNoIndex;
    births[a] = 0;
  }
  const bool linked = proof.size() >= values.size();
  if (!linked && values.size() > kMaxPairwiseValues) {
    return error(Code::kArenaTooSmall);
  }
  for (uint32_t i = 0; i < values.size(); ++i) {
    const ValueRecord& v = values[i];
    if (!occupies(v)) {
      continue;
    }
    if (v.first_step < births[v.place]) {
      return error(Code::kBadValue, i);
    }
    births[v.place] = v.first_step;
    if (!(linked ? insert(values, i, heads[v.place], proof) : fits(values, i))) {
      return error(Code::kOverlap, i);
    }
  }
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
