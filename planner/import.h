// Reads a model into graphs: typed, every shape known, constants evaluated. ONNX or TensorFlow
// Lite.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "planner/graph.h"

namespace arenite::planner {

struct ImportOptions {
  std::map<std::string, std::vector<uint32_t>> shapes;  // --shape INPUT=1,3,224,224
  std::map<std::string, uint32_t> dims;                 // --dim NAME=N for symbolic dims
  // --fix INPUT=VALUE: inputs to be taken as constants (row-major bytes of the declared type); they
  // stop being inputs.
  struct Bound {
    std::vector<uint32_t> dims;
    std::vector<std::byte> bytes;
  };
  std::map<std::string, Bound> bound;
  // --outputs NAME: the values that become the graph's outputs, and what they need the graph;
  // empty: all, with the outputs that the model declares.
  std::vector<std::string> outputs;
  // Where files with external data lie; nothing: the model comes from memory, and has none.
  std::optional<std::filesystem::path> folder;
  // The file is named as TensorFlow Lite's are: messages expect such a model.
  bool is_tflite = false;
};

// The folder that a model at `path` may keep external data in; nothing for a pipe.
std::optional<std::filesystem::path> folder_of_model(const std::filesystem::path& path);

// The files that an ONNX model names for external data, be they there or not; none where the model
// can't be read, which import tells of.
std::vector<std::filesystem::path> external_files(const std::filesystem::path& model);

// One of the methods of a model. The only one has no name.
struct ImportedMethod {
  std::string name;
  Graph graph;
};

// Any model: TensorFlow Lite's by their file identifier, ONNX's else. Throws what import_onnx
// throws.
std::vector<ImportedMethod> import_model(std::span<const std::byte> file,
                                         const ImportOptions& options);

// An input as a model declares it.
struct DeclaredInput {
  struct Dim {
    std::optional<int64_t> size;  // nothing: the model leaves it open
    std::string symbol;           // its name then, or empty
  };
  DType dtype = DType::kNone;              // kNone: of a type that is not supported
  std::optional<std::vector<Dim>> dims{};  // nothing: of any rank
};

// What options may name: a model's inputs, dims it leaves open by a name, and values.
struct OpenNames {
  std::map<std::string, DeclaredInput> inputs;
  std::set<std::string> dims, values;
};
OpenNames open_names(std::span<const std::byte> file, bool is_tflite);

// A leading dimension that is unset and counts a batch (planner/import/input_dims.h) becomes 1 with
// a note; any other is an error naming the input and --shape or --dim. What is outside the
// supported operators, opsets 1 to 25 and types is collected over the whole model into an
// ObstaclesError naming node, op and attribute; damaged or contradicting models are InputErrors.
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

// How often a model has each operator: "Conv", "com.example.Fancy", "CONV_2D". Throws InputError
// for what is no model.
std::map<std::string, uint32_t> model_operators(std::span<const std::byte> file,
                                                bool is_tflite = false);

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
