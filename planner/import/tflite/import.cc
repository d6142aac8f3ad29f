// Walks the operators of a TensorFlow Lite model in order and turns each into nodes of a graph.
#include "planner/import/tflite/import.h"

#include <algorithm>
#include <set>

#include "planner/import/inputs.h"
#include "planner/import/tflite/model.h"
#include "planner/import/tflite/operators.h"
#include "planner/names.h"

namespace arenite::planner::tflite {
namespace {

constexpr int64_t kOpset = 20;  // of the words that operators are said in

// A subgraph with callers' names for its inputs and outputs.
struct Method {
  const Subgraph& subgraph;
  const Signature* signature;  // may be null
};

// A name for each tensor's value: the model's, or its number; each once.
void name_values(Importing& importing) {
  const std::vector<Tensor>& tensors = importing.subgraph.tensors;
  importing.names.assign(tensors.size(), "");
  const auto give = [&](uint32_t index) {
    std::string& name = importing.names[index];
    const std::string& own = tensors[index].name;
    if (!name.empty()) return;
    name =
        importing.state.builder.unique_name(own.empty() ? "tensor_" + std::to_string(index) : own);
  };
  for (const uint32_t input : importing.subgraph.inputs) give(input);
  for (const uint32_t output : importing.subgraph.outputs) give(output);
  for (const Tensor& tensor : tensors) give(tensor.index);
}

// What callers know each of `tensors` by: the signature's names where all have one of their own,
// else nothing.
std::vector<std::string> names_for_callers(const std::vector<Signature::Entry>& entries,
                                           const std::vector<uint32_t>& tensors) {
  std::vector<std::string> names;
  std::set<std::string> once;
  for (const uint32_t tensor : tensors) {
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const auto& entry) { return entry.tensor == tensor; });
    if (found == entries.end() || found->name.empty()) return {};
    if (!once.insert(found->name).second) return {};
    names.push_back(found->name);
  }
  return names;
}

std::vector<std::string> input_names_of(const Method& method) {
  if (method.signature == nullptr) return {};
  return names_for_callers(method.signature->inputs, method.subgraph.inputs);
}

// The options that are about this method's inputs, by the names of their values.
ImportOptions options_for(const Importing& importing, const Method& method,
                          const ImportOptions& given, bool alone) {
  ImportOptions options = given;
  const std::vector<std::string> callers = input_names_of(method);
  std::set<std::string> known;
  for (size_t i = 0; i < method.subgraph.inputs.size(); ++i) {
    const std::string& name = importing.names[method.subgraph.inputs[i]];
    known.insert(name);
    if (callers.empty() || callers[i] == name) continue;
    if (auto shape = options.shapes.extract(callers[i])) {
      shape.key() = name;
      options.shapes.insert(std::move(shape));
    }
    if (auto bound = options.bound.extract(callers[i])) {
      bound.key() = name;
      options.bound.insert(std::move(bound));
    }
  }
  // The other methods' are theirs.
  if (!alone)
    std::erase_if(options.shapes, [&](const auto& e) { return !known.contains(e.first); });
  return options;
}

// An input's dims: those stored where the model leaves one open but says a size of its own.
ModelInput input_of(const Tensor& tensor, const std::string& name) {
  ModelInput input;
  input.name = name;
  input.dtype = tensor.dtype;
  input.has_shape = true;
  for (size_t i = 0; i < tensor.dims.size(); ++i) {
    const bool open = !tensor.signature.empty() && tensor.signature[i] < 0;
    ModelDim dim;
    if (!open) dim.value = tensor.dims[i];
    input.dims.push_back(dim);
  }
  if (!tensor.unsupported.empty()) input.unsupported = tensor.unsupported;
  if (!input.unsupported.empty()) input.instead = "numbers or bool, without a scale";
  return input;
}

void add_inputs_of(Importing& importing, const Method& method, const ImportOptions& options) {
  planner::Model described;
  std::set<uint32_t> seen;
  for (const uint32_t index : method.subgraph.inputs) {
    const Tensor& tensor = method.subgraph.tensors[index];
    const std::string where = "subgraph " + std::to_string(method.subgraph.index) + ": input ";
    if (!seen.insert(index).second) throw InputError(where + describe(tensor) + " is given twice");
    if (tensor.constant) throw InputError(where + describe(tensor) + " is a constant");
    described.inputs.push_back(input_of(tensor, importing.names[index]));
  }
  ImportState& state = importing.state;
  add_inputs(state, described, options);
  for (const uint32_t index : method.subgraph.inputs) {
    const auto found = state.by_name.find(importing.names[index]);
    importing.unknown[index] = found == state.by_name.end();
    if (found == state.by_name.end()) continue;
    importing.set_value(index, found->second);
    const Tensor& tensor = method.subgraph.tensors[index];
    if (tensor.quantisation) state.builder.set_quantisation(found->second, *tensor.quantisation);
  }
}

void add_obstacle(Importing& importing, const Operator& op, std::string why,
                  const std::string& instead = {}) {
  const std::string where = describe(importing.subgraph, op) + ": ";
  if (why.starts_with(where)) why.erase(0, where.size());
  importing.state.builder.add_obstacle(
      {printable(op.name), source_name(op), why, where + why, {}, instead});
}

