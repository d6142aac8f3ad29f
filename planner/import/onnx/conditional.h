// If, and what else the run decides: both sides are made, and a condition chooses between them.
//
// Steps that make what is not chosen need not run: the schedule finds them
// (planner/steps/lower/conditions.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "planner/import/model/op_context.h"

namespace arenite::planner {

// Imports nodes; what they cannot make becomes unknown (ImportState::unknown).
using ImportNodes = std::function<void(const std::vector<ModelNode>& nodes)>;

// A node that the model does not have, in the place of `of`.
ModelNode node_for(const ModelNode& of, const char* op_type, std::vector<std::string> inputs,
                   std::string output);
void set_int(ModelNode& node, const char* name, int64_t value);

// Makes nodes in the place of one.
class Chooser {
 public:
  Chooser(ImportState& state, OpContext& context, const ImportNodes& import)
      : state_(state), context_(context), import_(import) {}

  // A value of no dims with a condition's bool: the value itself, or a view of it.
  std::string single_bool(const std::string& condition);

  // Makes `output`: `first` where the bool of that name holds, else `second`. Throws
  // UnsupportedError where their types or dims are not the same. All three are known values.
  void choose(const std::string& condition, const std::string& first, const std::string& second,
              const std::string& output);

 private:
  ImportState& state_;
  OpContext& context_;
  const ImportNodes& import_;
};

// Imports the branch of an If that a constant condition takes; else both, and what chooses. Outputs
// are unknown where a branch's are. Throws InputError where node and branches do not match,
// UnsupportedError where the branches' results have not the same types and dims.
void import_if(ImportState& state, const ModelNode& node, const ImportRow& row,
               const ImportNodes& import);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
