// Exact search for a packing of a given height: fills the valleys of a skyline, depth first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/memory/pack/live_sets.h"
#include "planner/memory/pack/pack.h"

namespace arenite::memory {

// The outcome of a search.
enum class SearchEnd {
  kFound,       // offsets() is a packing of at most the height asked for
  kImpossible,  // all was tried: there is no such packing
  kLimit,       // too many nodes, or ended from outside
};

// Every packing can be let fall until each item rests on another one, on the ground, or is fixed.
// The tops of what lies in each live set so far make a skyline. A valley is a stretch of it at one
// level between higher walls. What comes to lie lowest in the set at a valley's edge is either an
// item that starts at that edge, ends inside the valley and rests on its ground, or nothing at this
// level: then the ground rises to the next level at which something can rest. One branch for each:
// all choices are tried, none twice. The valley with the fewest choices goes first. Beside the
// ground each set keeps the bytes still to come: ground + bytes above the height prunes, and so
// does an item's lowest offset + size; both rise together (a set's ground is at least the least of
// its items' lowest offsets; an item's lowest offset at least the ground of each of its sets).
//
// After: canonical solutions, section inference and restarts over orders of minimalloc (Moffitt,
// "MiniMalloc: a lightweight memory allocator for hardware-accelerated machine learning", 2023).
// New here: branching at valleys, which leaves one path to a packing instead of one for each order
// of placing, and choosing the valley with the fewest choices.
//
// All memory is taken in the constructor. The watch is looked at now and then. Overlaps are not
// used.
class SkylineSearch {
 public:
  // Works in units of the largest number that divides all alignments: sizes are rounded up to it.
  // `watch` may be null.
  SkylineSearch(const PackProblem& problem, const LiveSets& sets, const Watch* watch = nullptr);

  uint64_t unit_bytes() const { return unit_; }

  // Tries items with greater `keys` first. `height_units` * unit_bytes() is the height wanted.
  SearchEnd run(uint64_t height_units, std::span<const double> keys, uint64_t nodes_max);

  std::span<const uint64_t> offsets() const { return offset_bytes_; }  // after kFound
  uint64_t nodes() const { return nodes_; }                            // of all runs
  uint64_t work() const { return work_; }                              // inner steps of all runs

 private:
  // One rigid item in units.
  struct Piece {
    int64_t size;
    int64_t alignment;
    int64_t fixed;  // or -1
    uint32_t first, last;
  };
  // Undoes one change.
  struct Change {
    enum Kind : uint32_t { kGround, kTop, kLow } kind;
    uint32_t index;
    int64_t before;
  };
  // The set at one edge of a valley, and what may come there.
  struct Edge {
    uint32_t set = 0;
    bool left = true;
    uint32_t choices = UINT32_MAX;
    int64_t slack = 0;       // of two edges with as many choices the one with less goes first
    int64_t next_level = 0;  // where the ground rises to if nothing rests here; -1: it may not
  };

  void reset(std::span<const double> keys);
  bool descend();
  bool ended();
  bool find_edge(Edge& best) const;
  bool look_at_edge(uint32_t set, bool left, uint32_t other_edge, Edge& best) const;
  bool may_rest(uint32_t i, int64_t level) const;
  bool has_earlier_twin(std::span<const uint32_t> pieces, std::size_t k, int64_t level) const;
  int64_t next_level(uint32_t set, bool left, int64_t level) const;
  std::span<const uint32_t> pieces_at(uint32_t set, bool left) const;
  bool place(uint32_t i);
  void take_back(uint32_t i, std::size_t mark);
  bool raise(uint32_t set, int64_t level);
  bool propagate();
  bool lift(uint32_t set, int64_t level);
  void undo(std::size_t mark);

  const Watch* watch_;
  uint32_t count_;  // of live sets
  SetMembers members_;
  uint64_t unit_ = 1;
  std::vector<Piece> pieces_;
  std::vector<uint32_t> start_begin_, start_, end_begin_, end_;  // pieces by first and last set

  int64_t height_ = 0;
  std::vector<int64_t> ground_;   // of each set: nothing more can lie below
  std::vector<int64_t> top_;      // of each set: end of the highest piece that lies there
  std::vector<int64_t> to_come_;  // of each set: sizes of what is not placed
  std::vector<int64_t> low_;      // of each piece not placed: its lowest offset
  std::vector<uint8_t> placed_;
  uint32_t left_ = 0;
  std::vector<Change> trail_;
  std::vector<uint32_t> queue_;  // sets whose ground may rise
  std::vector<uint8_t> queued_;
  std::vector<uint64_t> offset_bytes_;
  uint64_t nodes_ = 0, nodes_end_ = 0;
  mutable uint64_t work_ = 0;
  uint64_t next_look_ = 0;  // at the watch
  bool limit_ = false;
};

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
