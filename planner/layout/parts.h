// Lets producers write straight into the results of concatenations and pads, which then copy
// nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "core/kernel.h"
#include "planner/layout/layout.h"

namespace arenite::planner {

// A layout in which some concatenations and pads are views: of bytes that the producers of their
// inputs, and copies of what no producer can write there, fill part by part.
struct PartsInPlace {
  LaidGraph laid;
  uint32_t nodes = 0;  // that are views now
  uint32_t parts = 0;  // that their producers write in place
  // By owner: the nodes, as they were numbered before, whose parts it holds.
  std::vector<std::vector<uint32_t>> joined;
};

// The nodes that place_parts may be asked for.
std::vector<uint32_t> nodes_with_parts(const LaidGraph& laid);

// Does so for those of `nodes` where at least one part can be written in place: a kernel's result
// that covers its owner, is no output of the graph, and whose readers reach it by strides from
// aligned bytes in its new place. No step may then read elements that it writes, nor write two
// parts of one owner, nor use a kernel that touches more than elements.
PartsInPlace place_parts(const Graph& graph, const LaidGraph& laid,
                         const std::vector<uint32_t>& nodes, KernelTable kernels);

// Those of `nodes` with which the layout's peak is lowest, as far as leaving them out one by one
// finds. A concatenation stays where it makes no difference, a pad does not: its borders are filled
// by steps of their own.
std::vector<uint32_t> choose_parts(const Graph& graph, const LaidGraph& laid,
                                   std::vector<uint32_t> nodes, KernelTable kernels);

// Most bytes of owners live at one node, inputs from the start, outputs to the end; no tails.
uint64_t live_bytes_max(const LaidGraph& laid);

// The alignment of the data of views: what the most demanding kernel wants.
uint32_t view_alignment(KernelTable kernels);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
