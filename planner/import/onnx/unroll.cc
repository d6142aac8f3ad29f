// Copies a body for each trip, with names of its own, between what the trip before gave and what
// the next one takes.
#include "planner/import/onnx/unroll.h"

#include <algorithm>
#include <optional>
#include <span>

#include "planner/graph/names.h"
#include "planner/import/model/fix_advice.h"
#include "planner/import/model/inputs.h"
#include "planner/import/onnx/branch.h"

namespace arenite::planner {
namespace {

using NameList = std::vector<std::string>;

constexpr const char* kFewerTrips = "a loop whose number of trips is a constant, and small";
constexpr int64_t kOnnxInt64 = 7;  // in TensorProto's numbering of types

class Unroller {
 public:
  Unroller(ImportState& state, OpContext& context, const ImportNodes& import)
      : state_(state),
        context_(context),
        node_(context.node()),
        import_(import),
        chooser_(state, context, import) {
    const ModelAttribute* attribute = context.find_attribute("body");
    if (attribute == nullptr || attribute->graph == nullptr) context.fail("a body is missing");
    body_ = *attribute->graph;
    for (const Obstacle& obstacle : body_.obstacles) state.builder.add_obstacle(obstacle);
  }

  size_t inputs() const { return body_.inputs.size(); }
  size_t outputs() const { return body_.outputs.size(); }

  // Refuses a body of other numbers of inputs and outputs than the node asks for.
  void expect_body(size_t inputs, size_t least_outputs) const {
    if (body_.inputs.size() == inputs && body_.outputs.size() >= least_outputs) return;
    context_.fail("its body has " + std::to_string(body_.inputs.size()) + " inputs and " +
                  std::to_string(body_.outputs.size()) + " outputs, expected " +
                  std::to_string(inputs) + " and at least " + std::to_string(least_outputs));
  }

  // Imports the body for these values; the names of its results. False where one is unknown.
  bool trip(const NameList& arguments, NameList& results) {
    if (!stored_) store();
    if (!state_.count_unrolled(1 + body_.nodes.size())) {
      context_.unsupported(
          "its trips have more than " + std::to_string(kUnrolledNodesMax) + " nodes in all",
          kFewerTrips);
    }
    Names names = stored_names_;
    for (size_t i = 0; i < arguments.size(); ++i) {
      names.insert_or_assign(body_.inputs[i].name, arguments[i]);
    }
    const Model copy = with_own_names(body_, std::move(names), state_.builder);
    import_(copy.nodes);
    results.clear();
    for (const ModelInput& output : copy.outputs) results.push_back(output.name);
    return std::ranges::all_of(results, [&](const std::string& name) {
      if (!state_.unknown.contains(name) && !state_.by_name.contains(name)) {
        context_.fail("output " + quote(name) + " of its body is made by nothing");
      }
      return !state_.unknown.contains(name);
    });
  }

  std::string add_constant(const char* what, DType dtype, const Dims& dims,
                           std::vector<std::byte> bytes) {
    const std::string name = own_name(what);
    const ValueId id = state_.builder.add_value(name, dtype, dims);
    state_.builder.set_constant(id, std::move(bytes));
    state_.by_name.emplace(name, id);
    return name;
  }
  std::string add_int64(const char* what, int64_t number, const Dims& dims = {}) {
    const auto bytes = std::as_bytes(std::span(&number, 1));
    return add_constant(what, DType::kInt64, dims, {bytes.begin(), bytes.end()});
  }

  // The bool that a condition is in every run; nothing where runs decide.
  std::optional<bool> decided(const std::string& name) const {
    const ValueId id = state_.by_name.at(name);
    expect_condition(context_, id);
    if (!state_.builder.is_constant(id)) return std::nullopt;
    return state_.builder.value(id).constant->front() != std::byte{0};
  }

