// The parts of safe distances that more than one form needs.
#include "portable_fallback/shared/safe_distance.h"

namespace arenite {
namespace {

int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

// The outputs of a transposed convolution that lie its stride apart, as a window over what is left
// of the input from `skipped` on: its taps in rising order.
struct PhaseWindow {
  Window window;
  uint32_t outputs;
  int64_t skipped;
};
PhaseWindow phase_window(const TransposedWindow& w, uint32_t phase, uint32_t outputs) {
  const PhaseTaps taps = w.phase_taps(phase);
  const int64_t reach = taps.count == 0 ? 0 : int64_t{taps.count - 1} * w.input_step;
  const int64_t lowest = taps.position - reach;  // of the first output
  PhaseWindow of = {{w.input, taps.count, 1, w.input_step, 0},
                    (outputs - phase - 1) / w.stride + 1,
                    larger(lowest, 0)};
  of.window.pad_begin = static_cast<uint32_t>(larger(-lowest, 0));
  of.window.input -= static_cast<uint32_t>(smaller(of.skipped, w.input));
  return of;
}

}  // namespace

void DistanceLoop::visit(int64_t x, int64_t y, int64_t y_before) {
  same_ = larger(same_, y - x);
  earlier_ = larger(earlier_, y_before - x);
  read_ = smaller(read_, x);
}

// Both ends of what changes evenly, put into formulas: this is most of what a loader computes.
DistanceLoop DistanceLoop::even(uint32_t count, int64_t y_step, int64_t x_step) {
  DistanceLoop loop;
  loop.same_ = loop.read_ = 0;
  if (count > 1) {
    loop.written_ = (count - 1) * y_step;
    const int64_t x = (count - 1) * x_step;
    loop.earlier_ = larger(-x_step, loop.written_ - y_step - x);
    loop.same_ = larger(0, loop.written_ - x);
    loop.read_ = smaller(0, x);
  }
  return loop;
}

DistanceLoop DistanceLoop::in_pieces(const Window& window, uint32_t outputs, int64_t y_step,
                                     int64_t x_step, const Pieces& pieces) {
  DistanceLoop loop;
  loop.written_ = (int64_t{outputs} - 1) * y_step;
  if (window.kernel == 0 || window.input == 0) return loop;
  // The outputs from even_begin to even_end begin in the input, evenly; those behind read nothing.
  const uint32_t even_begin = (window.pad_begin + window.stride - 1) / window.stride;
  uint32_t even_end = (window.input - 1 + window.pad_begin) / window.stride + 1;
  even_end = even_end < outputs ? even_end : outputs;
  uint32_t o = 0;
  if (pieces.most == 1) {
    // Of outputs that begin in the padding the lowest taps repeat after as many as the dilation, or
    // fewer, and the last ones have the most written before them.
    const uint32_t inside = even_begin < outputs ? even_begin : outputs;
    o = inside > window.dilation ? inside - window.dilation : 0;
  }
  while (o < even_end) {
    const uint32_t first = o;
    const uint32_t size = pieces.size(outputs - o);
    const uint32_t end = o + size;
    int64_t lowest = -kNone;
    if (first >= even_begin && end <= even_end) {
      lowest = window.start(first);
      // Pieces of one size change evenly: after the first of them only the last is visited, but for
      // the second where nothing is written before the first and x moves faster than y.
      const uint32_t count = (even_end - first) / size;
      const uint32_t last = first + (count - 1) * size;
      const bool skips = first >= size || (window.stride == 1 && x_step <= y_step);
      o = count > 2 && skips && pieces.size(outputs - last) == size ? last : end;
    } else {
      for (; o < end; ++o) {
        const Taps taps = window.taps(o);
        if (taps.begin != taps.end) lowest = smaller(lowest, window.position(o, taps.begin));
      }
    }
    if (lowest == -kNone) continue;
    loop.visit(lowest * x_step, int64_t{end - 1} * y_step,
               first != 0 ? int64_t{first - 1} * y_step : kNone);
  }
  return loop;
}

DistanceLoop DistanceLoop::blocks(uint32_t count, uint32_t block, int64_t y_step, int64_t x_step) {
  const Window each = {.input = count, .kernel = 1, .stride = 1, .dilation = 1, .pad_begin = 0};
  return in_pieces(each, count, y_step, x_step, {nullptr, block});
}

// Where a block ends rises by more than where the next one reads, so that later ones have more
// written; but the last may be shorter than the one before.
DistanceLoop DistanceLoop::shared_blocks(uint32_t count, uint32_t block, uint32_t sharers) {
  DistanceLoop loop;
  const uint32_t end = count - 1;
  const uint32_t last = end / block * block;
  const uint32_t x = last / sharers;
  uint32_t most = end - x;
  if (last != 0) {
    const uint32_t before = last - 1 - (last - block) / sharers;
    most = before > most ? before : most;
  }
  loop.earlier_ = last != 0 ? int64_t{last} - 1 - x : kNone;
  loop.same_ = most;
  loop.written_ = end;
  loop.read_ = 0;
  return loop;
}

DistanceLoop DistanceLoop::window(const Window& window, uint32_t outputs, int64_t y_step,
                                  int64_t x_step) {
  return in_pieces(window, outputs, y_step, x_step, {nullptr, 1});
}

DistanceLoop DistanceLoop::window_pieces(const Window& window, uint32_t outputs, int64_t y_step,
                                         int64_t x_step, uint32_t (*at_once)(uint32_t left)) {
  return in_pieces(window, outputs, y_step, x_step, {at_once, 0});
}

DistanceLoop DistanceLoop::window_phases(const Window& window, uint32_t outputs, int64_t y_step,
                                         int64_t x_step) {
  DistanceLoop loop;
  loop.written_ = int64_t{outputs - 1} * y_step;
  int64_t written = kNone;
  for (uint32_t phase = 0; phase < window.dilation && phase < outputs; ++phase) {
    const WindowPhase of = window_phase(window, phase);
    const uint32_t places = (outputs - phase - 1) / window.dilation + 1;
    const int64_t y = (int64_t{phase} + int64_t{places - 1} * window.dilation) * y_step;
    // Pixels that these read: one for each, and those of the other taps of the last.
    const uint64_t pixels = uint64_t{places} + of.window.kernel - 1;
    if (of.window.input != 0 && of.window.pad_begin < pixels) {
      loop.visit(of.first * x_step, y, written);
    }
    written = larger(written, y);
  }
  return loop;
}

DistanceLoop DistanceLoop::transposed(const TransposedWindow& w, uint32_t outputs, int64_t y_step,
                                      int64_t x_step) {
  DistanceLoop loop;
  loop.written_ = int64_t{outputs - 1} * y_step;
  for (uint32_t phase = 0; phase < w.stride && phase < outputs; ++phase) {
    const PhaseWindow of = phase_window(w, phase, outputs);
    const int64_t behind = w.stride * y_step;
    const DistanceLoop each = window(of.window, of.outputs, behind, x_step);
    const int64_t ahead = phase * y_step - of.skipped * x_step;
    loop.same_ = larger(loop.same_, each.same_ + ahead);
    // What was written before is the output before, of another phase; nothing before the first.
    const int64_t before = phase != 0 ? each.same_ - y_step : each.earlier_ + behind - y_step;
    loop.earlier_ = larger(loop.earlier_, before + ahead);
    loop.read_ = smaller(loop.read_, each.read_ + of.skipped * x_step);
  }
  return loop;
}

DistanceLoop DistanceLoop::transposed_pieces(const TransposedWindow& w, uint32_t outputs,
                                             int64_t y_step, int64_t x_step,
                                             uint32_t (*at_once)(uint32_t left)) {
  DistanceLoop loop;
  int64_t written = kNone;
  for (uint32_t phase = 0; phase < w.stride && phase < outputs; ++phase) {
    const PhaseWindow of = phase_window(w, phase, outputs);
    const DistanceLoop each =
        window_pieces(of.window, of.outputs, w.stride * y_step, x_step, at_once);
    const int64_t x = of.skipped * x_step;
    const int64_t y = phase * y_step;
    loop.same_ = larger(loop.same_, each.same_ + y - x);
    loop.earlier_ =
        larger(loop.earlier_, larger(each.earlier_ + y - x, written - (each.read_ + x)));
    loop.read_ = smaller(loop.read_, each.read_ + x);
    written = larger(written, each.written_ + y);
  }
  loop.written_ = written;
  return loop;
}

void DistanceNest::add(const DistanceLoop& loop) {
  distance_ = larger(loop.same_ + distance_, loop.earlier_ + written_ - read_);
  written_ += loop.written_;
  read_ += loop.read_;
}

void DistanceNest::add(const NestedLoop& loops, uint32_t operand, uint32_t element_bytes) {
  for (uint32_t d = loops.rank; d-- > 0;) {
    add(DistanceLoop::even(loops.dims[d], int64_t{loops.strides[0][d]} * element_bytes,
                           int64_t{loops.strides[operand][d]} * element_bytes));
  }
}

void DistanceWalk::nest(const DistanceNest& nest, int64_t y, int64_t x) {
  read(x + nest.read_);
  distance_ = larger(distance_, nest.distance_ + y - x);
  write(y + nest.written_);
}

void walk_loop(DistanceWalk& walk, const NestedLoop& loop, uint32_t operand,
               const DistanceStart& at, uint32_t piece) {
  DistanceNest nest(at.y_bytes);
  for (uint32_t d = loop.rank; d-- > 0; piece = 1) {
    const int64_t y_step = int64_t{loop.strides[0][d]} * at.y_bytes;
    const int64_t x_step = int64_t{loop.strides[operand][d]} * at.x_bytes;
    nest.add(piece == 1 ? DistanceLoop::even(loop.dims[d], y_step, x_step)
                        : DistanceLoop::blocks(loop.dims[d], piece, y_step, x_step));
  }
  walk.nest(nest, at.y, at.x);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