// Whether what the operator makes is known now. If not, it is an obstacle or reads what one should
// make.
bool import_operator(Importing& importing, const Operator& op) {
  const Known known = find_importer(op);
  if (known.importer == nullptr) {
    add_obstacle(importing, op, known.why, known.instead);
    return false;
  }
  for (const int32_t input : op.inputs) {
    if (input >= 0 && importing.unknown[static_cast<size_t>(input)]) return false;
  }
  try {
    Context context(importing, op);
    known.importer(context);
    context.finish();
    if (!context.refusal().empty()) add_obstacle(importing, op, context.refusal());
    return true;
  } catch (const UnsupportedError& error) {
    add_obstacle(importing, op, error.what(), error.instead);
    return false;
  }
}

std::vector<DeclaredOutput> outputs_of(Importing& importing, const Method& method) {
  std::vector<DeclaredOutput> outputs;
  for (const uint32_t index : method.subgraph.outputs) {
    const Tensor& tensor = method.subgraph.tensors[index];
    DeclaredOutput output;
    output.name = importing.names[index];
    output.dtype = tensor.dtype;
    output.dims = tensor.signature.empty() ? tensor.dims : tensor.signature;
    output.value = importing.values[index];
    if (output.value == kNoValue && tensor.constant && tensor.unsupported.empty() &&
        tensor.sparsity == nullptr) {
      output.value = add_constant(importing, tensor);
    }
    outputs.push_back(std::move(output));
  }
  for (const uint32_t index : importing.variables) {
    const ValueId next = importing.values[index];
    const Value& value = importing.state.builder.value(next);
    outputs.push_back({value.name, value.dtype, std::nullopt, next});
  }
  return outputs;
}

// What callers know variables by, behind what a signature names: their own names.
void complete_names(const Graph& graph, const std::vector<ValueId>& values,
                    std::vector<std::string>& names) {
  if (names.empty()) return;
  const std::set<std::string> given(names.begin(), names.end());
  for (size_t i = names.size(); i < values.size(); ++i) {
    std::string name = graph.values[values[i]].name;
    while (given.contains(name)) name += ".variable";
    names.push_back(std::move(name));
  }
}

Graph import_method(const Method& method, uint64_t file_bytes, const ImportOptions& given,
                    bool alone) {
  Importing importing{method.subgraph};
  importing.state.opset = kOpset;
  importing.state.builder.set_name(method.subgraph.name);
  importing.state.builder.set_file_bytes(file_bytes);
  importing.values.assign(method.subgraph.tensors.size(), kNoValue);
  importing.unknown.assign(method.subgraph.tensors.size(), false);
  const std::string where = "subgraph " + std::to_string(method.subgraph.index) + ": ";
  if (method.subgraph.outputs.empty()) throw InputError(where + "it has no outputs");
  name_values(importing);
  add_inputs_of(importing, method, options_for(importing, method, given, alone));
  for (const Operator& op : method.subgraph.operators) {
    if (import_operator(importing, op)) continue;
    for (const int32_t output : op.outputs) importing.unknown[static_cast<size_t>(output)] = true;
  }
  Graph graph = importing.state.builder.finish(outputs_of(importing, method));
  graph.input_names = input_names_of(method);
  if (method.signature != nullptr) {
    graph.output_names = names_for_callers(method.signature->outputs, method.subgraph.outputs);
  }
  complete_names(graph, graph.inputs, graph.input_names);
  complete_names(graph, graph.outputs, graph.output_names);
  return graph;
}

// One method a signature; without signatures the first subgraph, which calls the others.
std::vector<Method> methods_of(const Model& model) {
  std::vector<Method> methods;
  for (const Signature& signature : model.signatures) {
    methods.push_back({model.subgraphs[signature.subgraph], &signature});
  }
  if (methods.empty()) methods.push_back({model.subgraphs.front(), nullptr});
  return methods;
}

std::vector<std::string> input_names_of_all(const std::vector<Method>& methods) {
  std::vector<std::string> names;
  for (const Method& method : methods) {
    Importing importing{method.subgraph};
    name_values(importing);
    for (const uint32_t index : method.subgraph.inputs) names.push_back(importing.names[index]);
    const std::vector<std::string> callers = input_names_of(method);
    names.insert(names.end(), callers.begin(), callers.end());
  }
  return names;
}

}  // namespace

std::vector<ImportedMethod> import_methods(std::span<const std::byte> file,
                                           const ImportOptions& options) {
  const Model model = read_model(file);
  const std::vector<Method> methods = methods_of(model);
  if (methods.size() > 1) {
    const std::vector<std::string> names = input_names_of_all(methods);
    for (const auto& [name, dims] : options.shapes) {
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        throw InputError("--shape names input " + quote(name) + ", which no method has");
      }
    }
  }
  std::vector<ImportedMethod> imported;
  for (const Method& method : methods) {
    const bool alone = methods.size() == 1;
    imported.push_back(
        {alone ? "" : method.signature->key, import_method(method, file.size(), options, alone)});
  }
  return imported;
}

std::map<std::string, uint32_t> count_operators(std::span<const std::byte> file) {
  std::map<std::string, uint32_t> counts;
  const Model model = read_model(file);
  for (const Subgraph& subgraph : model.subgraphs) {
    for (const Operator& op : subgraph.operators) ++counts[printable(op.name)];
  }
  return counts;
}

std::vector<std::string> input_names(std::span<const std::byte> file) {
  const Model model = read_model(file);
  return input_names_of_all(methods_of(model));
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
