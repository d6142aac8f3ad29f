// Loads the method anew in each round, and keeps the least of what its profiler saw.
#include "tools/arenite/timed_steps.h"

#include <algorithm>

#include "support/cpu_features.h"
#include "tools/calibrate/step_samples.h"
#include "tools/run/cost_table.h"
#include "tools/run/measure.h"
#include "tools/run/profiler.h"

namespace arenite::tools {
namespace {

constexpr double kPicosecondsInNanosecond = 1e3;

}  // namespace

void TimedSteps::time(RunnerOptions options, VulkanHost& vulkan, double seconds) {
  Profiler profiler(false);
  options.profiler = &profiler;
  options.method = file_.method_name(method_);
  Runner runner(file_, options, &vulkan);
  repeat(runner, inputs_, timed_for(seconds), nullptr);
  const std::span<const Samples> steps = profiler.steps();
  if (runner.variant() != variant_) least_ns_.clear();
  variant_ = runner.variant();
  least_ns_.resize(steps.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].empty()) continue;
    least_ns_[i] = std::min(least_ns_[i].value_or(steps[i].least_ns()), steps[i].least_ns());
  }
}

std::vector<CostSample> TimedSteps::samples() const {
  if (least_ns_.empty()) return {};
  std::vector<StepRow> rows = step_table(file_, method_, variant_);
  std::vector<std::optional<double>> costs;
  for (const StepRow& row : rows) costs.push_back(least_ns_[row.index]);
  return step_samples(file_, method_, variant_, make_cost_table(std::move(rows), costs, 0),
                      kPicosecondsInNanosecond, host_cpu_features());
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
