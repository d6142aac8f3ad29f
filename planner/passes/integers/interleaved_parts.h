// Turns shuffles of concatenated channels into concatenations of single channels, which producers
// fill in place.
#pragma once

#include <optional>

#include "planner/graph/graph.h"

namespace arenite::planner {

// The same graph in which a concatenation of equal parts whose channels are then shuffled, one of
// each part in turn, is one along a new axis behind the channels; nothing where there is none. The
// shuffle was a copy of all elements; now producers write every n-th channel, which costs a CPU its
// vectors and a device little.
std::optional<Graph> with_interleaved_parts(const Graph& graph);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
