// Makes planning problems whose best plan is known, so that nothing is tuned to a few files.
#pragma once

#include <cstdint>
#include <optional>
#include <random>

#include "planner/memory/problem/problem.h"

namespace arenite::memory {

// The same numbers everywhere for the same seed, which the standard's distributions are not.
class Dice {
 public:
  explicit Dice(uint32_t seed) : random_(seed) {}
  uint32_t below(uint32_t end) { return static_cast<uint32_t>(random_() % end); }
  uint32_t within(uint32_t least, uint32_t most) { return least + below(most - least + 1); }
  bool one_in(uint32_t n) { return below(n) == 0; }

 private:
  std::mt19937 random_;
};

// A problem, a plan of it, and what is known of the best one.
struct Known {
  Problem problem;
  Solution solution;
  std::optional<uint64_t> height;   // the least sum of peaks, where the generator can prove it
  std::optional<uint64_t> traffic;  // the least traffic outside the first memory
};

struct PackingSize {
  uint32_t buffers = 20;
  uint32_t steps = 30;
  uint32_t height = 200;
};

// A full rectangle of `steps` by `height` cut at random. Every step holds exactly `height` bytes,
// so no plan is lower. Guillotine: each cut goes all the way through what it cuts.
Known guillotine_packing(uint32_t seed, const PackingSize& size);

// The same with cuts into five pieces round a middle one, which no such cut can part.
Known pinwheel_packing(uint32_t seed, const PackingSize& size);

// Some buffers of a packing removed or shrunk. The height stays known while one step is still full.
Known near_perfect_packing(uint32_t seed, const PackingSize& size);

// A loop over tiles: fetch the next while this one is computed, scratch, store, one accumulator.
Known tiled_loop(uint32_t seed, uint32_t tiles);

// Forward then backward through layers: activations wait for their gradient, weight gradients stay.
// One plan is known, not the best one.
Known training_graph(uint32_t seed, uint32_t layers);

// The allocations of a training run: buffer i is born at step i; 97 in 100 live 1 step and an
// exponential number (mean 40) more, 3 in 100 from 1 to 50,000 steps; 256 to 100,000 bytes.
Problem training_trace(uint32_t seed, uint32_t buffers);

// Steps that each update their input in place (lead 0): as low as the largest buffer.
Known in_place_chain(uint32_t seed, uint32_t steps);

// Pairs one after the other, of which the output trails the input by a lead.
Known trailing_pairs(uint32_t seed, uint32_t pairs);

// Full packings of several memories, exactly as large, with buffers that may go to any of them but
// for some that are barred. Each byte costs as much as it lives, so full fast memories are best.
Known full_memories(uint32_t seed, uint32_t memories, const PackingSize& size);

// Everything a number of times as large and aligned to it: what is known scales.
Known aligned(Known known, uint32_t alignment);

// Some buffers fixed where the plan has them: the height stays.
Known with_fixed(Known known, uint32_t seed);

// Some buffers get views inside of them: what is known stays.
Known with_views(Known known, uint32_t seed);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
