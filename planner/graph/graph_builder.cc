// Adds values and nodes; a node of constants alone is computed, others wait until they are asked
// for.
#include "planner/graph/graph_builder.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "planner/graph/eval.h"
#include "planner/graph/half_floats.h"
#include "planner/graph/names.h"
#include "planner/graph/tensor_bytes.h"

namespace arenite::planner {
std::string GraphBuilder::unique_name(const std::string& wanted) {
  std::string name = wanted;
  while (!taken_.insert(name).second) name = wanted + "." + std::to_string(++repeats_[wanted] + 1);
  return name;
}

ValueId GraphBuilder::add_value(const std::string& name, DType dtype, const Dims& dims) {
  if (std::any_of(dims.begin(), dims.end(), is_mixed)) {
    throw UnsupportedError("would have dims " + dims_text(dims) +
                               ", of which one is no multiple of a count that the data of a run "
                               "decides",
                           kCutBefore);
  }
  checked_bytes(dtype, dims);
  Value value;
  value.name = name;
  value.dtype = dtype;
  value.dims = dims;
  graph_.values.push_back(std::move(value));
  return static_cast<ValueId>(graph_.values.size() - 1);
}

ValueId GraphBuilder::add_input(const std::string& name, DType dtype, const Dims& dims) {
  const ValueId id = add_value(name, dtype, dims);
  budget_.add_input_bytes(value(id).dense_bytes());
  graph_.inputs.push_back(id);
  return id;
}

void GraphBuilder::set_constant(ValueId id, std::vector<std::byte> bytes) {
  Value& target = graph_.values[id];
  if (bytes.size() != target.dense_bytes()) {
    throw InputError("holds " + std::to_string(bytes.size()) + " bytes, expected " +
                     std::to_string(target.dense_bytes()));
  }
  target.constant = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
}

void GraphBuilder::set_quantization(ValueId id, Quantization quantization) {
  graph_.values[id].quantization = std::move(quantization);
}

void GraphBuilder::set_stored_bias(ValueId id, StoredBias bias) {
  graph_.values[id].stored_bias = std::make_shared<const StoredBias>(std::move(bias));
}

void GraphBuilder::set_symbols(ValueId id, std::vector<std::string> symbols) {
  graph_.values[id].symbols = std::move(symbols);
}

Dim GraphBuilder::add_count(ValueId value, int64_t most) {
  counts_.push_back(value);
  const Dim count = Dim::counted(static_cast<uint32_t>(counts_.size() - 1), most);
  sizes_.emplace(value, Dims{count});
  return count;
}

std::optional<Dims> GraphBuilder::sizes(ValueId id) const {
  const auto found = sizes_.find(id);
  return found != sizes_.end() ? found->second : stored_sizes(value(id));
}

bool GraphBuilder::are_places(ValueId id) const {
  return !has_count(value(id).dims) || rows_.are_places(id);
}

void GraphBuilder::count_work(const Node& node) {
  for (const ValueId output : node.outputs) {
    // A reshaped constant shares its bytes.
    if (output != kNoValue && !keeps_bytes(graph_, node)) count_constant(output);
  }
  budget_.count_work(evaluation_work(graph_, node));
}

void GraphBuilder::evaluate_now(const Node& node) {
  count_work(node);
  evaluate(graph_, node);
}

bool GraphBuilder::waits(const Node& node) const {
  if (node.op == Op::kDequantize) return true;
  return std::any_of(node.inputs.begin(), node.inputs.end(),
                     [&](ValueId id) { return waiting_.contains(id); });
}

// Computes what a value waits for, the first of it first: chains may be long.
void GraphBuilder::settle(ValueId id) {
  std::vector<ValueId> open = {id};
  while (!open.empty()) {
    const auto found = waiting_.find(open.back());
    if (found == waiting_.end()) {
      open.pop_back();
      continue;
    }
    const Node node = graph_.nodes[found->second];
    const size_t before = open.size();
    std::copy_if(node.inputs.begin(), node.inputs.end(), std::back_inserter(open),
                 [&](ValueId input) { return waiting_.contains(input); });
    if (open.size() != before) continue;
    evaluate_now(node);
    for (const ValueId output : node.outputs) waiting_.erase(output);
    open.pop_back();
  }
}

bool GraphBuilder::is_constant(ValueId id) {
  settle(id);
  return value(id).constant != nullptr;
}

ValueId GraphBuilder::as_float32(ValueId id, const Node& reader) {
  if (value(id).dtype == DType::kFloat32) return id;  // a scale beside narrow data
  const auto known = as_float32_.find(id);
  if (known != as_float32_.end()) return known->second;
  const Value narrow = value(id);
  const ValueId wide =
      add_value(unique_name(narrow.name + ".float32"), DType::kFloat32, narrow.dims);
  add_node(cast_node(id, wide, reader));
  as_float32_.emplace(id, wide);
  if (rows_.filled.contains(id)) set_filled(wide);
  return wide;
}

std::string GraphBuilder::add_in_float32(Node node) {
  const auto widened = [&](ValueId id) { return as_float32(id, node); };
  const auto made = [&](ValueId narrow) {
    const Dims dims = value(narrow).dims;
    return add_value(unique_name(value(narrow).name + ".float32"), DType::kFloat32, dims);
  };
  std::vector<Node> casts = compute_in_float32(graph_, node, widened, made);
  std::string why = add_node(std::move(node));
  for (Node& cast : casts) add_node(std::move(cast));
  return why;
}

std::string GraphBuilder::add_node(Node node) {
  if (half_type(graph_, node) != DType::kNone && !takes_halves(graph_, node)) {
    return add_in_float32(std::move(node));
  }
  bool all_empty = true;
  for (const ValueId output : node.outputs) {
    if (output != kNoValue) all_empty = all_empty && value(output).elements() == 0;
  }
  if (all_empty) {
    // Nothing to compute: kernels never see a dimension of 0.
    for (const ValueId output : node.outputs) {
      if (output != kNoValue) set_constant(output, {});
    }
    return "";
  }
  bool all_constant = true, all_known = true;
  for (const ValueId input : node.inputs) {
    if (input == kNoValue) continue;
    const Value& operand = value(input);
    all_constant = all_constant && operand.constant != nullptr;
    all_known = all_known && (operand.constant != nullptr || waiting_.contains(input));
    if (operand.elements() == 0) {
      throw InputError("input '" + printable(operand.name) + "' has dims " +
                       dims_text(operand.dims) + ": no elements to compute from");
    }
  }
  if (const std::string why = why_rows_mix(graph_, node, rows_); !why.empty()) {
    throw UnsupportedError(why, kCutBefore);
  }
  if (all_constant && !waits(node)) {
    evaluate_now(node);
    return "";
  }
  if (!sizes_.empty()) {
    const auto made = sizes_made(graph_, node, [&](ValueId id) { return sizes(id); });
    if (made) sizes_.emplace(node.outputs[0], *made);
  }
  try {
    check_node(graph_, node);
    if (all_known) {
      // The work that the node will take counts now. Dequantized weights do not: the file stores as
      // many.
      if (node.op != Op::kDequantize) count_work(node);
      for (const ValueId output : node.outputs) {
        if (output != kNoValue) waiting_[output] = static_cast<uint32_t>(graph_.nodes.size());
      }
    }
    note_places(node, rows_);
    graph_.nodes.push_back(std::move(node));
  } catch (const UnsupportedError& error) {
    return error.what();
  }
  return "";
}

// The graph is whole when nothing stands in the way: shapes can be given, and are asked for alone
// when that is all.
void GraphBuilder::check_whole() const {
  std::vector<Obstacle> all = obstacles_;
  all.insert(all.end(), shapes_wanted_.begin(), shapes_wanted_.end());
  if (!obstacles_.empty()) throw ObstaclesError(std::move(all));
  std::string text;
  for (const Obstacle& wanted : all) text += (text.empty() ? "" : "\n") + wanted.text;
  if (!text.empty()) throw InputError(text);
}

ValueId GraphBuilder::written(const DeclaredOutput& output, const std::set<ValueId>& used) {
  const std::string where = "output '" + printable(output.name) + "': ";
  const ValueId id = output.value;
  if (id == kNoValue) throw InputError(where + "no node makes it");
  if (output.dtype != DType::kNone && value(id).dtype != output.dtype) {
    throw InputError(where + "is declared " + dtype_name(output.dtype) + ", the graph gives " +
                     dtype_name(value(id).dtype));
  }
  const bool constant = value(id).constant != nullptr;
  const bool is_input =
      std::find(graph_.inputs.begin(), graph_.inputs.end(), id) != graph_.inputs.end();
  if (!constant && !is_input && !used.contains(id)) return id;
  std::string name = output.name;
  if (constant && !used.contains(id)) {
    // The output keeps the model's name.
    graph_.values[id].name = unique_name(name + ".constant");
  } else {
    name = unique_name(name + ".copy");
  }
  Value copied = value(id);
  copied.name = name;
  copied.constant = nullptr;
  graph_.values.push_back(std::move(copied));
  const auto copy = static_cast<ValueId>(graph_.values.size() - 1);
  Node node;
  node.op = Op::kCopy;
  node.inputs = {id};
  node.outputs = {copy};
  graph_.nodes.push_back(std::move(node));
  return copy;
}

// Declared shapes of outputs are often stale: the user learns of it, the graph's own rules count.
void GraphBuilder::note_other_shape(const DeclaredOutput& output, ValueId id) {
  if (!output.dims.has_value()) return;
  const Dims& dims = value(id).dims;
  bool fits = dims.size() == output.dims->size();
  for (size_t i = 0; fits && i < dims.size(); ++i) {
    fits = (*output.dims)[i] <= 0 || !never(dims[i] == (*output.dims)[i]);
  }
  if (!fits) {
    note("output '" + printable(output.name) + "': has dims " + dims_text(dims) +
         ", the model declares others");
  }
}

void GraphBuilder::put_out(const DeclaredOutput& output, std::set<ValueId>& used) {
  const ValueId id = written(output, used);
  used.insert(id);
  note_other_shape(output, id);
  graph_.outputs.push_back(id);
}

ValueId GraphBuilder::count_value(const Multiple& multiple) {
  const ValueId count = counts_[multiple.count];
  if (multiple.times == 1) return count;
  const auto known = std::ranges::find(multiples_, multiple, &CountedElements::multiple);
  if (known != multiples_.end()) return known->value;
  const std::string name = value(count).name;
  const ValueId times = add_value(unique_name(name + ".times"), DType::kInt64, {1});
  std::vector<std::byte> bytes(sizeof(multiple.times));
  std::memcpy(bytes.data(), &multiple.times, sizeof(multiple.times));
  set_constant(times, std::move(bytes));
  const ValueId product = add_value(unique_name(name + ".elements"), DType::kInt64, {1});
  add_node(multiply_count(count, times, product));
  multiples_.push_back({multiple, product});
  return product;
}

void GraphBuilder::put_out_counts(std::set<ValueId>& used) {
  std::vector<std::pair<Multiple, uint32_t>> known;  // and which output it is
  const auto own = static_cast<uint32_t>(graph_.outputs.size());
  for (uint32_t output = 0; output < own; ++output) {
    const Dims dims = value(graph_.outputs[output]).dims;
    for (uint32_t axis = 0; axis < dims.size(); ++axis) {
      const std::optional<Multiple> multiple = multiple_of(dims[axis]);
      if (!multiple) continue;
      auto at = std::ranges::find(known, *multiple, &std::pair<Multiple, uint32_t>::first);
      if (at == known.end()) {
        const ValueId count = count_value(*multiple);
        known.emplace_back(*multiple, static_cast<uint32_t>(graph_.outputs.size()));
        at = known.end() - 1;
        put_out({value(count).name, DType::kInt64, std::nullopt, count}, used);
      }
      graph_.output_counts.push_back({output, axis, at->second});
      note("output '" + printable(value(graph_.outputs[output]).name) + "': of dim " +
           std::to_string(axis) + " up to " + dim_text(bound(dims[axis])) +
           " hold results; output '" + printable(value(graph_.outputs[at->second]).name) +
           "' says how many");
    }
  }
  for (Value& each : graph_.values) each.dims = Dims(bounds(each.dims));
}

Graph GraphBuilder::finish(const std::vector<DeclaredOutput>& outputs) {
  check_whole();
  // Nodes that waited and then were computed are constants by now.
  std::erase_if(graph_.nodes, [&](const Node& node) {
    return std::any_of(node.outputs.begin(), node.outputs.end(),
                       [&](ValueId id) { return id != kNoValue && value(id).constant != nullptr; });
  });
  std::set<ValueId> used;
  for (const DeclaredOutput& output : outputs) put_out(output, used);
  put_out_counts(used);
  return std::move(graph_);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
