// Cuts a rectangle of time and bytes into pieces: in two, or like a pinwheel.
#include "tests/planner/memory/generators.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace arenite::memory {
namespace {

// Steps [first, end) by bytes [low, high).
struct Rectangle {
  uint32_t first = 0;
  uint32_t end = 0;
  uint32_t low = 0;
  uint32_t high = 0;
  uint32_t steps() const { return end - first; }
  uint32_t bytes() const { return high - low; }
};

// Two numbers inside (0, length), in order and apart.
std::pair<uint32_t, uint32_t> two_inside(Dice& dice, uint32_t length) {
  const uint32_t a = dice.within(1, length - 2);
  return {a, dice.within(a + 1, length - 1)};
}

// Cuts `r` in two; false where it is a single step of a single byte.
bool guillotine(Dice& dice, const Rectangle& r, std::vector<Rectangle>& pieces) {
  const bool in_time = r.steps() > 1 && (r.bytes() == 1 || dice.one_in(2));
  if (!in_time && r.bytes() == 1) return false;
  Rectangle a = r;
  Rectangle b = r;
  if (in_time) {
    a.end = b.first = r.first + dice.within(1, r.steps() - 1);
  } else {
    a.high = b.low = r.low + dice.within(1, r.bytes() - 1);
  }
  pieces.push_back(a);
  pieces.push_back(b);
  return true;
}

// Cuts `r` into a middle and four round it, each as long as the middle and one neighbor.
bool pinwheel(Dice& dice, const Rectangle& r, std::vector<Rectangle>& pieces) {
  if (r.steps() < 3 || r.bytes() < 3) return false;
  const auto [from, until] = two_inside(dice, r.steps());
  const auto [low, high] = two_inside(dice, r.bytes());
  const uint32_t t1 = r.first + from;
  const uint32_t t2 = r.first + until;
  const uint32_t y1 = r.low + low;
  const uint32_t y2 = r.low + high;
  pieces.push_back({r.first, t2, r.low, y1});
  pieces.push_back({t2, r.end, r.low, y2});
  pieces.push_back({t1, r.end, y2, r.high});
  pieces.push_back({r.first, t1, y1, r.high});
  pieces.push_back({t1, t2, y1, y2});
  return true;
}

std::vector<Rectangle> cut(Dice& dice, const PackingSize& size, bool pinwheels) {
  std::vector<Rectangle> pieces = {{0, size.steps, 0, size.height}};
  for (uint32_t tries = 0; pieces.size() < size.buffers && tries < 20 * size.buffers; ++tries) {
    // The larger of two, so that no piece stays very large.
    const auto area = [](const Rectangle& r) { return uint64_t{r.steps()} * r.bytes(); };
    const auto count = static_cast<uint32_t>(pieces.size());
    uint32_t at = dice.below(count);
    const uint32_t other = dice.below(count);
    if (area(pieces[other]) > area(pieces[at])) at = other;
    const Rectangle r = pieces[at];
    if ((pinwheels && pinwheel(dice, r, pieces)) || guillotine(dice, r, pieces)) {
      pieces.erase(pieces.begin() + at);
    }
  }
  for (std::size_t i = pieces.size(); i > 1; --i) {  // no order to be read off
    std::swap(pieces[i - 1], pieces[dice.below(static_cast<uint32_t>(i))]);
  }
  return pieces;
}

void add(Known& known, uint64_t bytes, Lifetime lifetime, Placement placement) {
  Buffer buffer;
  buffer.name = "b" + std::to_string(known.problem.buffers.size());
  buffer.size_bytes = bytes;
  buffer.lifetime = lifetime;
  known.problem.buffers.push_back(std::move(buffer));
  known.solution.placements.push_back(placement);
}

void add(Known& known, const Rectangle& r, uint32_t memory) {
  add(known, r.bytes(), {r.first, r.end - 1}, {memory, r.low});
}

Known one_memory() {
  Known known;
  known.problem.memories = {{.name = "memory"}};
  return known;
}

Known packing(uint32_t seed, const PackingSize& size, bool pinwheels) {
  Dice dice(seed);
  Known known = one_memory();
  for (const Rectangle& r : cut(dice, size, pinwheels)) add(known, r, 0);
  known.height = size.height;
  return known;
}

bool has_full_step(const Known& known, const PackingSize& size) {
  std::vector<uint64_t> live(size.steps, 0);
  for (const Buffer& buffer : known.problem.buffers) {
    for (uint32_t t = buffer.lifetime.first; t <= buffer.lifetime.last; ++t) {
      live[t] += buffer.size_bytes;
    }
  }
  return std::find(live.begin(), live.end(), size.height) != live.end();
}

}  // namespace