  // The name of a bool: `condition` where `running` holds, false where not. "" is true.
  std::string both(const std::string& running, const std::string& condition) {
    const std::string single = chooser_.single_bool(condition);
    return running.empty() ? single : chosen(running, single, running);
  }
  std::string chosen(const std::string& condition, const std::string& first,
                     const std::string& second) {
    std::string name = own_name(".chosen");
    chooser_.choose(condition, first, second, name);
    return name;
  }
  // The name of a bool: whether the trip is among the first so many.
  std::string is_below(int64_t trip, const std::string& count) {
    const std::string single = import_one("Squeeze", {count}, ".count");
    return import_one("Less", {add_int64(".trip", trip), single}, ".below");
  }

  // The value where `running` holds, else zeros: what makes it need not run then.
  std::string made_where(const std::string& running, const std::string& value) {
    if (running.empty()) return value;
    const Value& made = state_.builder.value(state_.by_name.at(value));
    const Dims dims = made.dims;
    const DType dtype = made.dtype;
    context_.expect_room({made.dense_bytes()});
    std::vector<std::byte> zeros(made.dense_bytes());
    return chosen(running, value, add_constant(".zeros", dtype, dims, std::move(zeros)));
  }
  // The name of an int64: how many trips a run makes, `running` being of each that is imported.
  std::string trips_made(const NameList& running) {
    const auto always_made = std::ranges::count(running, "");
    std::string made = add_int64(".always_made", always_made);
    for (const std::string& name : running) {
      if (name.empty()) continue;
      made = import_one("Add", {made, as_int64(name, own_name(".made"))}, ".trips");
    }
    return made;
  }

  // Makes output `i` of so many of the elements, one for each trip that a run makes.
  void stack_made(size_t i, const NameList& parts, const Dim& made) {
    const ValueId all = state_.by_name.at(stacked(parts, 0));
    Dims dims = context_.dims(all);
    dims[0] = made;
    const ValueId y = context_.add_output(i, context_.dtype(all), dims);
    context_.add_node(Op::kCopy, {all}, {y});
  }
  // The number of trips that a run makes, of at most so many.
  Dim counted(const std::string& trips, int64_t most) {
    const std::string count = import_one("Reshape", {trips, add_int64(".one", 1, {1})}, ".count");
    return state_.builder.add_count(state_.by_name.at(count), most);
  }

  // Makes the runs fail in which `running` holds after so many trips: the smallest of the values
  // can then not be had.
  void expect_end(NameList& carried, const std::string& running, int64_t trips) {
    const auto bytes = [&](const std::string& name) {
      return state_.builder.value(state_.by_name.at(name)).dense_bytes();
    };
    const auto smallest = std::ranges::min_element(carried, {}, bytes);
    if (smallest != carried.end()) *smallest = ended(*smallest, running, trips);
  }

  // A part of `sequence` at an index of an axis, which it does not have.
  std::string element(const std::string& sequence, int64_t axis, int64_t index) {
    ModelNode gather =
        node_for(node_, "Gather", {sequence, add_int64(".index", index)}, own_name(".element"));
    set_int(gather, "axis", axis);
    import_({gather});
    return gather.outputs[0];
  }

  // Whether anything may read output `i` of the node.
  bool has_output(size_t i) const { return i < node_.outputs.size() && !node_.outputs[i].empty(); }

  // Makes what each trip gave output `i` of the node, one behind the other along a new axis.
  void stack(size_t i, const NameList& parts, int64_t axis) {
    if (!has_output(i)) return;
    if (parts.empty()) {
      context_.unsupported("it makes no trip, and output " + std::to_string(i) +
                               " has no element to tell its dims by",
                           "the model without it");
    }
    stack(parts, axis, node_.outputs[i]);
  }
  // The same as a value of its own, of at least one part.
  std::string stacked(const NameList& parts, int64_t axis) {
    const std::string name = own_name(".stack");
    stack(parts, axis, name);
    return name;
  }

  // Output `i` of the node is the value of that name.
  void hand_on(size_t i, const std::string& name) {
    if (has_output(i)) import_({node_for(node_, "Identity", {name}, node_.outputs[i])});
  }

  void give_up() {
    state_.unknown.insert(node_.outputs.begin(), node_.outputs.end());
    state_.unknown.erase("");  // what is left out
  }

