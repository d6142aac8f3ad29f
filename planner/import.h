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
// and --shape. What is outside the supported operators, opsets 1 to 23 and types is collected over
// the whole model into an ObstaclesError naming node, op and attribute; damaged or contradicting
// models are InputErrors.
//
// Of the result: every graph output is a distinct value that a node writes (a constant or an input
// that is an output gets a copy); nodes leave no output out; a node's inputs are all constant only
// where it is such a copy; a value with a dimension of 0 is an empty constant, a graph input that
// no node reads, or such a copy.
Graph import_onnx(std::span<const std::byte> file, const ImportOptions& options);

// Names of graph inputs that decide shapes (read, directly or through casts and the like, by the
// shape, axes, pads, starts... operand of some node): `conform` binds them. Inputs with
// initialisers are not listed.
std::vector<std::string> shape_deciding_inputs(std::span<const std::byte> file);

// The graph passes in order: identities and dead code out, batch normalisation and constant
// scale/shift into convolutions, padding into convolutions, activations into their producers.
void optimise(Graph& graph);

// The same without the passes named (planner/passes/passes.h). Throws InputError for a name that is
// none.
void optimise(Graph& graph, std::span<const std::string> disabled);

// Converts the constant weights of convolutions and matrix products, of a graph that has been
// optimised, to float32, float16 or bfloat16; they are widened as they are read. Throws InputError
// where a weight is too large for the type.
void store_weights(Graph& graph, DType type);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
