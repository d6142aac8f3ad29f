// Statistics of a model's tensors over samples: ranges, histograms, and means of channels.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "planner/graph/graph.h"
#include "planner/quantizer/ranges.h"

namespace arenite::planner::quantizer {

// The statistics that are wanted, by the names of float32 tensors.
struct Wanted {
  std::set<std::string> ranges;
  std::map<std::string, uint32_t> means;  // over all axes but this one
};

struct Statistics {
  std::map<std::string, Range> ranges;
  std::map<std::string, std::vector<double>> means;  // one for each index of the axis
  std::set<std::string> endless;                     // hold NaN or an infinity: they have no range
};

// Runs the graph over the samples, once, or twice where ranges follow from histograms. Throws
// InputError where an input holds what is no number.
Statistics observe(const Graph& graph, std::span<const Sample> samples, const Wanted& wanted,
                   const QuantizerOptions& options, const ProgressHook& progress);

// The elements of a float32 tensor.
std::vector<float> floats_of(std::span<const std::byte> bytes);

}  // namespace arenite::planner::quantizer
// SPDX-License-Identifier: Apache-2.0