 private:
  // The value as it is; a run in which `running` still holds fails there, for an index that lies
  // outside of the one element of a list. The name of the index says why.
  std::string ended(const std::string& value, const std::string& running, int64_t trips) {
    const std::string why = " goes on after the " + std::to_string(trips) + " trips of --max-trips";
    const std::string index = as_int64(running, own_name(why.c_str()));
    const std::string list = stacked({value}, 0);
    ModelNode gather = node_for(node_, "Gather", {list, index}, own_name(".end"));
    set_int(gather, "axis", 0);
    import_({gather});
    return gather.outputs[0];
  }

  // The name of what a bool is as a number.
  std::string as_int64(const std::string& condition, std::string name) {
    ModelNode cast = node_for(node_, "Cast", {condition}, std::move(name));
    set_int(cast, "to", kOnnxInt64);
    import_({cast});
    return cast.outputs[0];
  }

  std::string import_one(const char* op_type, NameList inputs, const char* what) {
    const ModelNode made = node_for(node_, op_type, std::move(inputs), own_name(what));
    import_({made});
    return made.outputs[0];
  }

  void stack(const NameList& parts, int64_t axis, std::string output) {
    std::vector<ModelNode> nodes;
    NameList with_axis;
    for (const std::string& part : parts) {
      ModelNode wider = node_for(node_, "Unsqueeze", {part}, own_name(".part"));
      if (state_.opset < 13) {
        ModelAttribute axes;
        axes.name = "axes";
        axes.kind = ModelAttribute::Kind::kInts;
        axes.kind_name = "ints";
        axes.ints = {axis};
        wider.attributes.push_back(std::move(axes));
      } else {
        wider.inputs.push_back(add_int64(".axes", axis, {1}));
      }
      with_axis.push_back(wider.outputs[0]);
      nodes.push_back(std::move(wider));
    }
    nodes.push_back(node_for(node_, "Concat", std::move(with_axis), std::move(output)));
    set_int(nodes.back(), "axis", axis);
    import_(nodes);
  }

  std::string own_name(const char* what) {
    return state_.builder.unique_name(source_name(node_) + what);
  }

  // Stores the constants of the body once, for all trips.
  void store() {
    Model stored;
    stored.initializers = std::move(body_.initializers);
    body_.initializers.clear();
    for (NamedTensor& tensor : stored.initializers) {
      const std::string name = state_.builder.unique_name(tensor.name);
      stored_names_.emplace(tensor.name, name);
      tensor.name = name;
    }
    for (const std::string& unread : body_.unread) {
      const std::string name = state_.builder.unique_name(unread);
      stored_names_.emplace(unread, name);
      state_.unknown.insert(name);
    }
    add_initializers(state_, stored);
    stored_ = true;
  }

  ImportState& state_;
  OpContext& context_;
  const ModelNode& node_;
  const ImportNodes& import_;
  Chooser chooser_;
  Model body_;  // without what it stores, once that is stored
  bool stored_ = false;
  Names stored_names_;
};

// The greatest number of trips that a Loop is given.
struct TripCount {
  std::optional<int64_t> known;
  std::string of_run;  // the value that each run has for it; "" where it has none
};

TripCount trip_count(OpContext& context) {
  TripCount count;
  if (!context.has_input(0)) return count;
  const ValueId id = context.input(0);
  if (context.dtype(id) != DType::kInt64 || context.value(id).elements() != 1) {
    context.fail("expected M to be one int64, found " + dtype_name(context.dtype(id)) + " " +
                 dims_text(context.dims(id)));
  }
  if (context.is_constant(id)) {
    count.known = context.elements<int64_t>(id)[0];
  } else {
    count.of_run = context.node().inputs[0];
  }
  return count;
}

// The trips of a Loop that are imported, one after another.
class LoopTrips {
 public:
  LoopTrips(ImportState& state, OpContext& context, Unroller& unroller, TripCount count)
      : state_(state), context_(context), unroller_(unroller), count_(std::move(count)) {
    const auto limit = state.max_trips.find(source_name(context.node()));
    if (limit != state.max_trips.end()) limit_ = limit->second;
  }

