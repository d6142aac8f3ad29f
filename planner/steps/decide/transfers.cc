// One node of three options for each value that steps touch, joined to these steps.
#include "planner/steps/decide/transfers.h"

#include <algorithm>
#include <optional>

#include "planner/steps/decide/costs.h"

namespace arenite::planner {
namespace {

using format::Where;

// Where a value's bytes are needed, a bit each.
constexpr uint32_t kOnCpu = 1, kOnDevice = 2;
constexpr uint32_t kPlaces[] = {kOnCpu, kOnDevice, kOnCpu | kOnDevice};  // by option

uint32_t place_of(Where where) { return where == Where::kVulkan ? kOnDevice : kOnCpu; }

}  // namespace

void add_transfers(std::span<const StepOptions> options, const LaidGraph& laid,
                   const MeasuredCost& transfer, assignment::Problem& problem,
                   assignment::Choice& rule) {
  const auto first_value = static_cast<uint32_t>(options.size());
  std::vector<uint32_t> needed(laid.schedule.storages.size());
  for (const Storage& storage : laid.schedule.storages) {
    problem.nodes.push_back({0, 0, measured(transfer, storage.bytes)});
  }
  for (const auto* of_caller : {&laid.schedule.inputs, &laid.schedule.outputs}) {
    for (const uint32_t storage : *of_caller) {
      problem.nodes[first_value + storage][1] = assignment::kImpossible;
      needed[storage] |= kOnCpu;
    }
  }
  for (uint32_t s = 0; s < options.size(); ++s) {
    const StepOptions& step = options[s];
    if (step.options[0].where == Where::kView) continue;
    std::vector<uint32_t> touched;
    for (const auto* operands : {&step.steps[0].inputs, &step.steps[0].outputs}) {
      for (const std::optional<Operand>& operand : *operands) {
        if (operand.has_value() && !operand->constant) touched.push_back(operand->index);
      }
    }
    std::ranges::sort(touched);
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const uint32_t value : touched) {
      assignment::Edge edge{s, first_value + value, {}};
      for (const StepOption& option : step.options) {
        for (const uint32_t places : kPlaces) {
          const bool is_there = (places & place_of(option.where)) != 0;
          edge.costs.push_back(is_there ? 0 : assignment::kImpossible);
        }
      }
      problem.edges.push_back(std::move(edge));
      needed[value] |= place_of(step.options[rule[s]].where);
    }
  }
  for (const uint32_t places : needed) rule.push_back(places == 0 ? 0 : places - 1);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
