// Runs one node through the reference forms, on row-major operands held in ordinary memory.
#include "planner/eval.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "planner/layout/views.h"
#include "planner/names.h"
#include "planner/operands.h"
#include "planner/target_forms.h"
#include "planner/work.h"
#include "portable_fallback/forms.h"

namespace arenite::planner {
namespace {

// Every vector instruction set is content with this.
constexpr size_t kBufferAlignment = 64;

struct AlignedDelete {
  void operator()(std::byte* bytes) const {
    ::operator delete[](bytes, std::align_val_t{kBufferAlignment});
  }
};
using AlignedBytes = std::unique_ptr<std::byte[], AlignedDelete>;

AlignedBytes aligned_bytes(size_t count) {
  auto* bytes = static_cast<std::byte*>(
      ::operator new[](std::max<size_t>(count, 1), std::align_val_t{kBufferAlignment}));
  std::memset(bytes, 0, count);
  return AlignedBytes(bytes);
}

// The tables a program would hold for one step, operands in the order inputs, outputs, scratch.
struct OneStep {
  const Form* form = nullptr;
  std::vector<format::ValueRecord> values;
  std::vector<uint32_t> shapes, operands, attributes;
  std::vector<format::ConstantRecord> constants;
  std::vector<const std::byte*> sections;
  std::vector<std::byte*> arenas;
  Bindings bindings;
  format::StepRecord record{};

  void bind() {
    bindings.values = values.data();
    bindings.shapes = shapes.data();
    bindings.operands = operands.data();
    bindings.attributes = attributes.data();
    bindings.constants = constants.data();
    bindings.sections = sections.empty() ? nullptr : sections.data();
    bindings.arenas = arenas.empty() ? nullptr : arenas.data();
  }
  Step step() const { return {bindings, record, 0}; }
};

// Each is alone in a section or an arena, by its index among the constants or the values.
void add_operand(OneStep& tables, DType dtype, const Strided& form, uint64_t bytes, bool constant) {
  const auto shape = static_cast<uint32_t>(tables.shapes.size());
  tables.shapes.insert(tables.shapes.end(), form.dims.begin(), form.dims.end());
  tables.shapes.insert(tables.shapes.end(), form.strides.begin(), form.strides.end());
  const auto describe = [&](auto& record) {
    record.dtype = static_cast<uint8_t>(dtype);
    record.rank = static_cast<uint8_t>(form.dims.size());
    record.layout = static_cast<uint8_t>(form.layout);
    record.shape = shape;
    record.bytes = static_cast<uint32_t>(bytes);
  };
  if (constant) {
    const auto index = static_cast<uint32_t>(tables.constants.size());
    describe(tables.constants.emplace_back());
    tables.operands.push_back(format::kConstantBit | index);
    return;
  }
  const auto index = static_cast<uint32_t>(tables.values.size());
  format::ValueRecord& value = tables.values.emplace_back();
  describe(value);
  value.place = index;
  value.below_or_root = kNoIndex;
  tables.operands.push_back(index);
}

bool is_view(const Node& node) { return contract_of(node.op).layout.kind == LayoutClass::kView; }

// Looking at an operand in another way is copying from it in that form.
Op step_op(const Node& node) { return is_view(node) ? Op::kCopy : node.op; }

std::optional<Strided> input_form(const Graph& graph, const Node& node, size_t i) {
  if (node.inputs[i] == kNoValue) return std::nullopt;
  const Strided dense = row_major(graph.values[node.inputs[i]].dims);
  // Of a row-major value any view is one of strides.
  return is_view(node) ? view_form(node, graph.values[node.outputs[0]], dense, 1).value() : dense;
}

// "matmul of float32 [2, 3], float32 [4, 5] to float32 [2, 5]".
std::string describe(const Graph& graph, const Node& node) {
  const auto list = [&](const std::vector<ValueId>& ids) {
    std::string text;
    for (const ValueId id : ids) {
      if (!text.empty()) text += ", ";
      text += id == kNoValue
                  ? "none"
                  : dtype_name(graph.values[id].dtype) + " " + dims_text(graph.values[id].dims);
    }
    return text;
  };
  return op_name(node.op) + " of " + list(node.inputs) + " to " + list(node.outputs);
}

OneStep build(const Graph& graph, const Node& node) {
  std::vector<std::optional<Strided>> inputs, outputs;
  for (size_t i = 0; i < node.inputs.size(); ++i) inputs.push_back(input_form(graph, node, i));
  for (const ValueId id : node.outputs) {
    outputs.push_back(id == kNoValue ? std::optional<Strided>() : row_major(graph.values[id].dims));
  }
  const Op op = step_op(node);
  const StepOperands forms = step_operands(op, inputs, outputs);
  OneStep tables;
  if (!is_view(node)) tables.attributes = node.attributes;
  const auto add_all = [&](const std::vector<ValueId>& ids,
                           const std::vector<std::optional<Strided>>& operands, bool constant) {
    for (size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] == kNoValue) {
        tables.operands.push_back(kNoIndex);
      } else {
        const Value& value = graph.values[ids[i]];
        add_operand(tables, value.dtype, *operands[i], value.dense_bytes(), constant);
      }
    }
  };
  add_all(node.inputs, forms.inputs, true);
  add_all(node.outputs, forms.outputs, false);
  tables.record.op = static_cast<uint16_t>(op);
  tables.record.input_count = static_cast<uint16_t>(node.inputs.size());
  tables.record.output_count = static_cast<uint8_t>(node.outputs.size());
  tables.record.attribute_words = static_cast<uint16_t>(tables.attributes.size());
  tables.bind();
  const Contract& contract = contract_of(op);
  const Status status = check_contract(tables.step(), contract);
  if (!status.ok()) {
    throw UnsupportedError(describe(graph, node) + ": the operator does not take its " +
                           operand_fault(status.code));
  }
  tables.form =
      &reference_form({all_ops()}, tables.step(), arenite::type_of(tables.step(), contract));
  return tables;
}

