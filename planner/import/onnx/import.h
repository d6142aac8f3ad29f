// Reads ONNX models into graphs.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "planner/import/model/front_end.h"

namespace arenite::planner {

// A leading dimension that is unset and counts a batch (planner/import/model/input_dims.h) becomes
// 1 with a note; any other is an error naming the input and --shape or --dim. One ObstaclesError
// collects all parts of the model that are not supported (operators, opsets outside 1 to 25, types)
// with node, op and attribute; damaged or contradicting models are InputErrors.
//
// Facts of the result: every graph output is a distinct value that a node writes (a constant or an
// input that is an output gets a copy). Nodes leave no output out. A node's inputs are all constant
// only if it is such a copy. A value with a dimension of 0 is an empty constant, a graph input that
// no node reads, or the output of such a copy.
Graph import_onnx(std::span<const std::byte> file, const ImportOptions& options);

// Names of graph inputs that decide shapes (read, directly or through casts and the like, by the
// shape, axes, pads, starts... operand of some node): `conform` binds them. Inputs with
// initializers are not listed.
std::vector<std::string> shape_deciding_inputs(std::span<const std::byte> file);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
