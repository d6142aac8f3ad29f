// Safe distances of nested loops in closed form are those of the same loops walked iteration by
// iteration.
#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <span>
#include <vector>

#include "portable_fallback/shared/safe_distance.h"

namespace arenite::ops_test {
namespace {

// A loop as its definition says, iteration by iteration.
struct WalkedLoop {
  DistanceLoop closed;
  std::vector<std::optional<int64_t>> reads;  // of each iteration
  std::vector<int64_t> writes;
};

class RandomLoops {
 public:
  explicit RandomLoops(uint32_t seed) : random_(seed) {}

  WalkedLoop draw() {
    const int64_t y_step = below(60);
    switch (below(7)) {
      case 0:
        return even(1 + below(6), y_step, int64_t{below(120)} - 60);
      case 1:
        return blocks(1 + below(20), 1 + below(6), y_step, below(60));
      case 2:
        return window(draw_window(), 1 + below(24), y_step, below(60));
      case 3:
        return transposed(draw_transposed(), 1 + below(30), y_step, below(60));
      case 4:
        return transposed_pieces(draw_transposed(), 1 + below(60), y_step, below(60),
                                 kAtOnce[below(3)]);
      case 5:
        return window_phases(draw_phases(), 1 + below(30), y_step, below(60));
      default:
        return window_pieces(draw_window(), 1 + below(40), y_step, below(60), kAtOnce[below(3)]);
    }
  }
  Window draw_window() {
    return {.input = below(below(2) == 0 ? 12 : 60),
            .kernel = below(5),
            .stride = 1 + below(4),
            .dilation = 1 + below(7),
            .pad_begin = below(below(2) == 0 ? 3 : 40)};
  }
  Window draw_phases() {
    Window window = draw_window();
    window.stride = 1;
    window.kernel += window.kernel == 0;
    return window;
  }
  TransposedWindow draw_transposed() {
    return {below(below(2) == 0 ? 4 : 30), below(5), 1 + below(4), 1 + below(7),
            below(below(2) == 0 ? 3 : 40)};
  }
  uint32_t below(uint32_t end) { return static_cast<uint32_t>(random_() % end); }

 private:
  static WalkedLoop even(uint32_t count, int64_t y_step, int64_t x_step) {
    WalkedLoop loop = {DistanceLoop::even(count, y_step, x_step), {}, {}};
    for (int64_t i = 0; i < count; ++i) {
      loop.reads.emplace_back(i * x_step);
      loop.writes.push_back(i * y_step);
    }
    return loop;
  }
  static WalkedLoop blocks(uint32_t count, uint32_t block, int64_t y_step, int64_t x_step) {
    WalkedLoop loop = {DistanceLoop::blocks(count, block, y_step, x_step), {}, {}};
    for (uint32_t first = 0; first < count; first += block) {
      loop.reads.emplace_back(first * x_step);
      loop.writes.push_back((std::min(first + block, count) - 1) * y_step);
    }
    return loop;
  }
  // Says how many of the outputs that are left are made at once.
  using AtOnce = uint32_t (*)(uint32_t left);
  static constexpr AtOnce kAtOnce[] = {
      [](uint32_t left) { return (left + 2) / 3; },
      [](uint32_t left) { return left >= 4 ? 4u : left / 2 + left % 2; },
      [](uint32_t left) { return left < 3 ? left : 3; }};
  static WalkedLoop window_pieces(const Window& drawn, uint32_t outputs, int64_t y_step,
                                  int64_t x_step, AtOnce at_once) {
    const WalkedLoop each = window(drawn, outputs, y_step, x_step);
    WalkedLoop loop = {
        DistanceLoop::window_pieces(drawn, outputs, y_step, x_step, at_once), {}, {}};
    for (uint32_t o = 0, end = 0; o < outputs; o = end) {
      end += at_once(outputs - o);
      std::optional<int64_t>& lowest = loop.reads.emplace_back();
      for (; o < end; ++o) {
        const auto& read = each.reads[o];
        if (read && (!lowest || *read < *lowest)) lowest = read;
      }
      loop.writes.push_back((end - 1) * y_step);
    }
    return loop;
  }
  static WalkedLoop window(const Window& window, uint32_t outputs, int64_t y_step, int64_t x_step) {
    WalkedLoop loop = {DistanceLoop::window(window, outputs, y_step, x_step), {}, {}};
    for (uint32_t o = 0; o < outputs; ++o) {
      std::optional<int64_t>& lowest = loop.reads.emplace_back();
      for (uint32_t t = window.kernel; t-- > 0;) {
        const int64_t at = window.position(o, t);
        if (at >= 0 && at < window.input) lowest = at * x_step;
      }
      loop.writes.push_back(o * y_step);
    }
    return loop;
  }

