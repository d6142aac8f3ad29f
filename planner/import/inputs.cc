// Gives every graph input one shape: fixed dims, --shape, --dim, or 1 for an unset leading one.
#include "planner/import/inputs.h"

#include <algorithm>
#include <optional>
#include <set>

#include "planner/names.h"

namespace arenite::planner {
namespace {

std::string where(const ModelInput& input) { return "input '" + printable(input.name) + "': "; }

// "[N, 3, ?, 224]".
std::string declared_text(const ModelInput& input) {
  std::string text = "[";
  for (const ModelDim& dim : input.dims) {
    if (text.size() > 1) text += ", ";
    if (dim.value) {
      text += std::to_string(*dim.value);
    } else {
      text += dim.symbol.empty() ? "?" : printable(dim.symbol);
    }
  }
  return text + "]";
}

// Exporters also write -1 for "unknown".
bool is_fixed(const ModelDim& dim) { return dim.value && *dim.value >= 0; }

std::vector<int64_t> given_dims(const ModelInput& input, const std::vector<uint32_t>& given,
                                const char* option) {
  if (!input.has_shape) return {given.begin(), given.end()};
  bool fits = given.size() == input.dims.size();
  for (size_t i = 0; fits && i < given.size(); ++i) {
    // A declared 0 is often an exporter's "unknown".
    fits =
        !is_fixed(input.dims[i]) || *input.dims[i].value == 0 || *input.dims[i].value == given[i];
  }
  if (!fits) {
    throw InputError(where(input) + option + " gives " + dims_text(given) +
                     ", expected dims that fit " + declared_text(input));
  }
  return {given.begin(), given.end()};
}

void want_shape(ImportState& state, const ModelInput& input, const std::string& why) {
  const std::string give = "give it with --shape " + printable(input.name) + "=...";
  state.builder.want_shape(
      {"input", printable(input.name), why, where(input) + why + ": " + give, {}, give});
}

// No value where the shape is still to be given, which `state` then says.
std::optional<std::vector<int64_t>> declared_dims(ImportState& state, const ModelInput& input,
                                                  const ImportOptions& options) {
  if (!input.has_shape) {
    want_shape(state, input, "the model gives no shape");
    return std::nullopt;
  }
  std::vector<int64_t> dims;
  for (size_t i = 0; i < input.dims.size(); ++i) {
    const ModelDim& dim = input.dims[i];
    const auto option = options.dims.find(dim.symbol);
    if (is_fixed(dim)) {
      dims.push_back(*dim.value);
    } else if (!dim.symbol.empty() && option != options.dims.end()) {
      dims.push_back(option->second);
    } else if (i == 0) {
      dims.push_back(1);
      std::string note = where(input) + "leading dimension ";
      if (!dim.symbol.empty()) note += printable(dim.symbol) + " ";
      state.builder.note(note + "set to 1");
    } else {
      want_shape(state, input,
                 "dimension " + std::to_string(i) + " of " + declared_text(input) + " is not set");
      return std::nullopt;
    }
  }
  return dims;
}

void check_options(const Model& model, const ImportOptions& options) {
  std::set<std::string> names;
  std::set<std::string> symbols;
  for (const ModelInput& input : model.inputs) {
    names.insert(input.name);
    for (const ModelDim& dim : input.dims) symbols.insert(dim.symbol);
  }
  const auto list = [](const std::set<std::string>& entries) {
    std::string text;
    for (const std::string& entry : entries) {
      if (entry.empty()) continue;
      if (!text.empty()) text += ", ";
      text += quote(entry);
    }
    return text.empty() ? std::string("none") : text;
  };
  for (const auto& entry : options.shapes) {
    if (!names.contains(entry.first)) {
      throw InputError("--shape names input '" + printable(entry.first) + "', the model has " +
                       list(names));
    }
  }
  for (const auto& entry : options.bound) {
    if (!names.contains(entry.first)) {
      throw InputError("bound input '" + printable(entry.first) + "' is unknown, the model has " +
                       list(names));
    }
  }
  for (const auto& entry : options.dims) {
    if (entry.first.empty() || !symbols.contains(entry.first)) {
      throw InputError("--dim names dimension '" + printable(entry.first) +
                       "', the model's inputs have " + list(symbols));
    }
  }
}

ValueId add_named(ImportState& state, const std::string& name, DType dtype,
                  const std::vector<int64_t>& dims, const std::string& message_start,
                  bool is_input) {
  if (name.empty()) throw InputError(message_start + "has no name");
  if (state.by_name.contains(name)) throw InputError(message_start + "is given twice");
  try {
    GraphBuilder& builder = state.builder;
    const ValueId id =
        is_input ? builder.add_input(name, dtype, dims) : builder.add_value(name, dtype, dims);
    state.by_name.emplace(name, id);
    return id;
  } catch (const InputError& error) {
    throw InputError(message_start + error.what());
  }
}

std::vector<std::string> symbols_of(const ModelInput& input) {
  std::vector<std::string> symbols;
  bool any = false;
  for (const ModelDim& dim : input.dims) {
    symbols.push_back(is_fixed(dim) ? "" : dim.symbol);
    any = any || !symbols.back().empty();
  }
  return any ? symbols : std::vector<std::string>();
}

void add_bound(ImportState& state, ValueId id, const ModelInput& input,
               const ImportOptions::Bound& bound) {
  try {
    state.builder.set_constant(id, bound.bytes);
  } catch (const InputError& error) {
    throw InputError(where(input) + "its bound value " + error.what());
  }
}

}  // namespace

void add_inputs(ImportState& state, const Model& model, const ImportOptions& options) {
  check_options(model, options);
  for (const Obstacle& obstacle : model.obstacles) state.builder.add_obstacle(obstacle);
  state.unknown.insert(model.unread.begin(), model.unread.end());
  for (const ModelInput& input : model.inputs) {
    if (!input.unsupported.empty()) {
      state.unknown.insert(input.name);
      state.builder.add_obstacle({"input",
                                  printable(input.name),
                                  input.unsupported,
                                  where(input) + input.unsupported,
                                  {},
                                  input.instead});
      continue;
    }
    const auto bound = options.bound.find(input.name);
    const auto shape = options.shapes.find(input.name);
    std::optional<std::vector<int64_t>> dims;
    if (bound != options.bound.end()) {
      dims = given_dims(input, bound->second.dims, "its bound value");
    } else if (shape != options.shapes.end()) {
      dims = given_dims(input, shape->second, "--shape");
    } else {
      dims = declared_dims(state, input, options);
    }
    if (!dims) {
      state.unknown.insert(input.name);
      continue;
    }
    const bool is_bound = bound != options.bound.end();
    const ValueId id = add_named(state, input.name, input.dtype, *dims, where(input), !is_bound);
    if (input.four_bits) {
      state.four_bits.insert(id);
      state.builder.note(where(input) + type_name({input.dtype, true}) + " is taken as " +
                         dtype_name(input.dtype) + ", an element a byte");
    }
    if (is_bound) {
      add_bound(state, id, input, bound->second);
    } else {
      state.builder.set_symbols(id, symbols_of(input));
    }
  }
  add_initialisers(state, model);
}

void add_initialisers(ImportState& state, const Model& model) {
  for (const NamedTensor& tensor : model.initialisers) {
    const std::vector<int64_t> dims(tensor.data.dims.begin(), tensor.data.dims.end());
    const ValueId id = add_named(state, tensor.name, tensor.data.dtype, dims,
                                 "initialiser '" + printable(tensor.name) + "': ", false);
    state.builder.set_constant(id, tensor.data.bytes);
    if (tensor.data.four_bits) state.four_bits.insert(id);
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
