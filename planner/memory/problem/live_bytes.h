// The bytes live at each step, and the height below which no plan can go.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/assert.h"
#include "planner/memory/problem/check.h"

namespace arenite::memory {

// A segment tree over the end points of all intervals that will ever be added, O(log n) a change.
class UnionLength {
 public:
  explicit UnionLength(std::vector<uint64_t> end_points) : points_(std::move(end_points)) {
    std::sort(points_.begin(), points_.end());
    points_.erase(std::unique(points_.begin(), points_.end()), points_.end());
    nodes_.resize(4 * std::max<std::size_t>(points_.size(), 1));
  }

  // Adds (+1) or takes away (-1) the interval [begin, end); both must be among the end points.
  void change(uint64_t begin, uint64_t end, int count) {
    if (begin >= end) return;
    ARENITE_ASSERT(std::binary_search(points_.begin(), points_.end(), begin));
    ARENITE_ASSERT(std::binary_search(points_.begin(), points_.end(), end));
    change_below(1, 0, points_.size() - 1, {begin, end}, count);
  }

  uint64_t length() const { return nodes_[1].covered; }

 private:
  struct Node {
    int64_t count = 0;     // intervals that cover the whole node and were put exactly here
    uint64_t covered = 0;  // length covered within the node
  };
  struct Interval {
    uint64_t begin = 0;
    uint64_t end = 0;
  };

  // The node spans points_[left] .. points_[right].
  void change_below(std::size_t node, std::size_t left, std::size_t right, Interval interval,
                    int count) {
    if (interval.end <= points_[left] || points_[right] <= interval.begin) return;
    const bool leaf = right - left == 1;
    if (interval.begin <= points_[left] && points_[right] <= interval.end) {
      nodes_[node].count += count;
    } else {
      const std::size_t middle = left + (right - left) / 2;
      change_below(2 * node, left, middle, interval, count);
      change_below(2 * node + 1, middle, right, interval, count);
    }
    if (nodes_[node].count > 0) {
      nodes_[node].covered = points_[right] - points_[left];
    } else {
      nodes_[node].covered = leaf ? 0 : nodes_[2 * node].covered + nodes_[2 * node + 1].covered;
    }
  }

  std::vector<uint64_t> points_;
  std::vector<Node> nodes_;
};

// Consecutive steps, both ends included, during which the same number of bytes is live.
struct LiveSpan {
  uint32_t first = 0;
  uint32_t last = 0;
  uint64_t bytes = 0;        // in use, each buffer's extended to a multiple of the granule
  uint64_t padding_max = 0;  // largest extension among the buffers live here
};

// Live bytes at each step from the first birth to the last death of the `included` buffers, in
// order, without holes in time. Bytes shared by buffers of one group count once, and so do those
// that overlaps may save at a step; of a buffer in a gap counts what stays in use.
std::vector<LiveSpan> live_spans(const CheckedProblem& problem, const std::vector<bool>& included,
                                 uint64_t granule = 1);
std::vector<LiveSpan> live_spans(const CheckedProblem& problem);  // of all buffers

// The same for the buffers that a solution put into one memory.
std::vector<LiveSpan> live_spans_in(const CheckedProblem& problem, const Solution& solution,
                                    uint32_t memory);

// The first span with the most bytes; zero bytes at step 0 when there are no spans.
LiveSpan largest(const std::vector<LiveSpan>& spans);

// A buffer that holds data at some step, with the bytes in use then.
struct LiveBuffer {
  uint32_t buffer = 0;
  std::string name;
  uint64_t size_bytes = 0;
};

// Buffers in `memory` that hold data at `step`, with the bytes in use then, most first; one that
// lies within its live root is left out, as it holds no bytes of its own.
std::vector<LiveBuffer> live_buffers_in(const CheckedProblem& problem, const Solution& solution,
                                        uint32_t memory, uint32_t step);

// A height, in bytes, that every plan reaches: the sum over the memories of (end of the highest
// buffer). It is the most bytes live at one step; with a single memory each size is rounded up to
// the granule all offsets share, less the padding of the one buffer that may lie on top; fixed
// buffers count with their ends, and each group is as long as it is, whatever its gaps.
uint64_t lower_bound(const CheckedProblem& problem);

// The same, with what was proved of a solution, which says something of all plans where there is
// one memory.
uint64_t lower_bound(const CheckedProblem& problem, const Solution& solution);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
