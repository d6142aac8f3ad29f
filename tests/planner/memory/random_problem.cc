// Draws buffers, then gives some a base, a gap, a fixed place, or a permission.
#include "tests/planner/memory/random_problem.h"

#include <array>
#include <random>

namespace arenite::memory {
namespace {

// std::mt19937 is the same everywhere, the standard's distributions are not: hence the remainders.
class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  Problem make() {
    const uint32_t memories = 1 + below(3);
    for (uint32_t m = 0; m < memories; ++m) add_memory(m, m + 1 == memories && below(3) != 0);
    const uint32_t count = below(41);
    steps_ = 1 + below(30);
    for (uint32_t i = 0; i < count; ++i) add_buffer(i);
    add_traffic();
    for (uint32_t tries = below(3) * count; tries > 0; --tries) add_overlap();
    return problem_;
  }

 private:
  uint32_t below(uint32_t end) { return static_cast<uint32_t>(random_() % end); }

  uint32_t alignment() {
    constexpr std::array<uint32_t, 8> kAlignments = {1, 1, 1, 2, 4, 16, 3, 12};
    return kAlignments[below(kAlignments.size())];
  }

  void add_memory(uint32_t m, bool without_limit) {
    Memory memory;
    memory.name = "memory" + std::to_string(m);
    memory.base = 48 * uint64_t{below(1000)};  // a multiple of all alignments above
    memory.size_bytes = without_limit ? kUnbounded : 100 + below(2000);
    memory.alignment = alignment();
    problem_.memories.push_back(memory);
    fixed_end_.push_back(0);
  }

  Lifetime lifetime() {
    const uint32_t first = below(steps_);
    return {first, first + below(steps_ - first)};
  }

  void add_buffer(uint32_t i) {
    Buffer buffer;
    buffer.name = "buffer" + std::to_string(i);
    buffer.size_bytes = below(20) == 0 ? 0 : 1 + below(below(3) == 0 ? 600 : 60);
    buffer.lifetime = lifetime();
    const uint32_t kind = below(10);
    if (kind < 2 && i > 0) {
      tie(i, buffer);
    } else {
      buffer.alignment = alignment();
      if (kind == 2) fix(buffer);
      if (kind == 3) bar(buffer);
    }
    if (below(10) == 0) add_gaps(buffer);
    problem_.buffers.push_back(buffer);
  }

  // Inside, across the end of, or chained to an earlier buffer that is not fixed.
  void tie(uint32_t i, Buffer& buffer) {
    const uint32_t base = below(i);
    if (root_is_fixed(base)) return;
    buffer.alignment = below(2) == 0 ? 1 : 2;
    buffer.relative = Relative{base, 2 * uint64_t{below(40)}};
  }

  bool root_is_fixed(uint32_t i) const {
    while (problem_.buffers[i].relative) i = problem_.buffers[i].relative->base;
    return problem_.buffers[i].fixed.has_value();
  }

  // Fixed buffers lie one above the other, so that they agree; some leave a gap below.
  void fix(Buffer& buffer) {
    const uint32_t m = below(static_cast<uint32_t>(problem_.memories.size()));
    const uint64_t offset = fixed_end_[m] + 48 * uint64_t{below(4)};
    const uint64_t end = offset + buffer.size_bytes;
    if (end > problem_.memories[m].size_bytes) return;
    buffer.fixed = Placement{m, offset};
    fixed_end_[m] = (end + 47) / 48 * 48;
  }

  void bar(Buffer& buffer) {
    for (uint32_t m = 0; m < problem_.memories.size(); ++m) {
      if (below(2) == 0) buffer.allowed.push_back(m);
    }
  }

  // One to three gaps, with some bytes left in use in a third of them.
  void add_gaps(Buffer& buffer) {
    uint32_t next = buffer.lifetime.first;
    for (uint32_t gaps = 1 + below(3); gaps > 0 && next <= buffer.lifetime.last; --gaps) {
      Gap gap;
      gap.steps.first = next + below(buffer.lifetime.last - next + 1);
      gap.steps.last = gap.steps.first + below(buffer.lifetime.last - gap.steps.first + 1);
      if (buffer.size_bytes > 0 && below(3) == 0) {
        const uint64_t begin = below(static_cast<uint32_t>(buffer.size_bytes));
        gap.in_use = {begin, begin + 1 + below(static_cast<uint32_t>(buffer.size_bytes - begin))};
      }
      next = gap.steps.last + 1;
      buffer.gaps.push_back(gap);
    }
  }

  // Counts for most buffers; memories whose costs differ in half of the problems.
  void add_traffic() {
    if (below(10) == 0) return;
    for (Buffer& buffer : problem_.buffers) {
      buffer.reads = below(4);
      buffer.writes = below(3);
    }
    if (below(2) == 0) return;
    for (Memory& memory : problem_.memories) {
      memory.read_cost = below(8);
      memory.write_cost = below(8) / 2.0;
    }
  }

  // A permission between two buffers, of which the one is made to die as the other is born.
  void add_overlap() {
    const uint32_t input = below(static_cast<uint32_t>(problem_.buffers.size()));
    const uint32_t output = below(static_cast<uint32_t>(problem_.buffers.size()));
    if (input == output) return;
    Buffer& dies = problem_.buffers[input];
    const Buffer& born = problem_.buffers[output];
    const uint32_t step = born.lifetime.first;
    if (dies.lifetime.first > step || dies.fixed || born.fixed) return;
    for (const Gap& gap : dies.gaps) {
      if (gap.steps.last > step) return;
    }
    for (const Overlap& other : problem_.overlaps) {
      if (other.input == input && dies.lifetime.last != step) return;
      if (other.input == input && other.output == output) return;
    }
    dies.lifetime.last = step;
    const int64_t lead = below(3) == 0 ? 0 : static_cast<int64_t>(below(60)) - 20;
    problem_.overlaps.push_back({input, output, lead});
  }

  std::mt19937 random_;
  uint32_t steps_ = 1;
  Problem problem_;
  std::vector<uint64_t> fixed_end_;
};

}  // namespace

Problem random_problem(uint32_t seed) { return Generator(seed).make(); }

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
