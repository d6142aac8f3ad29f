// Walks the operators of a TensorFlow Lite model in order and turns each into nodes of a graph.
#include "planner/import/tflite/import.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "planner/graph/names.h"
#include "planner/import/model/cut.h"
#include "planner/import/model/input_dims.h"
#include "planner/import/model/inputs.h"
#include "planner/import/model/loops.h"
#include "planner/import/tflite/cut.h"
#include "planner/import/tflite/model.h"
#include "planner/import/tflite/operators.h"
#include "planner/import/tflite/shared_variables.h"

namespace arenite::planner::tflite {
namespace {

constexpr int64_t kOpset = 20;  // of the operators that TensorFlow Lite's become

// A subgraph with callers' names for its inputs and outputs.
struct Method {
  const Subgraph& subgraph;
  const Signature* signature;  // may be null
};

// The names by which callers know each of `tensors`: the signature's names if all have one of their
// own, else none.
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

std::vector<std::string> output_names_of(const Method& method) {
  if (method.signature == nullptr) return {};
  return names_for_callers(method.signature->outputs, method.subgraph.outputs);
}

// The options that are about this method, by the names of its values.
ImportOptions options_for(const std::vector<std::string>& names, const Method& method,
                          const ImportOptions& given, bool alone) {
  ImportOptions options = given;
  const std::vector<std::string> callers = input_names_of(method);
  std::set<std::string> known;
  for (size_t i = 0; i < method.subgraph.inputs.size(); ++i) {
    const std::string& name = names[method.subgraph.inputs[i]];
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
  const std::vector<std::string> results = output_names_of(method);
  for (std::string& output : options.outputs) {
    const auto found = std::find(results.begin(), results.end(), output);
    if (found == results.end()) continue;
    output = names[method.subgraph.outputs[static_cast<size_t>(found - results.begin())]];
  }
  if (alone) return options;
  // The other methods' are theirs.
  std::erase_if(options.shapes, [&](const auto& e) { return !known.contains(e.first); });
  std::erase_if(options.bound, [&](const auto& e) { return !known.contains(e.first); });
  std::erase_if(options.outputs, [&](const std::string& output) {
    return std::find(names.begin(), names.end(), output) == names.end();
  });
  return options;
}

// An input's dims: open where the model leaves them so, beside the size that it has stored.
ModelInput input_of(const Tensor& tensor, const std::string& name) {
  ModelInput input;
  input.name = name;
  input.dtype = tensor.dtype;
  input.has_shape = true;
  for (size_t i = 0; i < tensor.dims.size(); ++i) {
    const bool open = !tensor.signature.empty() && tensor.signature[i] < 0;
    ModelDim dim;
    (open ? dim.stored : dim.value) = tensor.dims[i];
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
    if (tensor.quantization) state.builder.set_quantization(found->second, *tensor.quantization);
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

// Variables that a method has read give an output, with what they then hold, and so do those that
// it sets for others.
bool is_output(const Variable& variable, const SharedVariables& shared) {
  const bool set = variable.now != kNoValue && shared.contains(variable.name);
  return (variable.before != kNoValue || set) && !shared.is_only_read(variable);
}

std::vector<DeclaredOutput> outputs_of(Importing& importing, const Method& method,
                                       const SharedVariables& shared) {
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
  for (const Variable& variable : importing.variables) {
    if (!is_output(variable, shared)) continue;
    const Value& value = importing.state.builder.value(variable.now);
    outputs.push_back({value.name, value.dtype, std::nullopt, variable.now});
  }
  return outputs;
}

// A variable that nothing sets begins with the integers that stand for zero.
std::shared_ptr<const std::vector<std::byte>> initial_of(const Variable& variable,
                                                         const Value& value) {
  if (variable.initial) return std::make_shared<const std::vector<std::byte>>(*variable.initial);
  const auto scaled = value.quantization ? value.quantization->one() : std::nullopt;
  if (!scaled || scaled->zero_point == 0) return nullptr;
  const size_t width = element_bytes(value.dtype);
  std::vector<std::byte> bytes(value.dense_bytes());
  for (size_t at = 0; at < bytes.size(); at += width) {
    std::memcpy(bytes.data() + at, &scaled->zero_point, width);
  }
  return std::make_shared<const std::vector<std::byte>>(std::move(bytes));
}

// Variables that are read are inputs, and the last of the outputs.
void add_states(const Importing& importing, const SharedVariables& shared, Graph& graph) {
  auto output = static_cast<uint32_t>(
      graph.outputs.size() -
      static_cast<size_t>(std::ranges::count_if(importing.variables, [&](const Variable& variable) {
        return is_output(variable, shared);
      })));
  for (const Variable& variable : importing.variables) {
    if (variable.before == kNoValue) continue;
    const auto input = std::ranges::find(graph.inputs, variable.before) - graph.inputs.begin();
    graph.states.push_back({static_cast<uint32_t>(input),
                            is_output(variable, shared) ? output++ : kNoIndex,
                            initial_of(variable, graph.values[variable.before]),
                            shared.contains(variable.name) ? variable.name : ""});
  }
  std::ranges::sort(graph.states, {}, &GraphState::input);
}

// Gives variables that no signature names their own names, by which callers know them.
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

Graph import_method(const Method& whole, const Model& model, uint64_t file_bytes,
                    const ImportOptions& given, bool alone, SharedVariables& shared) {
  GraphBuilder builder;
  std::vector<std::string> names = named_values(whole.subgraph, builder);
  const ImportOptions options = options_for(names, whole, given, alone);
  std::optional<Subgraph> part;
  if (!options.outputs.empty()) {
    part = whole.subgraph;
    builder.note(cut(*part, names, options.outputs));
  }
  const Method method{part ? *part : whole.subgraph, whole.signature};
  Importing importing{.subgraph = method.subgraph, .all = model.subgraphs};
  importing.state.builder = std::move(builder);
  importing.names = std::move(names);
  importing.variables_are_io = options.variables_are_io;
  importing.state.opset = kOpset;
  importing.state.max_trips = options.max_trips;
  importing.state.builder.set_name(method.subgraph.name);
  importing.state.builder.set_file_bytes(file_bytes);
  importing.values.assign(method.subgraph.tensors.size(), kNoValue);
  importing.unknown.assign(method.subgraph.tensors.size(), false);
  const std::string where = "subgraph " + std::to_string(method.subgraph.index) + ": ";
  add_inputs_of(importing, method, options);
  for (const Operator& op : method.subgraph.operators) {
    if (import_operator(importing, op)) continue;
    for (const int32_t output : op.outputs) importing.unknown[static_cast<size_t>(output)] = true;
  }
  if (!alone) shared.add(importing, method.signature->key);
  const std::vector<DeclaredOutput> outputs = outputs_of(importing, method, shared);
  if (outputs.empty()) throw InputError(where + "it has no outputs");
  Graph graph = importing.state.builder.finish(outputs);
  if (alone) check_max_trips(options, importing.state.loops);
  expect_elements(graph, options);
  if (!options.variables_are_io) add_states(importing, shared, graph);
  graph.input_names = input_names_of(method);
  // An input that became a constant has no caller.
  for (size_t i = method.subgraph.inputs.size(); i-- > 0 && !graph.input_names.empty();) {
    if (!options.bound.contains(importing.names[method.subgraph.inputs[i]])) continue;
    graph.input_names.erase(graph.input_names.begin() + static_cast<std::ptrdiff_t>(i));
  }
  graph.output_names = output_names_of(method);
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

OpenNames open_names_of(const std::vector<Method>& methods) {
  OpenNames open;
  for (const Method& method : methods) {
    GraphBuilder builder;
    const std::vector<std::string> names = named_values(method.subgraph, builder);
    const std::vector<std::string> callers = input_names_of(method);
    for (size_t i = 0; i < method.subgraph.inputs.size(); ++i) {
      const uint32_t index = method.subgraph.inputs[i];
      const DeclaredInput input = declared(input_of(method.subgraph.tensors[index], names[index]));
      open.inputs.emplace(names[index], input);
      if (!callers.empty()) open.inputs.emplace(callers[i], input);
    }
    open.values.insert(names.begin(), names.end());
    const std::vector<std::string> results = output_names_of(method);
    open.values.insert(results.begin(), results.end());
  }
  return open;
}

std::set<std::string> loops_of(const Model& model) {
  std::set<std::string> loops;
  for (const Subgraph& subgraph : model.subgraphs) {
    for (const Operator& op : subgraph.operators) {
      if (op.table->builtin_options_type() == tflite_schema::BuiltinOptions_WhileOptions) {
        loops.insert(source_name(op));
      }
    }
  }
  return loops;
}

// Each of several methods takes the options that are about it; each option must be about some
// method.
void expect_used(const OpenNames& open, const ImportOptions& options) {
  const auto expect = [&](const char* option, const std::string& name) {
    if (open.inputs.contains(name)) return;
    throw InputError(std::string(option) + " names input " + quote(name) + ", which no method has");
  };
  for (const auto& [name, dims] : options.shapes) expect("--shape", name);
  for (const auto& [name, bound] : options.bound) expect("--fix", name);
  check_outputs(options.outputs, open.values);
}

}  // namespace

std::vector<ImportedMethod> import_methods(std::span<const std::byte> file,
                                           const ImportOptions& options) {
  const Model model = read_model(file);
  const std::vector<Method> methods = methods_of(model);
  if (methods.size() > 1) {
    expect_used(open_names_of(methods), options);
    check_max_trips(options, loops_of(model));
  }
  std::vector<uint32_t> subgraphs;
  for (const Method& method : methods) subgraphs.push_back(method.subgraph.index);
  SharedVariables shared(model, subgraphs);
  std::vector<ImportedMethod> imported;
  for (const Method& method : methods) {
    const bool alone = methods.size() == 1;
    imported.push_back({alone ? "" : method.signature->key,
                        import_method(method, model, file.size(), options, alone, shared)});
  }
  for (ImportedMethod& method : imported) shared.complete(method.graph);
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

OpenNames open_names(std::span<const std::byte> file) {
  const Model model = read_model(file);
  OpenNames open = open_names_of(methods_of(model));
  open.loops = loops_of(model);
  return open;
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
