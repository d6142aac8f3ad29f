// From a laid-out graph to steps in the exact form their kernels take, before anything is placed.
#include "planner/lower/lower.h"

#include <algorithm>

#include "core/shape.h"
#include "planner/layout/parts.h"
#include "planner/lower/packing.h"
#include "planner/lower/probe.h"
#include "planner/names.h"

namespace arenite::planner {
namespace {

constexpr uint64_t kBytesMax = UINT32_MAX;  // offsets and sizes are stored in 32 bits

void check_sizes(const Graph& graph) {
  for (const Value& value : graph.values) {
    uint64_t count = 1;
    for (const uint32_t dim : value.dims) {
      count *= std::max(dim, 1u);
      if (count > kMaxElements || count * element_bytes(value.dtype) > kBytesMax) {
        throw InputError("value " + printable(value.name) + " of dims " + dims_text(value.dims) +
                         " is too large: expected at most " + std::to_string(kMaxElements) +
                         " elements in 4 GiB");
      }
    }
  }
}

class Lowering {
 public:
  Lowering(const Graph& graph, const LaidGraph& laid, const Board& board, KernelTable kernels,
           ConstantPool& pool)
      : graph_(graph), laid_(laid), board_(board), kernels_(kernels), pool_(pool) {}

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
  void store_constant(const LaidNode& laid, size_t i, uint32_t layouts, Operand& operand) {
    const Value& value = constant_of(graph_, laid_, operand.index);
    PackedConstant packed = pack_constant(laid.node, static_cast<uint32_t>(i), *value.constant,
                                          operand.dtype, operand.form, board_.weights, layouts);
    operand.index = pool_.add(std::move(packed.bytes));
    pool_.set_name(operand.index, value.name, value.dims);
    operand.form = std::move(packed.form);
  }

  void add_step(const LaidNode& laid) {
    const Kernel* kernel = laid.view ? nullptr : find_kernel(kernels_, laid.node.op);
    LoweredStep step;
    step.op = laid.node.op;
    step.view = laid.view;
    step.name = node_name(laid.node);
    step.sources = laid.node.sources;
    if (!laid.view && kernel == nullptr) {
      throw InputError("node " + printable(step.name) + ": no kernel for " + op_name(step.op));
    }
    for (size_t i = 0; i < laid.inputs.size(); ++i) {
      step.inputs.emplace_back();
      if (!laid.inputs[i].has_value()) continue;
      Operand operand = operand_of(*laid.inputs[i]);
      if (operand.constant) {
        store_constant(laid, i, kernel != nullptr ? kernel->weight_layouts : 0, operand);
      }
      step.inputs[i] = std::move(operand);
    }
    for (const std::optional<Placed>& placed : laid.outputs) {
      step.outputs.emplace_back();
      if (placed.has_value()) step.outputs.back() = operand_of(*placed);
    }
    step.attributes = laid.node.attributes;
    if (kernel != nullptr) {
      take_kernel_form(laid.node, step);
      ask_kernel(*kernel, step);
    }
    result_.steps.push_back(std::move(step));
  }

  static void take_kernel_form(const Node& node, LoweredStep& step) {
    const auto forms = [](const std::vector<std::optional<Operand>>& operands) {
      std::vector<std::optional<Strided>> result;
      result.reserve(operands.size());
      for (const std::optional<Operand>& operand : operands) {
        result.push_back(operand.has_value() ? std::optional(operand->form) : std::nullopt);
      }
      return result;
    };
    RuntimeForm form = runtime_form(node, forms(step.inputs), forms(step.outputs));
    for (size_t i = 0; i < step.inputs.size(); ++i) {
      if (step.inputs[i].has_value()) step.inputs[i]->form = std::move(*form.inputs[i]);
    }
    for (size_t i = 0; i < step.outputs.size(); ++i) {
      if (step.outputs[i].has_value()) step.outputs[i]->form = std::move(*form.outputs[i]);
    }
    step.attributes = std::move(form.attributes);
  }

  void ask_kernel(const Kernel& kernel, LoweredStep& step) {
    for (auto* operands : {&step.inputs, &step.outputs}) {
      for (std::optional<Operand>& operand : *operands) {
        if (!operand.has_value()) continue;
        operand->tail_bytes = kernel.tail_bytes;
        if (operand->constant) {
          pool_.need_tail(operand->index, kernel.tail_bytes);
        } else {
          Storage& storage = result_.storages[operand->index];
          const uint64_t end =
              operand->form.offset * element_bytes(operand->dtype) + operand_bytes(*operand, pool_);
          storage.bytes = std::max(storage.bytes, end);
          if (storage.bytes > kBytesMax) {
            throw InputError("value " + printable(storage.name) + " takes more than 4 GiB");
          }
        }
      }
    }
    if (kernel.scratch_bytes == nullptr) return;
    const Probe probe(step, pool_);
    step.scratch_bytes = kernel.scratch_bytes(probe.step(), board_.threads_max);
  }

  const Graph& graph_;
  const LaidGraph& laid_;
  const Board& board_;
  KernelTable kernels_;
  ConstantPool& pool_;
  Lowered result_;
};

}  // namespace

Lowered lower(const Graph& graph, const Board& board, KernelTable kernels, ConstantPool& pool) {
  check_sizes(graph);
  return lower(graph, lay_out(graph, view_alignment(kernels)), board, kernels, pool);
}

Lowered lower(const Graph& graph, const LaidGraph& laid, const Board& board, KernelTable kernels,
              ConstantPool& pool) {
  check_sizes(graph);
  return Lowering(graph, laid, board, kernels, pool).run();
}

uint64_t operand_bytes(const Operand& operand, const ConstantPool& pool) {
  const uint64_t element = element_bytes(operand.dtype);
  if (operand.constant) {
    const StoredConstant& constant = pool.entries()[operand.index];
    return constant.bytes.size() + constant.tail_bytes - operand.form.offset * element;
  }
  if (operand.packed_bytes != 0) return operand.packed_bytes;
  const uint64_t span = span_elements(operand.form) * element;
  return span == 0 ? 0 : span + operand.tail_bytes;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
