// Reads an ONNX model into a Graph: typed, every shape known, constants evaluated.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "planner/graph.h"

namespace arenite::planner {

struct ImportOptions {
  std::map<std::string, std::vector<uint32_t>> shapes;  // --shape INPUT=1,3,224,224
  std::map<std::string, uint32_t> dims;                 // --dim NAME=N for symbolic dims
  // Inputs to be taken as constants (row-major bytes of the declared type); they stop being inputs.
  struct Bound {
    std::vector<uint32_t> dims;
    std::vector<std::byte> bytes;
  };
  std::map<std::string, Bound> bound;
};

// An unset symbolic leading dimension becomes 1 with a note; any other is an error naming the input
// and --shape. Anything outside the supported ops, opsets 1 to 20 and types is an error naming
// node, op and attribute.
Graph import_onnx(std::span<const std::byte> file, const ImportOptions& options);

// Names of graph inputs that decide shapes (read, directly or through casts and the like, by the
// shape, axes, pads, starts... operand of some node): `conform` binds them. Inputs with
// initialisers are not listed.
std::vector<std::string> shape_deciding_inputs(std::span<const std::byte> file);

// The graph passes in order: identities and dead code out, batch normalisation and constant
// scale/shift into convolutions, padding into convolutions, activations into their producers.
void optimise(Graph& graph);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
