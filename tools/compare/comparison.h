// Runs two programs on the same inputs and holds what their steps write against each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/compare/recording.h"
#include "tools/io/difference.h"

namespace arenite::tools {

struct ComparedValue {
  ValueKey key;
  std::string node_a, node_b;  // the steps that write it
  DType dtype = DType::kNone;
  std::vector<uint32_t> dims;
  Difference difference;  // A's is what is expected
};

struct ComparedOutput {
  std::string name;
  Difference difference;
};

struct Uncompared {
  std::string value;
  std::string why;  // "only A writes it" and the like
};

struct Side {
  std::string program;
  RunInfo info;
  bool watching_changed_outputs = false;
};

struct Comparison {
  Side a, b;
  std::vector<ComparedValue> values;  // in the order of A's steps
  std::vector<ComparedOutput> outputs;
  std::vector<Uncompared> uncompared;
  std::optional<size_t> first;  // of `values`, that differs more than is tolerable

  bool outputs_agree() const;
};

// One of the two programs and how it is run.
struct Contender {
  const ProgramFile* file = nullptr;
  RunnerOptions options;
  VulkanHost* vulkan = nullptr;
};

// Throws InputError where the methods take or give different tensors.
void check_comparable(const ProgramFile& a, uint32_t method_a, const ProgramFile& b,
                      uint32_t method_b);

// `inputs` in the order of A's method; B's are found by name, as are its outputs. Throws as Runner
// does.
Comparison compare_runs(const Contender& a, const Contender& b,
                        const std::vector<HostTensor>& inputs,
                        const std::optional<Tolerance>& tolerance);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
