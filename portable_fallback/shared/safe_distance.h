// Computes how far behind output 0 an input must start for its reads to come before the writes, in
// closed form: from the loops of a form, not by following them.
//
// An iteration of nested loops reads at x and then writes up to y, and both are sums of one part
// for each loop. The distance is the greatest y(j) - x(i) of iterations j before i. Those agree in
// some outer loops, then j is earlier in one, and inside of that both are free: so the greatest is
// a sum too, of the greatest y - x of each loop outside, the greatest y(earlier) - x of the one,
// and the greatest y less the lowest x of those inside. Adding the loops from the innermost out
// keeps the best of all choices of the one.
#pragma once

#include <cstdint>

#include "ops/window.h"
#include "portable_fallback/shared/loop.h"

namespace arenite {

// The bytes by which one loop moves the reads and writes of an iteration. y never falls from one
// iteration to the next, but where a function says so.
class DistanceLoop {
 public:
  // `count` iterations (at least one) that move by these steps.
  static DistanceLoop even(uint32_t count, int64_t y_step, int64_t x_step);
  // In blocks of `block`, each of which reads first, from its first element on, and then writes up
  // to its last. x_step is not negative.
  static DistanceLoop blocks(uint32_t count, uint32_t block, int64_t y_step, int64_t x_step);
  // The same of at least one element of y, of one byte, of which so many neighbors each read the
  // same element of x.
  static DistanceLoop shared_blocks(uint32_t count, uint32_t block, uint32_t sharers);
  // Over the outputs of a window, which read from their lowest tap inside the input on, or nothing.
  static DistanceLoop window(const Window& window, uint32_t outputs, int64_t y_step,
                             int64_t x_step);
  // The same in pieces, each of which reads for all of its outputs, then writes them: of so many as
  // at_once(outputs that are left) says, never more where fewer are left. Follows the pieces at the
  // edges alone.
  static DistanceLoop window_pieces(const Window& window, uint32_t outputs, int64_t y_step,
                                    int64_t x_step, uint32_t (*at_once)(uint32_t left));
  // Over the outputs of a window of stride 1, by phases: reads for all that lie its dilation apart,
  // from the first on, then writes them, then those behind each of them, and so on: y falls in
  // between.
  static DistanceLoop window_phases(const Window& window, uint32_t outputs, int64_t y_step,
                                    int64_t x_step);
  // Over the outputs of a transposed convolution in their order, which read from their lowest
  // position inside the input on, or nothing.
  static DistanceLoop transposed(const TransposedWindow& window, uint32_t outputs, int64_t y_step,
                                 int64_t x_step);
  // The same of those that lie its stride apart, from the first on, in pieces, then of those behind
  // each of them, and so on: y falls in between.
  static DistanceLoop transposed_pieces(const TransposedWindow& window, uint32_t outputs,
                                        int64_t y_step, int64_t x_step,
                                        uint32_t (*at_once)(uint32_t left));

 private:
  friend class DistanceNest;
  // Far below any distance, and yet a sum of such, one for each loop, is a number.
  static constexpr int64_t kNone = -(int64_t{1} << 58);

  // How many outputs are next of so many that are left.
  struct Pieces {
    uint32_t (*at_once)(uint32_t left);  // null: up to `most`
    uint32_t most;
    uint32_t size(uint32_t left) const {
      if (at_once != nullptr) return at_once(left);
      return left < most ? left : most;
    }
  };
  static DistanceLoop in_pieces(const Window& window, uint32_t outputs, int64_t y_step,
                                int64_t x_step, const Pieces& pieces);

  // An iteration that reads at x when those before have written up to y_before, and then writes to
  // y; of neighbors of which these change evenly the first and the last will do. What all of them
  // write is known before.
  void visit(int64_t x, int64_t y, int64_t y_before);

  int64_t same_ = kNone;     // the greatest y - x of an iteration
  int64_t earlier_ = kNone;  // the greatest y of an iteration less the x of a later one
  int64_t written_ = 0;      // the greatest y
  int64_t read_ = -kNone;    // the lowest x
};

// Nested loops around a read and a write of `y_bytes` behind it.
class DistanceNest {
 public:
  explicit DistanceNest(uint32_t y_bytes) : written_(y_bytes) {}
  // Puts a loop around those so far.
  void add(const DistanceLoop& loop);
  // Puts all of them around, of operands 0 and `operand`, whose elements have the same size.
  void add(const NestedLoop& loops, uint32_t operand, uint32_t element_bytes);

 private:
  friend class DistanceWalk;
  int64_t distance_ = DistanceLoop::kNone;
  int64_t written_;
  int64_t read_ = 0;
};

// Reads, writes and nests of them in the order in which the form does them, in bytes from the
// starts of the input and of output 0. Of neighboring reads between which nothing is written, the
// lowest will do.
class DistanceWalk {
 public:
  void read(int64_t at) {
    distance_ = written_ - at > distance_ ? written_ - at : distance_;
    lowest_ = at < lowest_ ? at : lowest_;
  }
  void write(int64_t end) { written_ = end > written_ ? end : written_; }
  // A nest that starts at y and x.
  void nest(const DistanceNest& nest, int64_t y = 0, int64_t x = 0);

  uint64_t bytes() const { return static_cast<uint64_t>(distance_); }
  // The lowest of all bytes read so far.
  int64_t lowest() const { return lowest_; }

 private:
  int64_t written_ = 0;  // the end of what has been written
  int64_t distance_ = 0;
  int64_t lowest_ = INT64_MAX;
};

// The starts of a loop's operands, and the sizes of their elements.
struct DistanceStart {
  int64_t y = 0, x = 0;
  uint32_t y_bytes = 4, x_bytes = 4;
};

// Loops that read an element of operand `operand`, then write one of operand 0; with `piece`, the
// innermost does so with that many elements at a time.
void walk_loop(DistanceWalk& walk, const NestedLoop& loop, uint32_t operand,
               const DistanceStart& at, uint32_t piece = 1);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
