// Walks laid-out nodes in order and gives each operand a storage or a constant of the pool.
#include "planner/steps/lower/lower.h"

#include <algorithm>

#include "core/assert.h"
#include "core/shape.h"
#include "planner/graph/names.h"
#include "planner/steps/layout/parts.h"
#include "planner/steps/lower/packing.h"
#include "planner/steps/lower/probe.h"

namespace arenite::planner {
namespace {

constexpr uint64_t kBytesMax = UINT32_MAX;  // offsets and sizes are stored in 32 bits

void check_sizes(const Graph& graph) {
  for (const Value& value : graph.values) {
    uint64_t count = 1;
    for (const uint32_t dim : bounds(value.dims)) {
      count *= std::max(dim, 1u);
      if (count > kMaxElements || count * element_bytes(value.dtype) > kBytesMax) {
        throw InputError("value " + printable(value.name) + " of dims " + dims_text(value.dims) +
                         " is too large: expected at most " + std::to_string(kMaxElements) +
                         " elements in 4 GiB");
      }
    }
  }
}

// Whether each operand lies with an owner that there is, or is a constant that there is.
[[maybe_unused]] bool has_places(const Graph& graph, const LaidGraph& laid) {
  const size_t constants = graph.values.size() + laid.constants.size();
  const auto is_placed = [&](const std::optional<Placed>& at) {
    return !at || (at->constant ? at->index < constants &&
                                      constant_of(graph, laid, at->index).constant != nullptr
                                : at->index < laid.owners.size());
  };
  return std::ranges::all_of(laid.nodes, [&](const LaidNode& node) {
    return std::ranges::all_of(node.inputs, is_placed) &&
           std::ranges::all_of(node.outputs, is_placed);
  });
}

class Lowering {
 public:
  Lowering(const Graph& graph, const LaidGraph& laid, const Board& board, const TargetForms& forms,
           ConstantPool& pool)
      : graph_(graph), laid_(laid), board_(board), forms_(forms), pool_(pool) {}

  Lowered run() {
    for (const Owner& owner : laid_.owners) {
      result_.storages.push_back({owner.name, owner.dtype, owner.form,
                                  span_elements(owner.form) * element_bytes(owner.dtype)});
    }
    for (const LaidNode& node : laid_.nodes) add_step(node);
    result_.inputs = laid_.inputs;
    result_.outputs = laid_.outputs;
    result_.copies = laid_.copies;
    return std::move(result_);
  }

 private:
  Operand operand_of(const Placed& placed) {
    Operand operand;
    operand.constant = placed.constant;
    operand.index = placed.index;
    operand.form = placed.form;
    operand.dtype = placed.constant ? constant_of(graph_, laid_, placed.index).dtype
                                    : result_.storages[placed.index].dtype;
    return operand;
  }

  // Replaces the graph's constant by the pool's, laid out for this use.
  void store_constant(const LaidNode& laid, size_t i, const Packings& packings, Operand& operand) {
    const Value& value = constant_of(graph_, laid_, operand.index);
    PackedConstant packed = pack_constant(laid.node, static_cast<uint32_t>(i), *value.constant,
                                          operand.dtype, operand.form, board_.weights, packings);
    operand.index = pool_.add(std::move(packed.bytes));
    pool_.set_name(operand.index, value.name, bounds(value.dims));
    operand.form = std::move(packed.form);
  }

  void add_step(const LaidNode& laid) {
    if (laid.view) {
      // A step that reads a view of a constant reads a constant: the view needs no step.
      if (!laid.outputs[0]->constant) result_.steps.push_back(made(laid, Packings{}));
      return;
    }
    LoweredStep step;
    DType type = DType::kNone;
    for (const Form* form : candidates(laid)) {
      step = made(laid, form->packings);
      take_step_operands(step);
      const Probe probe(step, pool_);
      if (!accepts(*form, probe.step())) continue;
      type = arenite::type_of(probe.step(), contract_of(step.op));
      const Form& reference = reference_form(forms_, probe.step(), type);
      step.forms = StepForms(form, forms_.exact ? nullptr : &reference);
      break;
    }
    if (step.forms.chosen() == nullptr) {
      throw InputError("node " + printable(step.name) + ": no form of " + op_name(step.op) +
                       " accepts it");
    }
    ask_forms(step);
    result_.steps.push_back(std::move(step));
  }

  std::vector<const Form*> candidates(const LaidNode& laid) const {
    const Op op = laid.node.op;
    return candidate_forms(forms_, op, type_of_node(graph_, laid_, laid));
  }

