// Computes how far behind output 0 an input must start for its reads to come before the writes, by
// following a form's loops.
#pragma once

#include <cstdint>

#include "ops/window.h"
#include "portable_fallback/loop.h"

namespace arenite {

// Elements in order: each is read at x, then written at y. All in bytes; y_step is not negative.
struct DistanceRow {
  uint32_t count;
  int64_t y, x;  // of the first element, from the starts of output 0 and of the input
  int64_t y_step, x_step;
  uint32_t y_bytes;  // of an element written
};

// Reads and writes in the order in which the form does them, in bytes from the starts of the
// input and of output 0. Of neighbouring reads between which nothing is written, the lowest will
// do.
class DistanceWalk {
 public:
  void read(int64_t at) {
    distance_ = written_ - at > distance_ ? written_ - at : distance_;
    lowest_ = at < lowest_ ? at : lowest_;
  }
  void write(int64_t end) { written_ = end > written_ ? end : written_; }
  void row(const DistanceRow& row);

  uint64_t bytes() const { return static_cast<uint64_t>(distance_); }
  // Of all bytes read so far.
  int64_t lowest() const { return lowest_; }

 private:
  int64_t written_ = 0;  // the end of what has been written
  int64_t distance_ = 0;
  int64_t lowest_ = INT64_MAX;
};

// Where the operands of a loop start, and the sizes of their elements.
struct DistanceLoop {
  int64_t y = 0, x = 0;
  uint32_t y_bytes = 4, x_bytes = 4;
};

// A loop that reads an element of operand `operand`, then writes one of operand 0.
void walk_loop(DistanceWalk& walk, const NestedLoop& loop, uint32_t operand,
               const DistanceLoop& at);

// Calls visit(output) in rising order for the outputs of a window at which the distance between
// what was written before and the lowest tap can be greatest: those that begin in the padding, and
// the first and the last that begin inside, between which both ends move evenly.
template <typename F>
void for_farthest_outputs(const Window& window, uint32_t outputs, F visit) {
  uint32_t inside = window.pad_begin / window.stride + (window.pad_begin % window.stride != 0);
  inside = inside < outputs ? inside : outputs;
  for (uint32_t o = 0; o < inside; ++o) visit(o);
  if (inside == outputs || window.start(inside) >= static_cast<int32_t>(window.input)) return;
  visit(inside);
  uint32_t last = (window.input - 1 + window.pad_begin) / window.stride;
  last = last < outputs ? last : outputs - 1;
  // What comes before the last was written by its neighbour.
  if (last > inside + 1) visit(inside + 1);
  if (last > inside) visit(last);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
