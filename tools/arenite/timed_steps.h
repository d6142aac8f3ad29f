// The least time of each step of a method, over rounds that may lie apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/calibrate/fit_costs.h"
#include "tools/run/program_file.h"
#include "tools/run/runner.h"
#include "tools/run/tensor_args.h"
#include "tools/run/vulkan_host.h"

namespace arenite::tools {

// Other work on a machine makes steps slower, never faster, and often for seconds. So a step takes
// the least time of several rounds that lie apart.
class TimedSteps {
 public:
  // `file` outlives it.
  TimedSteps(const ProgramFile& file, uint32_t method, BoundInputs inputs)
      : file_(file), method_(method), inputs_(std::move(inputs)) {}

  // Runs it for this long, and ten times at least. Throws RunError, and nothing has changed.
  void time(RunnerOptions options, VulkanHost& vulkan, double seconds);

  // Returns the steps as samples of their forms' costs; none before the first time().
  std::vector<CostSample> samples() const;

 private:
  const ProgramFile& file_;
  uint32_t method_;
  BoundInputs inputs_;
  uint32_t variant_ = 0;
  std::vector<std::optional<double>> least_ns_;  // by step; empty where the device does not tell
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