Known guillotine_packing(uint32_t seed, const PackingSize& size) {
  return packing(seed, size, false);
}

Known pinwheel_packing(uint32_t seed, const PackingSize& size) { return packing(seed, size, true); }

Known near_perfect_packing(uint32_t seed, const PackingSize& size) {
  Known known = packing(seed, size, seed % 2 == 0);
  Dice dice(seed + 1);
  std::vector<Buffer>& buffers = known.problem.buffers;
  for (uint32_t changes = dice.within(1, 4); changes > 0 && buffers.size() > 1; --changes) {
    const uint32_t i = dice.below(static_cast<uint32_t>(buffers.size()));
    if (dice.one_in(2)) {
      buffers.erase(buffers.begin() + i);
      known.solution.placements.erase(known.solution.placements.begin() + i);
    } else {
      buffers[i].size_bytes -= dice.below(static_cast<uint32_t>(buffers[i].size_bytes));
    }
  }
  if (!has_full_step(known, size)) known.height.reset();
  return known;
}

Known tiled_loop(uint32_t seed, uint32_t tiles) {
  Dice dice(seed);
  Known known = one_memory();
  const uint64_t sum = dice.within(1, 100);
  const uint64_t input = dice.within(10, 1000);
  const uint64_t scratch = dice.within(1, 500);
  const uint64_t output = dice.within(10, 1000);
  add(known, sum, {0, 3 * tiles + 1}, {0, 0});
  for (uint32_t tile = 0; tile < tiles; ++tile) {
    const uint32_t compute = 3 * tile + 2;  // fetched two steps before, stored one after
    add(known, input, {compute - 2, compute}, {0, sum});
    add(known, scratch, {compute, compute}, {0, sum + input});
    add(known, output, {compute, std::min(compute + 1, 3 * tiles + 1)}, {0, sum + input + scratch});
  }
  known.height = sum + input + scratch + output;  // all live while a tile is computed
  return known;
}

Known training_graph(uint32_t seed, uint32_t layers) {
  Dice dice(seed);
  Known known = one_memory();
  uint64_t top = 0;
  const auto stack = [&](uint64_t bytes, Lifetime lifetime) {
    add(known, bytes, lifetime, {0, top});
    top += bytes;
  };
  for (uint32_t layer = 0; layer < layers; ++layer) {
    const uint64_t bytes = 16 * uint64_t{dice.within(1, 64)};
    const uint32_t back = 2 * layers - 1 - layer;  // the step of its gradient
    stack(bytes, {layer, back});
    stack(bytes, {back, back + 1});
    stack(dice.within(1, 256), {back, 2 * layers});
    if (dice.one_in(3)) stack(8 * uint64_t{dice.within(1, 32)}, {layer, layer});
  }
  return known;
}

