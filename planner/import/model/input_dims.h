// One shape for each input of a model: what the model says and what the user gave agree in it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "planner/graph/graph_builder.h"
#include "planner/import/model/front_end.h"
#include "planner/import/model/model.h"

namespace arenite::planner {

// The beginning of messages about an input: "input 'x': ".
std::string where(const ModelInput& input);

// A dimension's number, where the model says one: exporters also write -1 for "unknown".
std::optional<int64_t> size_of(const ModelDim& dim);

DeclaredInput declared(const ModelInput& input);

// Settles the dims of inputs one by one: --fix, --shape, --dim, the model's own; names such as
// "past + length" are expressions of what --dim gives. A leading
// dimension that is open after all becomes 1 where it counts a batch, with a note. It does where
// - it has a batch's name: N, B, or one with "batch" in it; or
// - every input begins with the same symbol, or with an open dimension without a name, no other
//   dimension has a batch's name, and this one is no time: it has no name of a length or a time,
//   and no recurrent operator reads the input; or
// - the model holds 1 for it (TensorFlow Lite).
class InputDims {
 public:
  InputDims(const Model& model, const ImportOptions& options, GraphBuilder& builder);

  // Returns nothing if a dimension is still to be given, and tells the builder so. Throws
  // InputError if options and model contradict each other.
  std::optional<std::vector<int64_t>> of(const ModelInput& input);
  // Whether --batch was the leading dimension of some input.
  bool has_batch() const { return has_batch_; }

 private:
  bool counts_a_batch(const ModelInput& input) const;
  std::optional<uint32_t> following(const ModelDim& dim) const;
  std::vector<int64_t> given(const ModelInput& input, const std::vector<uint32_t>& dims,
                             const char* option) const;
  void want(const ModelInput& input, const std::vector<size_t>& open);
  void want_shape(const ModelInput& input, const std::string& why, const std::string& give);

  const ImportOptions& options_;
  GraphBuilder& builder_;
  std::map<std::string, uint32_t> occurrences_;  // of each symbol, among inputs that are not fixed
  std::set<std::string> recurrent_;              // inputs that begin with a time, by their reader
  std::set<std::string> asked_for_;              // symbols, with --dim
  bool same_first_ = true;                       // all inputs with dims begin with one symbol
  bool has_batch_ = false;
  bool some_batch_ = false;  // some dimension has a batch's name
};

// Throws InputError where --dim gives 0 to a dimension, and an output has no elements then. Who
// gives a whole shape, as conformance cases do, means it.
void expect_elements(const Graph& graph, const ImportOptions& options);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
