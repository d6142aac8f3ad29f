// Lets producers write straight into the results of concatenations and pads, which then copy
// nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/steps/layout/layout.h"

namespace arenite::planner {

// A layout in which some concatenations and pads are views: of bytes that the producers of their
// inputs, and copies of what no producer can write there, fill part by part.
struct PartsInPlace {
  LaidGraph laid;
  uint32_t nodes = 0;  // that are views now
  uint32_t parts = 0;  // that their producers write in place
  // For each storage: the nodes, as they were numbered before, whose parts it holds.
  std::vector<std::vector<uint32_t>> joined;
};

// For a node that may have parts: whether one of them is a border, which a step of its own fills.
bool has_border(const LaidNode& node);

// The nodes that place_parts may be asked for.
std::vector<uint32_t> nodes_with_parts(const LaidGraph& laid);

// Joins the parts of those `nodes` of which at least one part can be written in place. Such a part
// is a kernel's result that covers its storage and is no output of the graph. Its readers must
// reach it by strides from bytes aligned as their forms want in its new place. No step may then
// read elements that it writes, nor write two parts of one storage.
PartsInPlace place_parts(const Graph& graph, const LaidGraph& laid,
                         const std::vector<uint32_t>& nodes, const TargetForms& forms);

// Chooses the `nodes` with which the layout's peak is lowest, by leaving them out one by one. A
// concatenation stays if it makes no difference, or not `for_bytes`; a pad does not: its borders
// are filled by steps of their own.
std::vector<uint32_t> choose_parts(const Graph& graph, const LaidGraph& laid,
                                   std::vector<uint32_t> nodes, const TargetForms& forms,
                                   bool for_bytes = true);

// Most bytes of storages live at one node, inputs from the start, outputs to the end; no over-read.
uint64_t live_bytes_max(const LaidGraph& laid);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
