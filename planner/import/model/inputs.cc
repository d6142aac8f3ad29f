// Makes the model's inputs and stored tensors values of the graph: inputs, or constants by --fix.
#include "planner/import/model/inputs.h"

#include <algorithm>
#include <optional>
#include <set>

#include "planner/graph/names.h"
#include "planner/import/model/dim_expression.h"
#include "planner/import/model/input_dims.h"
#include "support/suggest.h"
#include "support/word_errors.h"

namespace arenite::planner {
namespace {

// The nearest of `names`, if any is near.
std::vector<std::string> like(const std::string& name, const std::set<std::string>& names) {
  const std::vector<std::string> all(names.begin(), names.end());
  const std::string* near = nearest(name, all);
  return near == nullptr ? std::vector<std::string>() : std::vector{*near};
}

void check_options(const Model& model, const ImportOptions& options) {
  std::set<std::string> names;
  std::set<std::string> symbols;
  for (const ModelInput& input : model.inputs) {
    names.insert(input.name);
    for (const ModelDim& dim : input.dims) {
      symbols.insert(dim.symbol);
      symbols.merge(names_in_dim(dim.symbol));
    }
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
      throw WordError(
          "--shape names input '" + printable(entry.first) + "', the model has " + list(names),
          entry.first, like(entry.first, names));
    }
  }
  for (const auto& entry : options.bound) {
    if (!names.contains(entry.first)) {
      throw WordError(
          "--fix names input '" + printable(entry.first) + "', the model has " + list(names),
          entry.first, like(entry.first, names));
    }
  }
  for (const auto& entry : options.following_dims) symbols.merge(names_in_dim(entry.second));
  const auto expect_symbol = [&](const std::string& name) {
    if (!name.empty() && symbols.contains(name)) return;
    throw WordError(
        "--dim names dimension '" + printable(name) + "', the model's inputs have " + list(symbols),
        name, like(name, symbols));
  };
  for (const auto& entry : options.dims) expect_symbol(entry.first);
  for (const auto& entry : options.following_dims) expect_symbol(entry.first);
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
    symbols.push_back(size_of(dim).has_value() ? "" : dim.symbol);
    any = any || !symbols.back().empty();
  }
  return any ? symbols : std::vector<std::string>();
}

void add_bound(ImportState& state, ValueId id, const ModelInput& input,
               const ImportOptions::Bound& bound) {
  try {
    state.builder.set_constant(id, bound.bytes);
  } catch (const InputError& error) {
    throw InputError(where(input) + "its constant value " + error.what());
  }
  state.builder.note(where(input) + "taken as a constant of " + type_name({input.dtype, false}) +
                     " " + dims_text(bound.dims));
}

}  // namespace

void add_inputs(ImportState& state, const Model& model, const ImportOptions& options) {
  check_options(model, options);
  state.batch = options.batch;
  for (const Obstacle& obstacle : model.obstacles) state.builder.add_obstacle(obstacle);
  state.unknown.insert(model.unread.begin(), model.unread.end());
  InputDims input_dims(model, options, state.builder);
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
    const std::optional<std::vector<int64_t>> dims = input_dims.of(input);
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
  if (options.batch && !input_dims.has_batch()) {
    throw InputError(
        "--batch " + std::to_string(*options.batch) +
        ": no input has a leading dimension of 1, or one that is open and counts a batch");
  }
  add_initializers(state, model);
}

void add_initializers(ImportState& state, const Model& model) {
  for (const NamedTensor& tensor : model.initializers) {
    const std::vector<int64_t> dims(tensor.data.dims.begin(), tensor.data.dims.end());
    const ValueId id = add_named(state, tensor.name, tensor.data.dtype, dims,
                                 "initializer '" + printable(tensor.name) + "': ", false);
    state.builder.set_constant(id, tensor.data.bytes);
    if (tensor.data.four_bits) state.four_bits.insert(id);
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