Problem training_trace(uint32_t seed, uint32_t buffers) {
  Dice dice(seed);
  Problem problem = one_memory().problem;
  problem.buffers.resize(buffers);
  for (uint32_t i = 0; i < buffers; ++i) {
    Buffer& buffer = problem.buffers[i];
    const bool is_long = dice.below(100) < 3;
    const double share = (1.0 + dice.below(1u << 30)) / (1u << 30);  // in (0, 1]
    const auto more = static_cast<uint32_t>(-40 * std::log(share));
    buffer.name = "b" + std::to_string(i);
    buffer.size_bytes = dice.within(256, 100'000);
    buffer.lifetime = {i, i + (is_long ? dice.within(1, 50'000) - 1 : more)};
  }
  return problem;
}

Known in_place_chain(uint32_t seed, uint32_t steps) {
  Dice dice(seed);
  Known known = one_memory();
  uint64_t largest = 0;
  for (uint32_t step = 0; step < steps; ++step) {
    const uint64_t bytes = dice.within(1, 100);
    largest = std::max(largest, bytes);
    add(known, bytes, {step, step + 1}, {0, 0});
    if (step > 0) known.problem.overlaps.push_back({step - 1, step, 0});
  }
  known.height = largest;
  return known;
}

Known trailing_pairs(uint32_t seed, uint32_t pairs) {
  Dice dice(seed);
  Known known = one_memory();
  uint64_t most = 0;
  for (uint32_t pair = 0; pair < pairs; ++pair) {
    const uint64_t input = dice.within(1, 100);
    const uint64_t output = dice.within(1, 100);
    const uint64_t lead = dice.below(40);
    // The input ends at lead + its own bytes at least, or lies apart.
    const bool apart = std::max(output, lead + input) > input + output;
    const uint64_t height = apart ? input + output : std::max(output, lead + input);
    add(known, input, {3 * pair, 3 * pair + 1}, {0, apart ? output : lead});
    add(known, output, {3 * pair + 1, 3 * pair + 2}, {0, 0});
    known.problem.overlaps.push_back({2 * pair, 2 * pair + 1, static_cast<int64_t>(lead)});
    most = std::max(most, height);
  }
  known.height = most;
  return known;
}

Known full_memories(uint32_t seed, uint32_t memories, const PackingSize& size) {
  Dice dice(seed);
  Known known;
  known.traffic = 0;
  for (uint32_t m = 0; m < memories; ++m) {
    known.problem.memories.push_back(
        {.name = "memory" + std::to_string(m), .size_bytes = size.height});
    for (const Rectangle& r : cut(dice, size, dice.one_in(2))) add(known, r, m);
    if (m > 0) *known.traffic += uint64_t{size.steps} * size.height;
  }
  known.height = uint64_t{memories} * size.height;
  for (std::size_t i = 0; i < known.problem.buffers.size(); ++i) {
    Buffer& buffer = known.problem.buffers[i];
    const uint64_t steps = buffer.lifetime.last - buffer.lifetime.first + 1;
    buffer.writes = 1;
    buffer.reads = steps - 1;
    if (!dice.one_in(4)) continue;
    for (uint32_t m = 0; m < memories; ++m) {
      if (m == known.solution.placements[i].memory || dice.one_in(2)) buffer.allowed.push_back(m);
    }
  }
  return known;
}

Known aligned(Known known, uint32_t alignment) {
  for (Memory& memory : known.problem.memories) {
    memory.alignment = alignment;
    if (memory.size_bytes != kUnbounded) memory.size_bytes *= alignment;
  }
  for (Buffer& buffer : known.problem.buffers) {
    buffer.size_bytes *= alignment;
    if (buffer.relative) buffer.relative->offset_bytes *= alignment;
    if (buffer.fixed) buffer.fixed->offset *= alignment;
  }
  for (Overlap& overlap : known.problem.overlaps) overlap.lead_bytes *= alignment;
  for (Placement& placement : known.solution.placements) placement.offset *= alignment;
  if (known.height) *known.height *= alignment;
  if (known.traffic) *known.traffic *= alignment;
  return known;
}

Known with_fixed(Known known, uint32_t seed) {
  Dice dice(seed);
  for (std::size_t i = 0; i < known.problem.buffers.size(); ++i) {
    Buffer& buffer = known.problem.buffers[i];
    if (!buffer.relative && dice.one_in(8)) buffer.fixed = known.solution.placements[i];
  }
  return known;
}

Known with_views(Known known, uint32_t seed) {
  Dice dice(seed);
  const auto roots = static_cast<uint32_t>(known.problem.buffers.size());
  for (uint32_t i = 0; i < roots; ++i) {
    const Buffer root = known.problem.buffers[i];
    if (!dice.one_in(4) || root.size_bytes == 0) continue;
    const auto bytes = static_cast<uint32_t>(std::min<uint64_t>(root.size_bytes, 1u << 30));
    const uint64_t offset = dice.below(bytes);
    const uint32_t first = dice.within(root.lifetime.first, root.lifetime.last);
    const Placement at = known.solution.placements[i];
    add(known, dice.within(1, static_cast<uint32_t>(bytes - offset)),
        {first, dice.within(first, root.lifetime.last)}, {at.memory, at.offset + offset});
    known.problem.buffers.back().relative = Relative{i, offset};
    known.problem.buffers.back().allowed = root.allowed;
  }
  return known;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
