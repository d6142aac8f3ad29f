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
// the last axis. A row has the lines along a picture's width.
enum class SizeTerm : uint8_t {
  kStep,    // 1
  kUnit,    // elementary operations (core/contract.h, Work)
  kResult,  // elements of output 0
  kLine,
  kRow,     // of convolutions and pools
  kTap,     // places of the window, for each line
  kInput,   // elements that a line reads, for each line; else the elements of all inputs
  kWeight,  // elements of input 1 of convolutions and products
};
inline constexpr size_t kSizeTerms = 8;

using StepSize = std::array<double, kSizeTerms>;

struct StepFacts {
  Op op{};
  // Empty where an input is left out.
  std::vector<std::vector<uint32_t>> inputs;
  std::vector<uint32_t> output;
  std::span<const uint32_t> attributes;
};

StepSize size_of(const StepFacts& step);

// The case of a form that takes another time for as large a step: how results are rounded, and
// whether channels are in groups. Empty for most.
std::string case_of(const StepFacts& step);

// Every text that case_of() gives but the empty one.
std::vector<std::string> step_cases();

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
