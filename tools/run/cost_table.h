// The cost of each step of a run, dearest first: time on this machine, or a board's instructions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/run/profiler.h"
#include "tools/run/step_table.h"

namespace arenite::tools {

struct StepCost {
  StepRow row;
  std::optional<double> cost;  // nothing: the device does not tell
};

struct CostTable {
  std::vector<StepCost> steps;  // dearest first, unknown ones last
  double in_steps = 0;          // the sum of those that are known
  double outside = 0;           // of a run: inputs, outputs, the executor, waiting for a device

  double total() const { return in_steps + outside; }
  double share(double cost) const { return total() > 0 ? cost / total() : 0; }
};

// `costs` by row.
CostTable make_cost_table(std::vector<StepRow> rows,
                          const std::vector<std::optional<double>>& costs, double outside);

// Microseconds: medians over all runs of the variant that was profiled last.
CostTable time_table(const ProgramFile& file, uint32_t method, uint32_t variant,
                     const Profiler& profiler);

// For people: a line for each step, and what they add up to. `unit` heads the column of costs: "us"
// with one decimal, anything else is shown as whole numbers.
std::string to_text(const CostTable& table, const std::string& unit);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
