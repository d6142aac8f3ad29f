// The interface of front ends: options of an import, and names that options may use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "planner/graph/graph.h"

namespace arenite::planner {

struct ImportOptions {
  std::map<std::string, std::vector<uint32_t>> shapes;  // --shape INPUT=1,3,224,224
  std::map<std::string, uint32_t> dims;                 // --dim NAME=N for symbolic dims
  // --dim NAME=EXPRESSION: dims that follow from those (dim_expression.h).
  std::map<std::string, std::string> following_dims;
  // Names of `dims` of which callers choose a size before runs: the numbers are the most.
  std::set<std::string> chosen_dims;
  // --batch N: the leading dimension of each input where that counts a batch, also if the model
  // says 1 there.
  std::optional<uint32_t> batch;
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
  std::map<std::string, std::string> states;  // --state OUT=IN: the output by its input
  std::set<std::string> shared_states;        // --share-state IN: one state of all methods
  // --max-trips LOOP=N: the most trips of a loop whose number each run decides.
  std::map<std::string, int64_t> max_trips;
  bool variables_are_io = false;  // --no-state: variables of the model are inputs and outputs
  // The folder of files with external data; nothing: the model comes from memory, and has none.
  std::optional<std::filesystem::path> folder;
  // The file is named as TensorFlow Lite's are: messages expect such a model.
  bool is_tflite = false;
};

// One of the methods of a model. The only one has no name.
struct ImportedMethod {
  std::string name;
  Graph graph;
};

// An input as a model declares it.
struct DeclaredInput {
  struct Dim {
    std::optional<int64_t> size;  // nothing: the model leaves it open
    std::string symbol;           // its name then, or empty
  };
  DType dtype = DType::kNone;              // kNone: of a type that is not supported
  std::optional<std::vector<Dim>> dims{};  // nothing: of any rank
};

// Names that options may use: a model's inputs, dims that it leaves open by a name, values, and
// loops.
struct OpenNames {
  std::map<std::string, DeclaredInput> inputs;
  std::set<std::string> dims, values, loops;
};
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
