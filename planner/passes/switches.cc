// Finds passes by their names.
#include "planner/passes/switches.h"

#include <algorithm>
#include <iterator>

#include "planner/graph/graph.h"
#include "planner/graph/names.h"
#include "planner/passes/passes.h"
#include "support/suggest.h"
#include "support/word_errors.h"

namespace arenite::planner {
namespace {

constexpr PeakPass kPeakPasses[] = {
    {"concat_in_place", "producers write straight into concatenations and pads",
     &PeakPasses::concat_in_place},
    {"order", "steps run in an order in which fewer bytes live at once", &PeakPasses::order},
    {"in_place", "outputs lie in the very place of an input that dies", &PeakPasses::in_place},
    {"partial_overlap", "outputs overlap inputs at the safe distance that their forms state",
     &PeakPasses::partial_overlap},
    {"input_copies",
     "planes are copied to pixels: inputs so that results may overlap all their channels, on hosts "
     "for speed",
     &PeakPasses::input_copies},
};

}  // namespace

std::span<const PeakPass> peak_passes() { return kPeakPasses; }

PassSwitches switches_of(std::span<const std::string> disabled) {
  PassSwitches switches;
  for (const std::string& name : disabled) {
    const auto named = [&](const auto& pass) { return pass.name == name; };
    const auto low = std::find_if(std::begin(kPeakPasses), std::end(kPeakPasses), named);
    const std::span<const Pass> graph = all_passes();
    if (low != std::end(kPeakPasses)) {
      switches.peak.*low->enabled = false;
    } else if (std::any_of(graph.begin(), graph.end(), named)) {
      switches.graph_disabled.push_back(name);
    } else {
      std::vector<std::string> names;
      for (const Pass& pass : graph) names.emplace_back(pass.name);
      for (const PeakPass& pass : kPeakPasses) names.emplace_back(pass.name);
      throw WordError("there is no pass '" + printable(name) + "', expected " + listed(names) +
                          did_you_mean(name, names),
                      name, names);
    }
  }
  return switches;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
