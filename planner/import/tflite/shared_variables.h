// Variables with a handle that several methods of a model use: one state of all of them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "planner/graph/graph.h"
#include "planner/import/tflite/context.h"

namespace arenite::planner::tflite {

// The name of the variable that a handle stands for: "container/name", or the name alone.
std::string variable_name(const Operator& var_handle);

class SharedVariables {
 public:
  // `methods`: their subgraphs. Other subgraphs may be called by any method.
  SharedVariables(const Model& model, std::span<const uint32_t> methods);

  bool contains(const std::string& name) const { return names_.contains(name); }
  // Whether a method only reads the variable, so that it gives it no new elements.
  bool is_only_read(const Variable& variable) const {
    return variable.before == variable.now && contains(variable.name);
  }
  // Makes those that the method sets, and never reads, inputs of it where they are states. Takes
  // what its variables begin with; an obstacle where another method has them begin otherwise.
  void add(Importing& importing, const std::string& method);
  // Lets the states of a method begin as any method says.
  void complete(Graph& graph) const;

 private:
  struct Start {
    std::vector<std::byte> initial;
    std::string method;
  };
  std::set<std::string> names_;
  std::map<std::string, Start> starts_;
};

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
