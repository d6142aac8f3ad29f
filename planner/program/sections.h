// Builds a program's optional sections: the mirror of core/sections.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace arenite::planner {

// Names of a method: its inputs and outputs, and each variant's values by index.
struct MethodNames {
  std::vector<std::string> inputs, outputs;
  std::vector<std::vector<std::string>> variant_values;
};
std::vector<std::byte> names_section(const std::vector<MethodNames>& methods);

// The model nodes each step of each variant of the program comes from, in the order of the
// variants table.
using StepNodes = std::vector<std::string>;
std::vector<std::byte> source_map_section(const std::vector<std::vector<StepNodes>>& variants);

// Row-major bytes of one run's inputs and expected outputs.
struct TestVector {
  std::vector<std::vector<std::byte>> inputs, outputs;
};
std::vector<std::byte> test_vectors_section(const std::vector<std::vector<TestVector>>& methods);

// Output `count` of a method tells how many rows of `output` along `axis` hold results.
struct CountedRows {
  uint32_t method, output, axis, count;
};
std::vector<std::byte> counts_section(const std::vector<CountedRows>& counts);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
