// The numbers that a step's time grows with, and which case of its form it is.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/types.h"

namespace arenite::planner {

// A line is what an operator gives at one place: all channels of a pixel; else the elements along
// the last axis, and of what only moves elements those that lie together on both sides. A row has
// the lines along a picture's width, all lines where windows of one place meet each pixel once, or
// the lines of a matrix.
enum class SizeTerm : uint8_t {
  kStep,    // 1
  kUnit,    // elementary operations (core/contract.h, Work)
  kResult,  // elements of output 0
  // Integers of convolutions and products whose channels have multipliers of their own.
  kScaledResult,
  kLine,
  kRow,            // of convolutions, pools and products; those that are normalized, each by itself
  kTap,            // places of the window, for each line
  kInput,          // elements that a line reads, for each line; else the elements of all inputs
  kWeight,         // elements of input 1 of convolutions and products
  kInsideUnit,     // units at places of windows that lie inside of the picture
  kEdgeTap,        // places of the window, for each line whose window reaches beyond the picture
  kSingleUnit,     // units of the lines of a row beyond whole fours
  kSingleResult,   // results of these lines
  kOddUnit,        // units of the results of a line beyond whole sixteens
  kOddResult,      // results of a line beyond whole fours
  kShortResult,    // results of a product that sum fewer than sixteen units each
  kOddInput,       // kInput, where the rows of a window have no whole fours of elements
  kOffsetInput,    // kInput, where weights have a zero point
  kRowWeight,      // kWeight, for each row
  kRowResult,      // results of a line, for each row
  kRowInput,       // elements of the picture that a row's windows cover, for each row
  kLargeUnit,      // units of windows but those of 3 by 3 that move by one place
  kActivated,      // results that an activation changes
  kHardActivated,  // those that a hard sigmoid or a hard swish changes
  kExpActivated,   // those that a sigmoid or a swish changes
  kApart,          // elements that are read or written one by one, neighbors being no neighbors
  kByte,           // bytes of output 0
  kFarByte,        // bytes of all inputs and output 0 beyond those that a CPU's near caches hold
};
inline constexpr size_t kSizeTerms = 28;

using StepSize = std::array<double, kSizeTerms>;

// Empty where an input is left out.
struct OperandFacts {
  std::vector<uint32_t> dims;
  std::vector<uint32_t> strides = {};  // empty: row-major, or in blocks
  uint32_t element_bytes = 4;
  bool is_unsigned = false;  // bytes from 0 to 255
};

struct StepFacts {
  Op op{};
  std::vector<OperandFacts> inputs;
  OperandFacts output;
  std::span<const uint32_t> attributes;
};

StepSize size_of(const StepFacts& step);

// The case of a form that takes another time for as large a step: how results are rounded, whether
// channels are in groups, and of convolutions and products whether they read unsigned bytes, which
// kernels for signed ones shift by 128, whether weights have 16 bits, and whether the second
// operand of a product lies in rows or columns, not in blocks. Empty for most.
std::string case_of(const StepFacts& step);

// Every text that case_of() gives but the empty one.
std::vector<std::string> step_cases();

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
