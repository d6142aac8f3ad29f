// The program that the tests of the core open, break and run.
#pragma once

#include "tests/core/program_builder.h"

namespace arenite::tests {

// Methods of the sample program.
inline constexpr uint32_t kScale = 0;
inline constexpr uint32_t kTwice = 1;

// Method "scale": x [2, 4] -> y [2, 4] = 2 * (x + c) * (x + c) with c = 1 ... 8.
//   Variant 0 needs Vulkan 1.1; arenas upload, device, readback, host:
//     0: transfer x -> d0 | 1: vulkan d0 + c -> d1 | 2: view d1 as [8] -> v | 3: transfer v -> r |
//     4: cpu r * r -> m, scratch s | 5: cpu m + m -> u | 6: vulkan copy u -> y8, a view of y
//   Variant 1 runs on the CPU in one arena:
//     0: x + c -> t | 1: view t as [8] -> v | 2: v * v -> m, scratch s | 3: m + m -> y8, a view of
//     y
// Method "twice": x [3] -> y [3] = x + x, one CPU variant.
ProgramBuilder sample_builder();

// "twice" alone: the example of docs/format.md.
ProgramBuilder twice_builder();

// y = (s + x) + x, with s a state that becomes s + x: a running sum from 10, 20, 30 or from zeros.
struct Sums {
  static constexpr uint32_t kStateArena = 1;

  planner::ProgramTables tables;
  uint32_t x = 0, s = 0, next = 0, y = 0;  // values
};
Sums sums(bool from_constant);

// x [3] and a bool give y [3]; every step adds two of x and what steps before made, on the CPU:
//   0: a = x + x | 1: b = a + x | 2: view of b | 3: d = x + x | 4: y = x + x
// The predicates are those given.
planner::ProgramTables choices(const std::vector<format::PredicateRecord>& predicates);

// Method "m" on a device, with stretches that these predicates may leave out: x [3] and c, a number
// whose first byte is a bool -> y = x + x.
//   0: transfer c -> r (readback) | 1 |: x + x -> d0 | 2 |: x + x -> d1 | 3 |: x + x -> d2 |
//   as many `more` of these | 4 |: transfer d0 -> y; "|:" begins a stretch.
planner::ProgramTables device_choices(const std::vector<format::PredicateRecord>& predicates,
                                      uint32_t more = 0);
inline constexpr uint32_t kDeviceCondition = 3;  // the bool of c, which the CPU has
inline constexpr uint32_t kMadeCondition = 4;    // of r, which the device makes
inline constexpr uint32_t kChoiceCondition = 1;  // the value of the bool

// Of operators that kernels of the runtime run. Inputs of n rows of k:
//   0: y0 = x + bias | 1: y1 = x + x | 2: sums = reduce_sum of y's rows | 3: last = y's last row
// y0 and y1 are the upper and the lower half of y, [2n, k]. Outputs: y, sums, last.
struct Rows {
  uint32_t n = kRowsMost, k = kColumnsMost;

  static constexpr uint32_t kRowsMost = 4, kColumnsMost = 3;
  enum Value : uint32_t { kX, kY, kY0, kY1, kSums, kLast };
};
// Planned for so many, which are all that it runs.
planner::ProgramTables fixed_rows(const Rows& rows);
// Planned for the most; n and k are symbols.
planner::ProgramTables symbolic_rows();

// Of operators that kernels of the runtime run. A log of b rows, which grows by a column a run:
//   0: all = concat(log, x) | 1: sums = reduce_sum of all's columns
// Inputs: x [b, 1], and log [b, n], a state that all [b, n + 1] becomes. Outputs: all, sums [b, 1].
// Symbols: b from 1 on, n from 0. A constant of the log's dims is read by nobody.
struct Log {
  static constexpr uint32_t kRowsMost = 2, kColumnsMost = 3, kStateArena = 1;
  enum Value : uint32_t { kX, kLog, kAll, kSums };
  enum Expression : uint32_t { kRows, kColumns, kOne, kNext };
};
planner::ProgramTables growing_log();

// Operand words of the sample's variants, by the letters above.
struct GpuValues {
  static constexpr uint32_t kC = format::kConstantBit, kX = 0, kD0 = 1, kD1 = 2, kV = 3, kR = 4,
                            kM = 5, kS = 6, kU = 7, kY = 8, kY8 = 9;
};
struct CpuValues {
  static constexpr uint32_t kC = format::kConstantBit, kX = 0, kT = 1, kV = 2, kM = 3, kS = 4,
                            kY = 5, kY8 = 6;
};
// The first records of the CPU variant of "scale" in the tables.
inline constexpr uint32_t kCpuValueFirst = 10;
inline constexpr uint32_t kCpuStepFirst = 7;
inline constexpr uint32_t kCpuArena = 4;

}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
