// Looks both names up in each method, compares what they name, and adds the state.
#include "planner/import/model/states.h"

#include <algorithm>
#include <optional>

#include "planner/graph/names.h"
#include "support/suggest.h"

namespace arenite::planner {
namespace {

enum class Side : uint8_t { kInput, kOutput };

const std::string& name_of(const Graph& graph, Side side, uint32_t i) {
  return side == Side::kInput ? graph.input_name(i) : graph.output_name(i);
}

std::optional<uint32_t> find(const Graph& graph, Side side, const std::string& name) {
  const std::vector<ValueId>& values = side == Side::kInput ? graph.inputs : graph.outputs;
  for (uint32_t i = 0; i < values.size(); ++i) {
    if (name_of(graph, side, i) == name || graph.values[values[i]].name == name) return i;
  }
  return std::nullopt;
}

std::string type_text(const Value& value) {
  return dtype_name(value.dtype) + " " + dims_text(value.dims);
}

[[noreturn]] void fail_name(const std::string& option, Side side, const std::string& name,
                            const std::vector<ImportedMethod>& methods) {
  std::vector<std::string> known;
  for (const ImportedMethod& method : methods) {
    const size_t count =
        side == Side::kInput ? method.graph.inputs.size() : method.graph.outputs.size();
    for (uint32_t i = 0; i < count; ++i) known.push_back(name_of(method.graph, side, i));
  }
  const std::string what = side == Side::kInput ? "input" : "output";
  std::string listed;
  for (const std::string& one : known) listed += (listed.empty() ? "" : ", ") + quote(one);
  throw InputError(option + ": the model has no " + what + " " + quote(name) + ", expected " +
                   (listed.empty() ? "none" : listed) + did_you_mean(name, known));
}

// Whether a state of such a value can take what the other holds. If not, `open` is the name of a
// dim that could be chosen, if one is in the way.
bool takes(const Value& to, const Value& from, const std::set<std::string>& chosen,
           std::string& open) {
  if (from.dtype != to.dtype || from.dims.size() != to.dims.size()) return false;
  bool good = true;
  for (size_t d = 0; d < to.dims.size(); ++d) {
    if (always(from.dims[d] == to.dims[d])) continue;
    const std::string name = d < to.symbols.size() ? to.symbols[d] : "";
    if (chosen.contains(name)) continue;
    good = false;
    open = name;
  }
  return good;
}

void tie(Graph& graph, uint32_t input, uint32_t output, const std::set<std::string>& chosen,
         const std::string& option) {
  const Value& from = graph.values[graph.outputs[output]];
  const Value& to = graph.values[graph.inputs[input]];
  std::string open;
  if (!takes(to, from, chosen, open)) {
    throw InputError(option + ": output " + quote(graph.output_name(output)) + " is " +
                     type_text(from) + " and input " + quote(graph.input_name(input)) + " is " +
                     type_text(to) + "; expected the same type and dims" +
                     (open.empty() ? ""
                                   : ", or a range of sizes for what grows: --dim '" +
                                         printable(open) + "=0..64'"));
  }
  const auto at = std::ranges::lower_bound(graph.states, input, {}, &GraphState::input);
  if (at != graph.states.end() && at->input == input) {
    throw InputError(option + ": input " + quote(graph.input_name(input)) +
                     " is a variable of the model, which output " +
                     quote(graph.output_name(at->output)) +
                     " sets; expected another input, or --no-state");
  }
  graph.states.insert(at, {.input = input, .output = output});
}

}  // namespace

void tie_states(std::vector<ImportedMethod>& methods,
                const std::map<std::string, std::string>& ties, const std::set<std::string>& chosen,
                const std::set<std::string>& shared) {
  for (const auto& [input, output] : ties) {
    const std::string option = "--state " + output + "=" + input;
    bool known_input = false, tied = false;
    for (ImportedMethod& method : methods) {
      const auto to = find(method.graph, Side::kInput, input);
      const auto from = find(method.graph, Side::kOutput, output);
      known_input |= to.has_value();
      if (!to || !from) continue;
      tie(method.graph, *to, *from, chosen, option);
      tied = true;
    }
    if (!known_input) fail_name(option, Side::kInput, input, methods);
    if (!tied && !shared.contains(input)) fail_name(option, Side::kOutput, output, methods);
  }
}

void share_states(std::vector<ImportedMethod>& methods, const std::set<std::string>& names) {
  for (ImportedMethod& method : methods) {
    std::vector<GraphState>& states = method.graph.states;
    for (const std::string& name : names) {
      const auto input = find(method.graph, Side::kInput, name);
      if (!input) continue;
      auto state = std::ranges::lower_bound(states, *input, {}, &GraphState::input);
      if (state == states.end() || state->input != *input) {
        state = states.insert(state, {.input = *input, .output = kNoIndex});
      }
      state->shared = name;
    }
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
