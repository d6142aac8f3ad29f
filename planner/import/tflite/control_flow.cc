// Imports calls of other subgraphs: what is called becomes part of the graph, a loop's body once a
// trip.
#include <algorithm>
#include <utility>

#include "planner/graph/names.h"
#include "planner/import/model/fix_advice.h"
#include "planner/import/tflite/operators.h"

namespace arenite::planner::tflite {
namespace {

namespace schema = tflite_schema;

// A subgraph that is imported in the place of an operator: graph and values are the caller's, its
// tensors are its own. The caller has them back at the end, whatever happens.
class Inner {
 public:
  Inner(Importing& outer, const Subgraph& subgraph, bool shares_variables)
      : importing{.subgraph = subgraph, .all = outer.all},
        outer_(outer),
        shares_variables_(shares_variables) {
    importing.callers = outer.callers;
    importing.callers.push_back(outer.subgraph.index);
    importing.values.assign(subgraph.tensors.size(), kNoValue);
    importing.unknown.assign(subgraph.tensors.size(), false);
    exchange();
    importing.names = named_values(subgraph, importing.state.builder);
  }
  ~Inner() { exchange(); }
  Inner(const Inner&) = delete;
  Inner& operator=(const Inner&) = delete;

  void import_all() {
    for (const Operator& op : importing.subgraph.operators) {
      const Known known = find_importer(op);
      if (known.importer == nullptr) {
        throw UnsupportedError(describe(importing.subgraph, op) + ": " + known.why, known.instead);
      }
      Context context(importing, op);
      known.importer(context);
      context.finish();
      if (!context.refusal().empty()) throw UnsupportedError(context.refusal());
    }
  }

  Importing importing;

 private:
  void exchange() {
    std::swap(importing.state, outer_.state);
    std::swap(importing.of_tensors, outer_.of_tensors);
    if (shares_variables_) std::swap(importing.variables, outer_.variables);
    std::swap(importing.variables_are_io, outer_.variables_are_io);
    std::swap(importing.halves, outer_.halves);
    std::swap(importing.numbers, outer_.numbers);
    std::swap(importing.dequantized, outer_.dequantized);
  }

  Importing& outer_;
  const bool shares_variables_;
};

}  // namespace

const Subgraph& Context::subgraph_at(int64_t index) const {
  const auto count = static_cast<int64_t>(importing_.all.size());
  if (index < 0 || index >= count) {
    fail("names subgraph " + std::to_string(index) + " of " + std::to_string(count));
  }
  const Subgraph& subgraph = importing_.all[static_cast<size_t>(index)];
  const std::vector<uint32_t>& callers = importing_.callers;
  if (subgraph.index == importing_.subgraph.index ||
      std::ranges::find(callers, subgraph.index) != callers.end()) {
    fail("calls subgraph " + std::to_string(index) + ", in which it is called itself");
  }
  return subgraph;
}

std::vector<ValueId> Context::called(int64_t index, const std::vector<ValueId>& inputs) {
  const Subgraph& subgraph = subgraph_at(index);
  const std::string where = "subgraph " + std::to_string(index) + " has ";
  if (subgraph.inputs.size() != inputs.size()) {
    fail(where + std::to_string(subgraph.inputs.size()) + " inputs, expected " +
         std::to_string(inputs.size()));
  }
  if (!importing_.state.count_unrolled(1 + subgraph.operators.size())) {
    unsupported("the subgraphs that are called have more than " +
                    std::to_string(kUnrolledNodesMax) + " operators in all, one for each trip",
                "a loop of fewer trips");
  }
  Inner inner(importing_, subgraph, true);
  Importing& importing = inner.importing;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& tensor = subgraph.tensors[subgraph.inputs[i]];
    const Value& given = importing.state.builder.value(inputs[i]);
    if (given.dtype != tensor.dtype) {
      fail(where + "input " + std::to_string(i) + " of " + dtype_name(tensor.dtype) +
           ", expected " + dtype_name(given.dtype));
    }
    importing.set_value(tensor.index, inputs[i]);
  }
  inner.import_all();
  std::vector<ValueId> outputs;
  for (const uint32_t output : subgraph.outputs) {
    const Tensor& tensor = subgraph.tensors[output];
    ValueId id = importing.values[output];
    if (id == kNoValue && tensor.constant && tensor.sparsity == nullptr) {
      id = add_constant(importing, tensor);
    }
    if (id == kNoValue) fail("output " + describe(tensor) + " of " + where + "no maker");
    outputs.push_back(id);
  }
  return outputs;
}

std::vector<Variable> Context::set_by(int64_t index) {
  const Subgraph& subgraph = subgraph_at(index);
  Inner inner(importing_, subgraph, false);
  inner.import_all();
  for (Variable& set : inner.importing.variables) {
    if (set.now == kNoValue) continue;
    GraphBuilder& builder = inner.importing.state.builder;
    if (!builder.is_constant(set.now)) {
      unsupported("variable " + quote(set.name) + " begins with what subgraph " +
                      std::to_string(index) + " computes of its inputs",
                  "a constant");
    }
    set.initial = *builder.value(set.now).constant;
  }
  return std::move(inner.importing.variables);
}

std::vector<ValueId> Context::all_stored(size_t first) {
  std::vector<ValueId> values;
  for (size_t i = first; i < input_count(); ++i) values.push_back(stored(i));
  return values;
}

void Context::all_results(const std::vector<ValueId>& values) {
  if (values.size() != output_count()) {
    fail("has " + std::to_string(output_count()) + " outputs, expected " +
         std::to_string(values.size()) + ", those of the subgraph");
  }
  for (size_t i = 0; i < values.size(); ++i) result(i, values[i]);
}

