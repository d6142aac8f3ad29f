// Decides the dims of inputs: from options first, then the model, then as a batch of 1.
#include "planner/import/model/input_dims.h"

#include <algorithm>
#include <cctype>

#include "planner/graph/names.h"
#include "planner/import/model/dim_expression.h"

namespace arenite::planner {
namespace {

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

std::string in_small_letters(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool has_batch_name(const std::string& symbol) {
  const std::string name = in_small_letters(symbol);
  return name == "n" || name == "b" || name == "bs" || name.find("batch") != std::string::npos;
}

bool has_length_name(const std::string& symbol) {
  const std::string name = in_small_letters(symbol);
  if (name == "t" || name == "l") return true;
  const auto holds = [&](const char* part) { return name.find(part) != std::string::npos; };
  return holds("seq") || holds("time") || holds("len") || holds("step") || holds("frame") ||
         holds("token");
}

// LSTM, GRU and RNN go through the first dimension of what they read, but for layout 1.
bool goes_through_first(const ModelNode& node) {
  if (node.op_type != "LSTM" && node.op_type != "GRU" && node.op_type != "RNN") return false;
  return std::none_of(node.attributes.begin(), node.attributes.end(),
                      [](const ModelAttribute& one) { return one.name == "layout" && one.i == 1; });
}

// "2", "2 and 3", "1, 2 and 3".
std::string listed_numbers(const std::vector<size_t>& numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i != 0) text += i + 1 == numbers.size() ? " and " : ", ";
    text += std::to_string(numbers[i]);
  }
  return text;
}

}  // namespace

std::string where(const ModelInput& input) { return "input '" + printable(input.name) + "': "; }

std::optional<int64_t> size_of(const ModelDim& dim) {
  return dim.value && *dim.value >= 0 ? dim.value : std::nullopt;
}

DeclaredInput declared(const ModelInput& input) {
  DeclaredInput declared;
  declared.dtype = input.dtype;
  if (!input.has_shape) return declared;
  declared.dims.emplace();
  for (const ModelDim& dim : input.dims) declared.dims->push_back({size_of(dim), dim.symbol});
  return declared;
}

InputDims::InputDims(const Model& model, const ImportOptions& options, GraphBuilder& builder)
    : options_(options), builder_(builder) {
  for (const ModelNode& node : model.nodes) {
    if (goes_through_first(node) && !node.inputs.empty()) recurrent_.insert(node.inputs[0]);
  }
  const ModelDim* first = nullptr;
  for (const ModelInput& input : model.inputs) {
    if (options.bound.contains(input.name)) continue;
    for (const ModelDim& dim : input.dims) {
      some_batch_ = some_batch_ || has_batch_name(dim.symbol);
      if (!dim.symbol.empty()) ++occurrences_[dim.symbol];
    }
    if (input.dims.empty()) continue;
    const ModelDim& leading = input.dims[0];
    if (first == nullptr) first = &leading;
    same_first_ = same_first_ && !size_of(leading) && leading.symbol == first->symbol;
  }
}

bool InputDims::counts_a_batch(const ModelInput& input) const {
  const ModelDim& leading = input.dims[0];
  if (has_batch_name(leading.symbol) || leading.stored == 1) return true;
  const bool time = has_length_name(leading.symbol) || recurrent_.contains(input.name);
  return same_first_ && !some_batch_ && !time;
}

// The number of an open dim that follows from others; nothing where it does not.
std::optional<uint32_t> InputDims::following(const ModelDim& dim) const {
  if (dim.symbol.empty() || size_of(dim)) return std::nullopt;
  const auto option = options_.following_dims.find(dim.symbol);
  if (option == options_.following_dims.end()) return dim_of(dim.symbol, options_.dims);
  const std::optional<uint32_t> number = dim_of(option->second, options_.dims);
  if (number) return number;
  throw InputError("--dim " + printable(option->first) + "=" + printable(option->second) +
                   ": expected numbers, and dims to which --dim gives one, joined by + - * /");
}