  // Whether some run makes the next trip, where `condition` is what the last one said.
  bool next(const std::string& condition) {
    if (count_.known && trip_ + 1 >= *count_.known) return false;
    ++trip_;
    const std::optional<bool> decided = unroller_.decided(condition);
    if (decided == false) return false;
    if (!decided) running_ = unroller_.both(running_, condition);
    if (!count_.of_run.empty()) {
      running_ = unroller_.both(running_, unroller_.is_below(trip_, count_.of_run));
    }
    if (!running_.empty()) expect_limit(decided ? count_.of_run : condition);
    return true;
  }
  // Whether the user wants no more trips, though some run may make one.
  bool is_cut() const { return !running_.empty() && limit_ && trip_ >= *limit_; }

  int64_t trip() const { return trip_; }
  // The bool that says, while running, whether the trip is made; "" where each run makes it.
  const std::string& running() const { return running_; }

 private:
  // Throws UnsupportedError where runs decide how many trips there are, and nothing says how many
  // there are at most.
  void expect_limit(const std::string& decider) {
    const std::string loop = source_name(context_.node());
    state_.loops.insert(loop);
    if (limit_ || (count_.known && *count_.known <= static_cast<int64_t>(kUnrolledNodesMax))) {
      return;
    }
    context_.unsupported(
        quote(decider) + " decides at run time how many trips it makes: at most how many must be " +
            "known while planning",
        "--max-trips " + printable(loop) + "=N, with the greatest number of trips" +
            fix_advice(state_.builder.graph(), state_.by_name.at(decider)));
  }