  LoweredStep made(const LaidNode& laid, const Packings& packings) {
    LoweredStep step;
    step.op = laid.node.op;
    step.view = laid.view;
    step.name = node_name(laid.node);
    step.sources = laid.node.sources;
    for (size_t i = 0; i < laid.inputs.size(); ++i) {
      step.inputs.emplace_back();
      if (!laid.inputs[i].has_value()) continue;
      Operand operand = operand_of(*laid.inputs[i]);
      if (operand.constant) store_constant(laid, i, packings, operand);
      step.inputs[i] = std::move(operand);
    }
    for (const std::optional<Placed>& placed : laid.outputs) {
      step.outputs.emplace_back();
      if (placed.has_value()) step.outputs.back() = operand_of(*placed);
    }
    step.attributes = laid.node.attributes;
    return step;
  }

  static void take_step_operands(LoweredStep& step) {
    const auto forms = [](const std::vector<std::optional<Operand>>& operands) {
      std::vector<std::optional<Strided>> result;
      result.reserve(operands.size());
      for (const std::optional<Operand>& operand : operands) {
        result.push_back(operand.has_value() ? std::optional(operand->form) : std::nullopt);
      }
      return result;
    };
    StepOperands operands = step_operands(step.op, forms(step.inputs), forms(step.outputs));
    for (size_t i = 0; i < step.inputs.size(); ++i) {
      if (step.inputs[i].has_value()) step.inputs[i]->form = std::move(*operands.inputs[i]);
    }
    for (size_t i = 0; i < step.outputs.size(); ++i) {
      if (step.outputs[i].has_value()) step.outputs[i]->form = std::move(*operands.outputs[i]);
    }
  }

  void ask_forms(LoweredStep& step) {
    const uint32_t over_read = step.forms.over_read_bytes();
    for (std::optional<Operand>& operand : step.inputs) {
      if (!operand.has_value()) continue;
      operand->over_read_bytes = over_read;
      if (operand->constant) {
        pool_.need_over_read(operand->index, over_read);
      } else {
        need_bytes(*operand);
      }
    }
    for (const std::optional<Operand>& operand : step.outputs) {
      if (operand.has_value() && !operand->constant) need_bytes(*operand);
    }
    const Probe probe(step, pool_);
    const uint64_t scratch = step.forms.scratch_bytes(probe.step(), board_.threads_max);
    if (scratch > kBytesMax) {
      throw InputError("node " + printable(step.name) + " takes more than 4 GiB of scratch memory");
    }
    step.scratch_bytes = static_cast<uint32_t>(scratch);
  }

  // A storage is as long as what lies in it.
  void need_bytes(const Operand& operand) {
    Storage& storage = result_.storages[operand.index];
    const uint64_t end =
        operand.form.offset * element_bytes(operand.dtype) + operand_bytes(operand, pool_);
    storage.bytes = std::max(storage.bytes, end);
    if (storage.bytes > kBytesMax) {
      throw InputError("value " + printable(storage.name) + " takes more than 4 GiB");
    }
  }

  const Graph& graph_;
  const LaidGraph& laid_;
  const Board& board_;
  const TargetForms& forms_;
  ConstantPool& pool_;
  Lowered result_;
};

}  // namespace

Lowered lower(const Graph& graph, const Board& board, const TargetForms& forms,
              ConstantPool& pool) {
  check_sizes(graph);
  return lower(graph, lay_out(graph, forms), board, forms, pool);
}

Lowered lower(const Graph& graph, const LaidGraph& laid, const Board& board,
              const TargetForms& forms, ConstantPool& pool) {
  check_sizes(graph);
  ARENITE_ASSERT(has_places(graph, laid));
  return Lowering(graph, laid, board, forms, pool).run();
}

LoweredStep copy_step(const Operand& from, const Operand& to, const TargetForms& forms) {
  LoweredStep step;
  step.op = Op::kCopy;
  step.inputs = {from};
  step.outputs = {to};
  step.forms = likely_forms(forms, step.op, from.dtype);
  return step;
}

uint64_t operand_bytes(const Operand& operand, const ConstantPool& pool) {
  const uint64_t element = element_bytes(operand.dtype);
  if (operand.constant) {
    const StoredConstant& constant = pool.entries()[operand.index];
    return constant.bytes.size() + constant.over_read_bytes - operand.form.offset * element;
  }
  if (operand.packed_bytes != 0) return operand.packed_bytes;
  const uint64_t span = span_elements(operand.form) * element;
  return span == 0 ? 0 : span + operand.over_read_bytes;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