  static WalkedLoop window_phases(const Window& drawn, uint32_t outputs, int64_t y_step,
                                  int64_t x_step) {
    const WalkedLoop each = window(drawn, outputs, y_step, x_step);
    WalkedLoop loop = {DistanceLoop::window_phases(drawn, outputs, y_step, x_step), {}, {}};
    for (uint32_t phase = 0; phase < drawn.dilation && phase < outputs; ++phase) {
      std::optional<int64_t>& lowest = loop.reads.emplace_back();
      int64_t written = 0;
      for (uint32_t o = phase; o < outputs; o += drawn.dilation) {
        const auto& read = each.reads[o];
        if (read && (!lowest || *read < *lowest)) lowest = read;
        written = o * y_step;
      }
      loop.writes.push_back(written);
    }
    return loop;
  }

  static WalkedLoop transposed(const TransposedWindow& window, uint32_t outputs, int64_t y_step,
                               int64_t x_step) {
    WalkedLoop loop = {DistanceLoop::transposed(window, outputs, y_step, x_step), {}, {}};
    for (uint32_t o = 0; o < outputs; ++o) {
      std::optional<int64_t>& lowest = loop.reads.emplace_back();
      for (uint32_t t = 0; t < window.kernel; ++t) {
        const int64_t at = int64_t{o} + window.pad_begin - int64_t{t} * window.dilation;
        const int64_t position = at / window.stride;
        if (at < 0 || at % window.stride != 0 || position >= window.input) continue;
        if (!lowest || position * x_step < *lowest) lowest = position * x_step;
      }
      loop.writes.push_back(o * y_step);
    }
    return loop;
  }
  static WalkedLoop transposed_pieces(const TransposedWindow& window, uint32_t outputs,
                                      int64_t y_step, int64_t x_step, AtOnce at_once) {
    const WalkedLoop each = transposed(window, outputs, y_step, x_step);
    WalkedLoop loop = {
        DistanceLoop::transposed_pieces(window, outputs, y_step, x_step, at_once), {}, {}};
    for (uint32_t phase = 0; phase < window.stride && phase < outputs; ++phase) {
      for (uint32_t o = phase; o < outputs;) {
        std::optional<int64_t>& lowest = loop.reads.emplace_back();
        const uint32_t left = (outputs - o - 1) / window.stride + 1;
        for (uint32_t places = at_once(left); places != 0; --places, o += window.stride) {
          const auto& read = each.reads[o];
          if (read && (!lowest || *read < *lowest)) lowest = read;
        }
        loop.writes.push_back((o - window.stride) * y_step);
      }
    }
    return loop;
  }

  std::mt19937 random_;
};

// Follows loops, the first outermost, whose iterations add to y and x.
void follow(std::span<const WalkedLoop> loops, int64_t y, std::optional<int64_t> x,
            DistanceWalk& walk) {
  if (loops.empty()) {
    if (x) walk.read(*x);
    walk.write(y);
    return;
  }
  for (size_t i = 0; i < loops[0].writes.size(); ++i) {
    const auto& read = loops[0].reads[i];
    follow(loops.subspan(1), y + loops[0].writes[i],
           x && read ? std::optional(*x + *read) : std::nullopt, walk);
  }
}

TEST(DistanceNests, HaveTheDistanceOfTheirWalk) {
  for (uint32_t seed = 1; seed <= 20000; ++seed) {
    RandomLoops random(seed);
    DistanceWalk closed;
    DistanceWalk walked;
    for (uint32_t nests = 1 + random.below(2); nests != 0; --nests) {
      std::vector<WalkedLoop> loops;
      for (uint32_t left = random.below(4); left != 0; --left) loops.push_back(random.draw());
      const uint32_t bytes = 1u << random.below(4);
      const int64_t y = random.below(300);
      const int64_t x = random.below(300);
      DistanceNest nest(bytes);
      for (size_t i = loops.size(); i-- > 0;) nest.add(loops[i].closed);
      closed.nest(nest, y, x);
      follow(loops, y + bytes, x, walked);
    }
    ASSERT_EQ(closed.bytes(), walked.bytes()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