  ImportState& state_;
  OpContext& context_;
  Unroller& unroller_;
  const TripCount count_;
  std::optional<int64_t> limit_;
  int64_t trip_ = -1;
  std::string running_;
};

}  // namespace

// Operands: the greatest number of trips, the first condition, values that each trip hands on.
void unroll_loop(ImportState& state, const ModelNode& node, const ImportRow& row,
                 const ImportNodes& import) {
  OpContext context(state, node, row);
  Unroller unroller(state, context, import);
  context.finish_attributes();
  const size_t carried_count = node.inputs.size() < 2 ? 0 : node.inputs.size() - 2;
  unroller.expect_body(2 + carried_count, 1 + carried_count);
  const size_t stacks = unroller.outputs() - 1 - carried_count;
  context.expect_operands(0, 2 + carried_count, carried_count + stacks);
  if (!context.has_input(0) && !context.has_input(1)) {
    context.fail("has neither a trip count nor a condition");
  }
  LoopTrips trips(state, context, unroller, trip_count(context));
  std::string condition =
      context.has_input(1) ? node.inputs[1]
                           : unroller.add_constant(".condition", DType::kBool, {}, {std::byte{1}});
  NameList carried;
  for (size_t i = 0; i < carried_count; ++i) {
    if (node.inputs[2 + i].empty()) context.fail("input " + std::to_string(2 + i) + " is missing");
    carried.push_back(node.inputs[2 + i]);
  }
  std::vector<NameList> parts(stacks);
  NameList running;  // of each trip
  bool cut = false;
  while (trips.next(condition)) {
    cut = trips.is_cut();
    if (cut) break;
    running.push_back(trips.running());
    NameList arguments = {unroller.add_int64(".trip", trips.trip()), condition};
    arguments.insert(arguments.end(), carried.begin(), carried.end());
    NameList results;
    if (!unroller.trip(arguments, results)) return unroller.give_up();
    condition = results[0];
    for (size_t i = 0; i < carried_count; ++i) {
      carried[i] = trips.running().empty()
                       ? results[1 + i]
                       : unroller.chosen(trips.running(), results[1 + i], carried[i]);
    }
    for (size_t i = 0; i < stacks; ++i) {
      if (!unroller.has_output(carried_count + i)) continue;
      parts[i].push_back(unroller.made_where(trips.running(), results[1 + carried_count + i]));
    }
  }
  const bool run_decides =
      std::ranges::any_of(running, [](const auto& name) { return !name.empty(); });
  NameList made;
  if (run_decides && std::ranges::any_of(parts, [](const auto& p) { return !p.empty(); })) {
    made.push_back(unroller.trips_made(running));
  }
  if (cut) {
    unroller.expect_end(carried.empty() ? made : carried, trips.running(), trips.trip());
  }
  for (size_t i = 0; i < carried_count; ++i) unroller.hand_on(i, carried[i]);
  const Dim count =
      made.empty() ? Dim(0) : unroller.counted(made[0], static_cast<int64_t>(running.size()));
  for (size_t i = 0; i < stacks; ++i) {
    if (run_decides && !parts[i].empty()) {
      unroller.stack_made(carried_count + i, parts[i], count);
    } else {
      unroller.stack(carried_count + i, parts[i], 0);
    }
  }
}

namespace {

// An attribute with a number for each of several inputs or outputs, or none.
std::vector<int64_t> numbers(OpContext& context, const char* name, size_t count) {
  auto given = context.ints_attribute(name);
  if (!given || given->empty()) return std::vector<int64_t>(count, 0);
  if (given->size() != count) {
    context.fail_attribute(name, "has " + std::to_string(given->size()) + " numbers, expected " +
                                     std::to_string(count));
  }
  return *std::move(given);
}

// Says how a Scan goes over its sequences, and where it puts what its trips give.
struct ScanPlan {
  int64_t length = 0;
  std::vector<int64_t> in_axes, in_back, out_axes, out_back;
};

// The elements along `axes[i]` of each sequence, `first` being the first one's operand: as many in
// all.
int64_t scan_length(OpContext& context, size_t first, const std::vector<int64_t>& axes) {
  std::optional<int64_t> length;
  for (size_t i = 0; i < axes.size(); ++i) {
    const Dims dims = context.dims(context.input(first + i));
    const uint32_t axis = context.axis(axes[i], dims.size(), "scan_input_axes");
    const int64_t own = baked(dims[axis], "the number of trips");
    if (length.value_or(own) != own) {
      context.fail("its sequences have " + std::to_string(*length) + " and " + std::to_string(own) +
                   " elements");
    }
    length = own;
  }
  return *length;
}

// Makes all trips; `carried` is then what the last one hands on, and parts[i] are the elements of
// stack i. False where something is unknown.
bool scan(Unroller& unroller, const ScanPlan& plan, const NameList& sequences, NameList& carried,
          std::vector<NameList>& parts) {
  for (int64_t trip = 0; trip < plan.length; ++trip) {
    NameList arguments = carried;
    for (size_t i = 0; i < sequences.size(); ++i) {
      const int64_t index = plan.in_back[i] != 0 ? plan.length - 1 - trip : trip;
      arguments.push_back(unroller.element(sequences[i], plan.in_axes[i], index));
    }
    NameList results;
    if (!unroller.trip(arguments, results)) return false;
    std::copy_n(results.begin(), carried.size(), carried.begin());
    for (size_t i = 0; i < parts.size(); ++i) parts[i].push_back(results[carried.size() + i]);
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    if (plan.out_back[i] != 0) std::ranges::reverse(parts[i]);
  }
  return true;
}

// Imports a Scan of opset 8: the lengths of a batch's sequences come first, and all others have its
// dim in front.
void scan_batch(OpContext& context, Unroller& unroller, ScanPlan plan, const NameList& states,
                const NameList& sequences) {
  plan.length = scan_length(context, 1 + states.size(), std::vector<int64_t>(sequences.size(), 1));
  const int64_t batch = baked(context.dims(context.input(1 + states.size()))[0], "the batch");
  for (size_t i = 0; i < states.size() + sequences.size(); ++i) {
    const Dims dims = context.dims(context.input(1 + i));
    if (dims.empty() || !(dims[0] == batch)) {
      context.fail("expected input " + std::to_string(1 + i) + " to begin with the batch of " +
                   std::to_string(batch) + ", found " + dims_text(dims));
    }
  }
  if (context.has_input(0)) {
    const ValueId lengths = context.input(0);
    if (!context.is_constant(lengths) ||
        !std::ranges::all_of(context.elements<int64_t>(lengths),
                             [&](int64_t length) { return length == plan.length; })) {
      context.unsupported("sequences shorter than their dim are not supported",
                          "the model exported for opset 9 or later");
    }
  }
  const size_t stacks = plan.out_back.size();
  std::vector<NameList> last(states.size()), all(stacks);
  const auto of_batch = [&](const NameList& names, int64_t b) {
    NameList elements;
    for (const std::string& name : names) elements.push_back(unroller.element(name, 0, b));
    return elements;
  };
  for (int64_t b = 0; b < batch; ++b) {
    NameList carried = of_batch(states, b);
    std::vector<NameList> parts(stacks);
    if (!scan(unroller, plan, of_batch(sequences, b), carried, parts)) return unroller.give_up();
    for (size_t i = 0; i < states.size(); ++i) last[i].push_back(carried[i]);
    for (size_t i = 0; i < stacks; ++i) {
      if (!parts[i].empty()) all[i].push_back(unroller.stacked(parts[i], 0));
    }
  }
  for (size_t i = 0; i < states.size(); ++i) unroller.stack(i, last[i], 0);
  for (size_t i = 0; i < stacks; ++i) unroller.stack(states.size() + i, all[i], 0);
}

}  // namespace

// Operands: of opset 8 the lengths of sequences, then states that each trip hands on, then
// sequences of which each trip takes an element.
void unroll_scan(ImportState& state, const ModelNode& node, const ImportRow& row,
                 const ImportNodes& import) {
  OpContext context(state, node, row);
  const bool in_batches = context.opset() < 9;
  const size_t first = in_batches ? 1 : 0;
  Unroller unroller(state, context, import);
  const int64_t sequences_given = context.int_attribute("num_scan_inputs", 0);
  const size_t operands = node.inputs.size() < first ? 0 : node.inputs.size() - first;
  if (sequences_given < 1 || static_cast<uint64_t>(sequences_given) > operands) {
    context.fail_attribute("num_scan_inputs", "is " + std::to_string(sequences_given) + " of " +
                                                  std::to_string(operands) + " inputs");
  }
  const auto sequences = static_cast<size_t>(sequences_given);
  const size_t carried_count = operands - sequences;
  unroller.expect_body(operands, carried_count);
  const size_t stacks = unroller.outputs() - carried_count;
  // The lengths alone may be left out.
  context.expect_operands(in_batches ? 0 : operands, first + operands, carried_count + stacks);
  for (size_t i = first; i < node.inputs.size(); ++i) {
    if (node.inputs[i].empty()) context.fail("input " + std::to_string(i) + " is missing");
  }
  ScanPlan plan;
  if (in_batches) {
    plan = {.in_axes = std::vector<int64_t>(sequences, 0),
            .in_back = numbers(context, "directions", sequences),
            .out_axes = std::vector<int64_t>(stacks, 0),
            .out_back = std::vector<int64_t>(stacks, 0)};
  } else {
    plan.in_axes = numbers(context, "scan_input_axes", sequences);
    plan.in_back = numbers(context, "scan_input_directions", sequences);
    plan.out_axes = numbers(context, "scan_output_axes", stacks);
    plan.out_back = numbers(context, "scan_output_directions", stacks);
  }
  context.finish_attributes();
  const auto begin = node.inputs.begin() + static_cast<std::ptrdiff_t>(first);
  const auto middle = begin + static_cast<std::ptrdiff_t>(carried_count);
  NameList carried(begin, middle);
  const NameList scanned(middle, node.inputs.end());
  if (in_batches) return scan_batch(context, unroller, std::move(plan), carried, scanned);
  plan.length = scan_length(context, carried_count, plan.in_axes);
  std::vector<NameList> parts(stacks);
  if (!scan(unroller, plan, scanned, carried, parts)) return unroller.give_up();
  for (size_t i = 0; i < carried_count; ++i) unroller.hand_on(i, carried[i]);
  for (size_t i = 0; i < stacks; ++i) unroller.stack(carried_count + i, parts[i], plan.out_axes[i]);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
