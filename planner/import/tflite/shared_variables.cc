// Looks for handles of one name in several methods, and joins what these say of the variable.
#include "planner/import/tflite/shared_variables.h"

#include <algorithm>
#include <memory>

#include "planner/graph/names.h"
#include "schema_generated.h"

namespace arenite::planner::tflite {

namespace schema = tflite_schema;

std::string variable_name(const Operator& var_handle) {
  const auto* options = var_handle.table->builtin_options_as_VarHandleOptions();
  const auto text = [](const flatbuffers::String* string) {
    return string == nullptr ? std::string() : string->str();
  };
  if (options == nullptr) return "";
  const std::string container = text(options->container()), name = text(options->shared_name());
  return container.empty() ? name : container + "/" + name;
}

SharedVariables::SharedVariables(const Model& model, std::span<const uint32_t> methods) {
  if (methods.size() < 2) return;
  std::map<std::string, std::set<uint32_t>> users;
  for (const Subgraph& subgraph : model.subgraphs) {
    const bool is_method = std::ranges::find(methods, subgraph.index) != methods.end();
    for (const Operator& op : subgraph.operators) {
      if (op.table->builtin_options_type() != schema::BuiltinOptions_VarHandleOptions) continue;
      std::set<uint32_t>& known = users[variable_name(op)];
      if (is_method) known.insert(subgraph.index);
      if (!is_method) known.insert(methods.begin(), methods.end());
    }
  }
  for (const auto& [name, subgraphs] : users) {
    if (subgraphs.size() > 1) names_.insert(name);
  }
}

void SharedVariables::add(Importing& importing, const std::string& method) {
  GraphBuilder& builder = importing.state.builder;
  for (Variable& variable : importing.variables) {
    if (!contains(variable.name)) continue;
    const bool only_set = variable.before == kNoValue && variable.now != kNoValue;
    if (only_set && !importing.variables_are_io) {
      const Value set = builder.value(variable.now);
      variable.before = builder.add_input(builder.unique_name(variable.name), set.dtype, set.dims);
      if (set.quantization) builder.set_quantization(variable.before, *set.quantization);
      importing.of_tensors.insert(variable.before);
    }
    if (!variable.initial) continue;
    const auto& [known, added] = starts_.emplace(variable.name, Start{*variable.initial, method});
    if (added || known->second.initial == *variable.initial) continue;
    const std::string why = "variable " + quote(variable.name) + " begins in method " +
                            quote(method) + " with other elements than in method " +
                            quote(known->second.method);
    builder.add_obstacle(
        {"CALL_ONCE", printable(variable.name), why, why, {}, "the same elements"});
  }
}

void SharedVariables::complete(Graph& graph) const {
  for (GraphState& state : graph.states) {
    const auto start = starts_.find(state.shared);
    if (start == starts_.end()) continue;
    state.initial = std::make_shared<const std::vector<std::byte>>(start->second.initial);
  }
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
