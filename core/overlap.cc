// One pass over a certificate: each value names the live value just below it, and a list confirms
// it.
//
// Time runs through the births: 0 for the inputs of the method, s + 1 for what step s writes. A
// value ends with its last step, or, when it yields, with the step before, which for an input is
// time 0. Values of one arena are stored in order of birth. For each arena a singly linked list is
// kept; its live members, those whose end has not passed, are always disjoint and in order of
// offset (the invariant; it holds for an empty list). A value v names the live value just below it,
// or none. A live value with a smaller index is certainly in the list, for only dead members are
// unlinked, and the dead stay dead because births never fall. From there on the next pointers are
// followed over dead members, which are unlinked, to the next live one. If v starts at or after the
// end of the value below and ends at or before the start of the next, then v is disjoint from both,
// and by the invariant every other live value lies below the one or above the other: v is disjoint
// from all of them, and inserting it keeps the invariant. Two values that live at the same time are
// both live when the later one is born, so every such pair has been covered. Conversely, in a plan
// without overlap the live values are disjoint, and the greatest of those that end at or before v's
// offset is a certificate that passes. Each member is unlinked at most once, so the pass is linear
// whatever the certificate says.
#include "core/overlap.h"

#include "core/program.h"

namespace arenite {
namespace {

using format::ValueRecord;

// Takes bytes of an arena. Values without bytes share none.
bool occupies(const ValueRecord& v) { return format::owns_bytes(v) && v.bytes != 0; }

// Ranges lie in their arenas, so that this can't wrap around.
uint32_t end_of(const ValueRecord& v) { return v.offset + v.bytes; }

// Whether a value of the list or a candidate for `below` lives when another is born.
bool lives_at(const ValueRecord& u, uint32_t birth) { return u.last_step + 1u - u.yields >= birth; }

uint32_t birth_of(Records<ValueRecord> values, uint32_t i, std::span<const uint32_t> inputs) {
  // Only what lives from the first step on can be an input.
  if (values[i].first_step == 0) {
    for (const uint32_t input : inputs) {
      if (input == i) {
        return 0;
      }
    }
  }
  return values[i].first_step + 1;
}

// Inserts value i into the list of its arena.
bool insert(Records<ValueRecord> values, uint32_t i, uint32_t birth, uint32_t& head,
            std::span<uint32_t> next) {
  const ValueRecord& v = values[i];
  uint32_t* link = &head;
  if (v.below_or_root != kNoIndex) {
    if (v.below_or_root >= i) {
      return false;
    }
    const ValueRecord& below = values[v.below_or_root];
    if (!occupies(below) || below.place != v.place || !lives_at(below, birth) ||
        end_of(below) > v.offset) {
      return false;
    }
    link = &next[v.below_or_root];
  }
  uint32_t above = *link;
  while (above != kNoIndex && !lives_at(values[above], birth)) {
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
bool fits(Records<ValueRecord> values, uint32_t i, uint32_t birth) {
  const ValueRecord& v = values[i];
  for (uint32_t k = 0; k < i; ++k) {
    const ValueRecord& u = values[k];
    if (occupies(u) && u.place == v.place && lives_at(u, birth) && u.offset < end_of(v) &&
        v.offset < end_of(u)) {
      return false;
    }
  }
  return true;
}

}  // namespace

Status verify_overlap(Records<ValueRecord> values, std::span<const uint32_t> inputs,
                      uint32_t arena_count, std::span<uint32_t> proof) {
  uint32_t heads[kMaxArenas];
  uint32_t births[kMaxArenas];  // the last seen
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
    const uint32_t birth = birth_of(values, i, inputs);
    if (birth < births[v.place]) {
      return error(Code::kBadValue, i);
    }
    births[v.place] = birth;
    if (!(linked ? insert(values, i, birth, heads[v.place], proof) : fits(values, i, birth))) {
      return error(Code::kOverlap, i);
    }
  }
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
