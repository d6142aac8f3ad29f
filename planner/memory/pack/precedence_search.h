// Exact search for a packing of a given height with overlaps, gaps, fixed items and groups: decides
// which of two items lies above the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/memory/pack/conflicts.h"
#include "planner/memory/pack/live_sets.h"
#include "planner/memory/pack/skyline_search.h"
#include "planner/memory/problem/uses.h"
#include "support/random.h"

namespace arenite::memory {

// Branch and bound over the disjunctive graph, decisions only where there is something to decide
// (precedence constraint posting; Cesta, Oddi, Smith: "A constraint-based method for project
// scheduling with time windows", 2002; disjunctive graphs: Balas, 1969).
//
//   height  +---+        a conflict:  either a's start >= b's start + high    (a above)
//           | a |  +---+              or     b's start >= a's start - low     (a below)
//           +---+  | b |
//             ?    +---+ each decision is an arc; the longest paths of arcs are the lowest starts
//
//   1. Each item has a lowest start (longest path from the ground) and a highest (from the height).
//      Decisions raise the one of some items and lower the other of some, until nothing changes.
//   2. A conflict of which one side has no room is decided by that; where neither has, or the items
//      of a live set have too many bytes for the room between their lowest starts and highest ends
//      (one-machine relaxation: Carlier, 1982), the branch is dead. What items of a live set can
//      share as far as is decided is taken off their bytes.
//   3. All items at their lowest starts: where that breaks no conflict it is a packing. Else one
//      that it breaks is decided, one branch for each side.
//
// The lowest starts of a set of decisions are below all others that keep to them, and two sides are
// all there are: the search is complete. Which conflict goes first learns from dead branches: items
// get weights (Boussemart et al.: "Boosting systematic search by weighting constraints", 2004) that
// stay from run to run, so that what is hard in one stretch of time is not tried again for each
// choice in another.
class PrecedenceSearch {
 public:
  // No more conflicts than this are worth it: each node looks at all.
  static constexpr uint64_t kConflictsMax = 400'000;

  // `watch` may be null.
  PrecedenceSearch(const PackProblem& problem, std::vector<Conflict> conflicts,
                   const Watch* watch = nullptr);

  SearchEnd run(uint64_t height, uint64_t nodes_max, Random& random);

  std::span<const uint64_t> offsets() const { return offsets_; }  // after kFound
  uint64_t nodes() const { return nodes_; }                       // of all runs
  uint64_t work() const { return work_; }                         // inner steps of all runs

 private:
  static constexpr uint32_t kNothing = UINT32_MAX;
  enum class Side : uint8_t { kOpen, kAbove, kBelow };  // of a conflict: where its `a` lies
  // The bytes of an item at a live set, counted from its start.
  struct Job {
    uint32_t item = 0;
    int64_t begin = 0;
    int64_t size = 0;
  };
  // Two jobs of a set that may have bytes in common: at distances of their items within pieces.
  struct Sharing {
    uint32_t with = 0;   // index of the other job in its set
    uint32_t piece = 0;  // the first of `pieces_`
    uint32_t pieces = 0;
  };
  struct Piece {
    int64_t from = 0;  // start of the later job's item less the other's, both ends included
    int64_t to = 0;
  };
  struct LiveSet {
    uint32_t job = 0;  // the first of `jobs_`
    uint32_t jobs = 0;
    bool shares = false;
  };
  struct Change {
    enum Kind : uint32_t { kLow, kHigh, kSide } kind;
    uint32_t index;
    int64_t before;
  };

  void make_sets(const PackProblem& problem);
  void find_sharing(uint32_t earlier, uint32_t later, uint32_t first_job);
  void find_twins(const PackProblem& problem);
  bool descend();
  uint32_t choose();
  bool decide(uint32_t conflict, Side side);
  bool propagate();
  void clear_queues();
  bool look_at(uint32_t conflict);
  bool set_fits(const LiveSet& set);
  int64_t more_shared(const LiveSet& set, uint32_t job);
  int64_t shared_bytes(const LiveSet& set, uint32_t job, const Sharing& sharing) const;
  bool raise_low(uint32_t item, int64_t low, uint32_t because);
  bool lower_high(uint32_t item, int64_t high, uint32_t because);
  void touch(uint32_t item);
  bool fail(uint32_t item, uint32_t other);
  bool fail_set(std::span<const Job> jobs);
  void undo(std::size_t mark);
  bool ended();

  const Watch* watch_;
  std::vector<Conflict> conflicts_;
  std::vector<int64_t> size_, alignment_, fixed_;  // of each item; fixed: -1 where it is not
  std::vector<uint8_t> plain_;                     // a block that overlaps nothing
  std::vector<uint32_t> at_begin_, at_;            // conflicts of each item
  std::vector<uint32_t> twins_;  // conflicts of items that are alike: the first lies below
  std::vector<LiveSet> sets_;
  std::vector<Job> jobs_;
  std::vector<std::vector<Sharing>> sharing_;  // of each job, with earlier ones of its set
  std::vector<Piece> pieces_;
  std::vector<std::vector<uint32_t>> sets_of_;  // of each item

  int64_t height_ = 0;
  std::vector<int64_t> low_, high_;  // starts of each item
  std::vector<Side> side_;           // of each conflict
  std::vector<double> weight_;       // of each item
  std::vector<Change> trail_;
  std::vector<uint32_t> queue_, set_queue_;
  std::vector<uint8_t> queued_, set_queued_;
  std::vector<uint32_t> by_end_;  // room for set_fits
  std::vector<int64_t> begins_, shared_;
  std::vector<uint8_t> in_;
  std::vector<uint64_t> offsets_;
  Random* random_ = nullptr;
  uint64_t nodes_ = 0, nodes_end_ = 0;
  uint64_t work_ = 0;
  uint64_t next_look_ = 0;  // at the watch
  bool limit_ = false;
};

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
