// Small programs with Vulkan steps, each with a CPU variant that gives the same numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/program/writer.h"

namespace arenite::tests {

inline constexpr uint32_t kElements = 1000;

// Method "chain": x [1000] -> y = (x + c) * (x + c), with c[i] = i / 8.
//   Variant 0, arenas upload, device, readback: 0: transfer x -> d0 | 1: d0 + c -> d1 |
//     2: d1 * d1 -> d2 | 3: transfer d2 -> y. 2 dispatches, 2 pipelines, 2 sets of 3 buffers,
//     3 barriers (before 1, 2 and 3).
//   Variant 1: the same in one host arena.
planner::ProgramTables chain_tables();

// Method "sandwich": x [1000] -> y = 2 * (x + x) * (x + x).
//   Variant 0: 0: transfer x -> d0 | 1: d0 + d0 -> d1 | 2: transfer d1 -> r | 3: cpu r * r -> u |
//     4: transfer u -> d2 | 5: d2 + d2 -> d3 | 6: transfer d3 -> y. 2 stretches, 2 dispatches,
//     1 pipeline.
//   Variant 1: the same on the CPU.
planner::ProgramTables sandwich_tables();

// Method "product": a [n, n], b [n, n] -> a * b (matrices), without a CPU variant: slow for large
// n.
planner::ProgramTables product_tables(uint32_t n);

// Methods "scaled0", "scaled1": x [n] -> y = (x + weights) * scale, both on Vulkan alone; the
// constants are the same ones in both.
planner::ProgramTables scaled_tables(const std::vector<float>& weights, float scale);

// Method "split": a [2, 512], b [512, 8] -> a * b in four parts (form 1 of MatMul), whose sums lie
// in 256 bytes of scratch. 2 dispatches, 2 pipelines, 2 sets of 3 buffers and parameters.
planner::ProgramTables split_tables();

// Method "softmax": x [3, 300] -> y, along the last dim, with subgroups (form 1 of Softmax).
planner::ProgramTables softmax_tables();

// Method "picks": x [4], i [3] and j [2] (int32) -> y = x[i][j], in form `form` of Gather: 0 looks
// at no index, 1 reports those outside. One stretch.
planner::ProgramTables picks_tables(uint8_t form);

// Method "stack": x [n] -> y [2 n], x + c and behind it x * x, on Vulkan alone. Callers choose n,
// the symbol, up to kElements. Both parts are views of one value, of which the second moves with n.
//   0: transfer x -> d0 | 1: d0 + c -> d1[:n] | 2: d0 * d0 -> d1[n:] | 3: transfer d1 -> y.
planner::ProgramTables stack_tables();
std::vector<float> stack_output(const std::vector<float>& x);

// Method "products": a [8, 8], b [8, n], c [8, m] -> a * b, a * c (matrices), on Vulkan alone.
// Callers choose n, up to 8; m is n with `both`, else 8. A product of whole groups of four has
// another pipeline than others. `pipelines`: that the variant keeps.
planner::ProgramTables products_tables(bool both, uint32_t pipelines);

// x for chain and sandwich; every sum and product of theirs is exact.
std::vector<float> sample_input();
std::vector<float> chain_output();
std::vector<float> sandwich_output();

}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
