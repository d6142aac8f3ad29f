// The length covered by a changing set of intervals.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

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

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