void add_scratch(OneStep& tables) {
  if (tables.form->scratch == nullptr) return;
  const uint64_t bytes = scratch_bytes(tables.form->scratch(tables.step()), 1);
  if (bytes == 0) return;
  add_operand(tables, DType::kUint8, row_major({static_cast<uint32_t>(bytes)}), bytes, false);
  tables.record.scratch_count = 1;
}

}  // namespace

void check_node(const Graph& graph, const Node& node) { build(graph, node); }

bool keeps_bytes(const Graph& graph, const Node& node) {
  if (!is_view(node)) return false;
  const Value& output = graph.values[node.outputs[0]];
  return same_elements(*input_form(graph, node, 0), row_major(output.dims));
}

std::vector<std::vector<std::byte>> compute(const Graph& graph, const Node& node,
                                            std::span<const std::span<const std::byte>> inputs) {
  if (keeps_bytes(graph, node)) return {{inputs[0].begin(), inputs[0].end()}};
  OneStep tables = build(graph, node);
  add_scratch(tables);
  const uint32_t over_read = tables.form->over_read_bytes;
  std::vector<AlignedBytes> copies, results_in;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] == kNoValue) continue;
    const bool in_place =
        over_read == 0 && reinterpret_cast<uintptr_t>(inputs[i].data()) %
                                  std::max<uint32_t>(tables.form->alignment, 16) ==
                              0;
    if (in_place) {
      tables.sections.push_back(inputs[i].data());
    } else {
      copies.push_back(aligned_bytes(inputs[i].size() + over_read));
      std::memcpy(copies.back().get(), inputs[i].data(), inputs[i].size());
      tables.sections.push_back(copies.back().get());
    }
    format::ConstantRecord& constant = tables.constants[tables.sections.size() - 1];
    constant.section = static_cast<uint8_t>(tables.sections.size() - 1);
    constant.bytes += over_read;
  }
  for (const format::ValueRecord& value : tables.values) {
    results_in.push_back(aligned_bytes(value.bytes));
    tables.arenas.push_back(results_in.back().get());
  }
  tables.bind();
  const Status status = tables.form->run(tables.step(), Platform{});
  if (!status.ok()) {
    throw InputError(describe(graph, node) + ": " + operand_fault(status.code));
  }
  std::vector<std::vector<std::byte>> results;
  size_t next = 0;
  for (const ValueId id : node.outputs) {
    results.emplace_back();
    if (id == kNoValue) continue;
    const std::byte* bytes = results_in[next++].get();
    results.back().assign(bytes, bytes + graph.values[id].dense_bytes());
  }
  return results;
}

void evaluate(Graph& graph, const Node& node) {
  if (keeps_bytes(graph, node)) {
    // The same bytes under other dims.
    graph.values[node.outputs[0]].constant = graph.values[node.inputs[0]].constant;
    return;
  }
  std::vector<std::span<const std::byte>> inputs;
  for (const ValueId id : node.inputs) {
    inputs.push_back(id == kNoValue ? std::span<const std::byte>()
                                    : std::span<const std::byte>(*graph.values[id].constant));
  }
  std::vector<std::vector<std::byte>> results = compute(graph, node, inputs);
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] == kNoValue) continue;
    graph.values[node.outputs[i]].constant =
        std::make_shared<const std::vector<std::byte>>(std::move(results[i]));
  }
}

uint64_t evaluation_work(const Graph& graph, const Node& node) {
  uint64_t work = 0;
  for (const std::vector<ValueId>* ids : {&node.inputs, &node.outputs}) {
    for (const ValueId id : *ids) {
      if (id != kNoValue) work += graph.values[id].elements();
    }
  }
  if (keeps_bytes(graph, node)) return 0;
  const uint64_t results =
      node.outputs[0] == kNoValue ? 1 : graph.values[node.outputs[0]].elements();
  const auto dims_of = [&](size_t i) {
    const bool there = i < node.inputs.size() && node.inputs[i] != kNoValue;
    return there ? graph.values[node.inputs[i]].dims : std::vector<uint32_t>();
  };
  // Neither factor passes 2^31 here.
  return work + results * operations_each({contract_of(node.op).work, dims_of(0), dims_of(1),
                                           results, node.attributes});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