std::optional<bool> Context::decided(ValueId condition) {
  const Value& found = value(condition);
  if (found.dtype != DType::kBool || found.elements() != 1) {
    fail("expected a condition of a single bool, found " + dtype_name(found.dtype) + " " +
         dims_text(found.dims));
  }
  if (!importing_.state.builder.is_constant(condition)) return std::nullopt;
  return value(condition).constant->front() != std::byte{0};
}

ValueId Context::chosen(ValueId condition, ValueId first, ValueId second) {
  if (first == second) return first;
  const Value& a = value(first);
  const Value& b = value(second);
  if (a.dtype != b.dtype || !asked(a.dims == b.dims)) {
    unsupported("the run decides whether a result is " + dtype_name(a.dtype) + " " +
                    dims_text(a.dims) + " or " + dtype_name(b.dtype) + " " + dims_text(b.dims),
                "results of one type, with the same dims" +
                    fix_advice(importing_.state.builder.graph(), condition));
  }
  return add("Where", {condition, first, second});
}

std::vector<ValueId> Context::chosen(ValueId condition, const std::vector<ValueId>& first,
                                     const std::vector<ValueId>& second) {
  if (first.size() != second.size()) {
    fail("chooses between " + std::to_string(first.size()) + " and " +
         std::to_string(second.size()) + " values, expected as many");
  }
  std::vector<ValueId> values;
  for (size_t i = 0; i < first.size(); ++i) {
    values.push_back(chosen(condition, first[i], second[i]));
  }
  return values;
}

std::vector<ValueId> Context::called_at_times(int64_t index, const std::vector<ValueId>& inputs) {
  const std::vector<Variable> before = importing_.variables;
  std::vector<ValueId> values = called(index, inputs);
  for (size_t i = 0; i < importing_.variables.size(); ++i) {
    const Variable& variable = importing_.variables[i];
    if (variable.now == (i < before.size() ? before[i].now : kNoValue)) continue;
    unsupported("the run decides whether subgraph " + std::to_string(index) + " sets variable " +
                    quote(variable.name),
                "a variable that every run sets");
  }
  return values;
}

int64_t Context::max_trips(ValueId condition) {
  const std::string loop = source_name(op_);
  importing_.state.loops.insert(loop);
  const auto found = importing_.state.max_trips.find(loop);
  if (found != importing_.state.max_trips.end()) return found->second;
  unsupported(
      "its condition is computed at run time: at most how many trips it makes must be "
      "known while converting",
      "--max-trips " + loop + "=N, with the greatest number of trips" +
          fix_advice(importing_.state.builder.graph(), condition));
}

std::vector<ValueId> Context::ended(std::vector<ValueId> values, ValueId running, int64_t trips) {
  const auto smallest =
      std::ranges::min_element(values, {}, [&](ValueId id) { return value(id).dense_bytes(); });
  if (smallest == values.end()) return values;
  const ValueId index = converted(running, DType::kInt64);
  rename(index,
         importing_.state.builder.unique_name(source_name(op_) + " goes on after the " +
                                              std::to_string(trips) + " trips of --max-trips"));
  const ValueId of_one = add("Unsqueeze", {*smallest, list(Dims{0})});
  *smallest = add("Gather", {of_one, index}, Attributes().with("axis", int64_t{0}));
  return values;
}

void call(Context& context) {
  const auto& options = context.options<schema::CallOptions>();
  context.all_results(context.called(options.subgraph(), context.all_stored(0)));
}

// The branch that a known condition takes; else both, and what chooses between their results.
void branch(Context& context) {
  context.expect_operands(1, SIZE_MAX, context.output_count());
  const auto& options = context.options<schema::IfOptions>();
  const ValueId condition = context.stored(0);
  const std::vector<ValueId> inputs = context.all_stored(1);
  if (const std::optional<bool> then = context.decided(condition)) {
    return context.all_results(context.called(
        *then ? options.then_subgraph_index() : options.else_subgraph_index(), inputs));
  }
  const auto first = context.called_at_times(options.then_subgraph_index(), inputs);
  const auto second = context.called_at_times(options.else_subgraph_index(), inputs);
  context.all_results(context.chosen(context.single_bool(condition), first, second));
}

// The body as often as the condition says. Where runs decide, as often as the user allows: each
// trip that a run does not make hands on what it was given.
void while_loop(Context& context) {
  const auto& options = context.options<schema::WhileOptions>();
  std::vector<ValueId> values = context.all_stored(0);
  ValueId running = kNoValue;  // the bool that says whether the trip is made; none: it is
  for (int64_t trip = 0;; ++trip) {
    const std::vector<ValueId> condition = context.called(options.cond_subgraph_index(), values);
    if (condition.size() != 1) {
      context.fail("its condition has " + std::to_string(condition.size()) +
                   " outputs, expected 1");
    }
    const std::optional<bool> decided = context.decided(condition[0]);
    if (decided == false) break;
    if (!decided) {
      const ValueId goes_on = context.single_bool(condition[0]);
      running = running == kNoValue ? goes_on : context.chosen(running, goes_on, running);
    }
    if (running == kNoValue) {
      values = context.called(options.body_subgraph_index(), values);
      continue;
    }
    if (trip >= context.max_trips(condition[0])) {
      values = context.ended(std::move(values), running, trip);
      break;
    }
    values = context.chosen(running, context.called_at_times(options.body_subgraph_index(), values),
                            values);
  }
  context.all_results(values);
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
