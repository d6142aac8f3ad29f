// A problem that does not contradict itself, with its items: what all of planning works on.
#pragma once

#include <string>
#include <vector>

#include "planner/memory/problem/items.h"
#include "planner/memory/problem/problem.h"

namespace arenite::memory {

// A problem that was checked once, and is passed on by reference: nobody need check it again, and
// groups and permissions are resolved.
//
//   Problem --check--> CheckedProblem: buffers -> anchors -> items <- overlaps of items
class CheckedProblem {
 public:
  // Throws InputError when the problem contradicts itself: no memory, an index out of range, a
  // lifetime that ends before it begins, a gap outside its lifetime, across another or with bytes
  // that the buffer does not have, an alignment of 0 or one its memory's base or its base buffer
  // cannot give, a cycle of relative buffers, sizes that overflow, a fixed buffer that is out of
  // its memory or overlaps another, buffers tied together with no memory allowed to all, an overlap
  // of a buffer with itself.
  explicit CheckedProblem(Problem problem);

  const Problem& problem() const { return problem_; }
  const std::vector<Memory>& memories() const { return problem_.memories; }
  const std::vector<Buffer>& buffers() const { return problem_.buffers; }
  const std::vector<Overlap>& overlaps() const { return problem_.overlaps; }  // of buffers

  const std::vector<Anchor>& anchors() const { return anchors_; }  // by buffer
  const std::vector<Item>& items() const { return items_; }        // in the order of their roots
  uint32_t item_of(uint32_t buffer) const { return item_of_[buffer]; }
  // The bytes that two items may share, sorted by output, then input. An overlap is listed only if
  // at its step every member of the one has permission for every member of the other; its lead is
  // the largest of theirs.
  const std::vector<Overlap>& item_overlaps() const { return item_overlaps_; }
  bool solid() const { return solid_; }  // no item has gaps

  // Multiple that the offset of an item must be of in a memory.
  uint64_t alignment_in(const Item& item, uint32_t memory) const {
    return common_alignment(item.alignment, memories()[memory].alignment);
  }

 private:
  void check_items() const;

  Problem problem_;
  std::vector<Anchor> anchors_;
  std::vector<Item> items_;
  std::vector<uint32_t> item_of_;  // by buffer
  std::vector<Overlap> item_overlaps_;
  bool solid_ = true;
};

// The same, where the message of an InputError begins with `whose` problem it is and ": ".
CheckedProblem check(Problem problem, const std::string& whose);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
