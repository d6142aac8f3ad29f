// Keeps track of what a model keeps between runs, and imports the operators that handle it.
#include <algorithm>

#include "planner/graph/names.h"
#include "planner/import/tflite/operators.h"
#include "planner/import/tflite/shared_variables.h"

namespace arenite::planner::tflite {

namespace schema = tflite_schema;

ValueId Context::variable(size_t i, DType dtype) {
  const Tensor& tensor = this->tensor(i);
  const std::string where = "input " + std::to_string(i) + ", " + describe(tensor) + ", ";
  if (!tensor.variable) fail(where + "is no variable");
  if (!tensor.quantization_fault.empty()) fail(where + tensor.quantization_fault);
  if (!tensor.unsupported.empty()) unsupported(where + tensor.unsupported);
  if (tensor.dtype != dtype) {
    unsupported(where + "is " + dtype_name(tensor.dtype) + ", expected " + dtype_name(dtype));
  }
  const ValueId known = importing_.values[tensor.index];
  if (known != kNoValue) return known;
  if (!importing_.callers.empty()) {
    unsupported(where + "is a variable of a subgraph that is called",
                "a variable with a handle (VAR_HANDLE)");
  }
  Variable kept{.name = importing_.names[tensor.index]};
  kept.before = kept.now = add_variable_input(kept.name, tensor);
  importing_.set_value(tensor.index, kept.before);
  importing_.variable_of.emplace(tensor.index, importing_.variables.size());
  importing_.variables.push_back(kept);
  return kept.before;
}

void Context::set_variable(size_t i, ValueId next) {
  const Tensor& tensor = this->tensor(i);
  Variable& kept = importing_.variables[importing_.variable_of.at(tensor.index)];
  // A value that was there before keeps its name.
  if (next < values_before_) next = add("Identity", {next});
  rename(next, importing_.state.builder.unique_name(kept.name + ".next"));
  if (tensor.quantization) importing_.state.builder.set_quantization(next, *tensor.quantization);
  importing_.set_value(tensor.index, next);
  kept.now = next;
}

ValueId Context::add_variable_input(const std::string& name, const Tensor& like) {
  GraphBuilder& builder = importing_.state.builder;
  const ValueId id = builder.add_input(name, like.dtype, like.dims);
  if (like.quantization) builder.set_quantization(id, *like.quantization);
  importing_.state.by_name.emplace(name, id);
  if (importing_.variables_are_io) {
    note("variable " + quote(name) +
         " is an input and an output: whoever runs the program keeps it");
  }
  return id;
}

Variable& Context::variable_named(const std::string& name) {
  const auto known = std::ranges::find(importing_.variables, name, &Variable::name);
  if (known != importing_.variables.end()) return *known;
  return importing_.variables.emplace_back(Variable{.name = name});
}

void Context::make_handle(size_t i) {
  const Variable& kept = variable_named(variable_name(op_));
  importing_.variable_of[output_tensor(i).index] =
      static_cast<size_t>(&kept - importing_.variables.data());
  made_[i] = true;
}

Variable& Context::variable_of(size_t i) {
  const Tensor& handle = tensor(i);
  const auto found = importing_.variable_of.find(handle.index);
  if (found == importing_.variable_of.end() || handle.variable) {
    fail("input " + std::to_string(i) + ", " + describe(handle) +
         ", is no handle of an earlier VAR_HANDLE");
  }
  return importing_.variables[found->second];
}

void Context::check_initial(const Variable& kept) const {
  if (kept.before == kNoValue || !kept.initial) return;
  const Value& before = value(kept.before);
  if (kept.initial->size() == before.dense_bytes()) return;
  fail("variable " + quote(kept.name) + " begins with " + std::to_string(kept.initial->size()) +
       " bytes, expected " + std::to_string(before.dense_bytes()) + " for " +
       dtype_name(before.dtype) + " " + dims_text(before.dims));
}

ValueId Context::read(Variable& kept) {
  const Tensor& like = output_tensor(0);
  if (!like.unsupported.empty())
    unsupported("output 0, " + describe(like) + ", " + like.unsupported);
  if (!like.quantization_fault.empty()) fail(describe(like) + " " + like.quantization_fault);
  if (kept.now == kNoValue) {
    const std::string name = importing_.state.builder.unique_name(kept.name);
    kept.before = kept.now = add_variable_input(name, like);
    importing_.of_tensors.insert(kept.before);  // it keeps its name
  }
  const Value& now = value(kept.now);
  if (now.dtype != like.dtype || !always(now.dims == Dims(like.dims))) {
    fail("variable " + quote(kept.name) + " is " + dtype_name(now.dtype) + " " +
         dims_text(now.dims) + ", output 0 " + dtype_name(like.dtype) + " " + dims_text(like.dims));
  }
  if (kept.before == kept.now) check_initial(kept);
  return kept.now;
}

void var_handle(Context& context) {
  context.expect_operands(0, 0);
  static_cast<void>(context.options<schema::VarHandleOptions>());  // refuses others
  context.make_handle(0);
}

void read_variable(Context& context) {
  context.expect_operands(1, 1);
  context.result(0, context.read(context.variable_of(0)));
}

void assign_variable(Context& context) {
  context.expect_operands(2, 2, 0);
  Variable& kept = context.variable_of(0);
  const ValueId now = context.stored(1);
  const Value& next = context.value(now);
  if (kept.before != kNoValue) {
    const Value& before = context.value(kept.before);
    if (next.dtype != before.dtype || !always(next.dims == before.dims)) {
      context.fail("variable " + quote(kept.name) + " is " + dtype_name(before.dtype) + " " +
                   dims_text(before.dims) + ", input 1 " + dtype_name(next.dtype) + " " +
                   dims_text(next.dims));
    }
  }
  kept.now = now;
}

// Variables begin with what the subgraph sets, which is run before the first run.
void call_once(Context& context) {
  context.expect_operands(0, 0, 0);
  const auto& options = context.options<schema::CallOnceOptions>();
  for (Variable& set : context.set_by(options.init_subgraph_index())) {
    if (!set.initial) continue;
    Variable& kept = context.variable_named(set.name);
    kept.initial = std::move(set.initial);
    context.check_initial(kept);
  }
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