std::vector<int64_t> InputDims::given(const ModelInput& input, const std::vector<uint32_t>& dims,
                                      const char* option) const {
  if (!input.has_shape) return {dims.begin(), dims.end()};
  bool fits = dims.size() == input.dims.size();
  for (size_t i = 0; fits && i < dims.size(); ++i) {
    // A declared 0 is often an exporter's "unknown".
    const std::optional<int64_t> size = size_of(input.dims[i]);
    fits = !size || *size == 0 || *size == dims[i];
  }
  const std::string found = where(input) + option + " gives " + dims_text(dims);
  if (!fits) throw InputError(found + ", expected dims that fit " + declared_text(input));
  for (size_t i = 0; i < dims.size(); ++i) {
    const auto number = options_.dims.find(input.dims[i].symbol);
    if (size_of(input.dims[i]) || number == options_.dims.end() || number->second == dims[i]) {
      continue;
    }
    throw InputError(found + " where the model has " + declared_text(input) +
                     ", which contradicts --dim " + printable(number->first) + "=" +
                     std::to_string(number->second));
  }
  return {dims.begin(), dims.end()};
}

void InputDims::want_shape(const ModelInput& input, const std::string& why,
                           const std::string& give) {
  builder_.want_shape(
      {"input", printable(input.name), why, where(input) + why + ": " + give, {}, give});
}

// Several inputs may lack one symbol: it is asked for once.
void InputDims::want(const ModelInput& input, const std::vector<size_t>& open) {
  const std::string why = (open.size() == 1 ? "dimension " : "dimensions ") + listed_numbers(open) +
                          " of " + declared_text(input) + (open.size() == 1 ? " is" : " are") +
                          " not set";
  const std::string shape = "--shape " + printable(input.name) + "=...";
  std::set<std::string> symbols;
  for (const size_t i : open) symbols.insert(input.dims[i].symbol);
  const bool shared = std::all_of(symbols.begin(), symbols.end(), [&](const std::string& symbol) {
    const auto known = occurrences_.find(symbol);
    return known != occurrences_.end() && known->second > 1;
  });
  if (!shared) return want_shape(input, why, "give it with " + shape);
  const bool asked = std::all_of(symbols.begin(), symbols.end(), [&](const std::string& symbol) {
    return asked_for_.contains(symbol);
  });
  if (asked) return;
  std::string dims;
  for (const std::string& symbol : symbols) {
    dims += (dims.empty() ? "--dim " : " --dim ") + printable(symbol) + "=...";
  }
  asked_for_.insert(symbols.begin(), symbols.end());
  want_shape(input, why,
             "give it with " + dims + ", for all dimensions that are called so, or with " + shape);
}

std::optional<std::vector<int64_t>> InputDims::of(const ModelInput& input) {
  const auto bound = options_.bound.find(input.name);
  if (bound != options_.bound.end()) return given(input, bound->second.dims, "its constant value");
  const auto shape = options_.shapes.find(input.name);
  if (shape != options_.shapes.end()) return given(input, shape->second, "--shape");
  if (!input.has_shape) {
    want_shape(input, "the model gives no shape",
               "give it with --shape " + printable(input.name) + "=...");
    return std::nullopt;
  }
  std::vector<int64_t> dims;
  std::vector<size_t> open;
  for (size_t i = 0; i < input.dims.size(); ++i) {
    const ModelDim& dim = input.dims[i];
    const auto option = options_.dims.find(dim.symbol);
    if (i == 0 && options_.batch && option == options_.dims.end() &&
        (size_of(dim) == 1 || counts_a_batch(input))) {
      dims.push_back(*options_.batch);
      has_batch_ = true;
    } else if (const std::optional<int64_t> size = size_of(dim)) {
      dims.push_back(*size);
    } else if (!dim.symbol.empty() && option != options_.dims.end()) {
      dims.push_back(option->second);
    } else if (const std::optional<uint32_t> number = following(dim)) {
      dims.push_back(*number);
    } else if (i == 0 && counts_a_batch(input)) {
      dims.push_back(1);
      std::string note = where(input) + "leading dimension ";
      if (!dim.symbol.empty()) note += printable(dim.symbol) + " ";
      builder_.note(note + "set to 1");
    } else {
      open.push_back(i);
    }
  }
  if (open.empty()) return dims;
  want(input, open);
  return std::nullopt;
}

void expect_elements(const Graph& graph, const ImportOptions& options) {
  const auto empty = std::find_if(graph.outputs.begin(), graph.outputs.end(),
                                  [&](ValueId id) { return graph.values[id].elements() == 0; });
  if (empty == graph.outputs.end()) return;
  const Value& output = graph.values[*empty];
  for (const auto& [symbol, number] : options.dims) {
    if (number != 0) continue;
    throw InputError("--dim " + printable(symbol) + "=0: output '" + printable(output.name) +
                     "' has dims " + dims_text(output.dims) + " then, expected some elements");
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
