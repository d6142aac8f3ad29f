// Runs one node through the reference forms, on row-major operands held in ordinary memory.
#include "planner/graph/eval.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "planner/graph/eval_layout.h"
#include "planner/graph/names.h"
#include "planner/graph/operands.h"
#include "planner/graph/step_tables.h"
#include "planner/graph/strides.h"
#include "planner/graph/target_forms.h"
#include "planner/graph/views.h"
#include "planner/graph/work.h"
#include "portable_fallback/forms.h"
#include "support/suggest.h"

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

bool is_view(const Node& node) { return contract_of(node.op).layout.kind == LayoutClass::kView; }

// Looking at an operand in another way is copying from it in that form.
Op step_op(const Node& node) { return is_view(node) ? Op::kCopy : node.op; }

std::optional<Strided> input_form(const Graph& graph, const Node& node, size_t i) {
  if (node.inputs[i] == kNoValue) return std::nullopt;
  const std::vector<uint32_t> dims = bounds(graph.values[node.inputs[i]].dims);
  if (!is_view(node)) return fast_form(node, static_cast<uint32_t>(i), dims);
  // Every view of a row-major value can be described by strides.
  return view_form(node, graph.values[node.outputs[0]], row_major(dims), 1).value();
}

Strided output_form(const Graph& graph, const Node& node, ValueId id) {
  return fast_form(node, kNoIndex, bounds(graph.values[id].dims));
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

// "float32 or bool".
std::string types_text(const Contract& contract) {
  std::vector<std::string> names;
  for (uint32_t i = 0; i < 32; ++i) {
    const auto type = static_cast<DType>(i);
    if (has(contract.types, type)) names.push_back(dtype_name(type));
  }
  return listed(names);
}

// Describes the node's step, its inputs as constants, and gives the form that computes it.
const Form& build(const Graph& graph, const Node& node, StepTables& tables) {
  std::vector<std::optional<Strided>> inputs, outputs;
  for (size_t i = 0; i < node.inputs.size(); ++i) inputs.push_back(input_form(graph, node, i));
  for (const ValueId id : node.outputs) {
    outputs.push_back(id == kNoValue ? std::optional<Strided>() : output_form(graph, node, id));
  }
  const Op op = step_op(node);
  const StepOperands forms = step_operands(op, inputs, outputs);
  const auto add_all = [&](const std::vector<ValueId>& ids,
                           const std::vector<std::optional<Strided>>& operands, bool constant) {
    for (size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] == kNoValue) {
        tables.add_absent();
      } else {
        const Value& value = graph.values[ids[i]];
        tables.add({value.dtype, *operands[i], value.dense_bytes(), constant});
      }
    }
  };
  add_all(node.inputs, forms.inputs, true);
  add_all(node.outputs, forms.outputs, false);
  tables.set_step(op, node.inputs.size(), node.outputs.size(),
                  is_view(node) ? std::vector<uint32_t>() : node.attributes);
  tables.bind();
  const Contract& contract = contract_of(op);
  const Status status = check_contract(tables.step(), contract);
  if (!status.ok()) {
    throw UnsupportedError(describe(graph, node) + ": the operator does not take its " +
                           operand_fault(status.code) +
                           (status.code == Code::kBadType ? ", but " + types_text(contract) : ""));
  }
  return reference_form({all_ops()}, tables.step(), arenite::type_of(tables.step(), contract));
}

void add_scratch(StepTables& tables, const Form& form) {
  if (form.scratch == nullptr) return;
  const uint64_t bytes = scratch_bytes(form.scratch(tables.step()), 1);
  if (bytes == 0) return;
  tables.add({DType::kUint8, row_major({static_cast<uint32_t>(bytes)}), bytes, false});
  tables.record.scratch_count = 1;
}

}  // namespace

void check_node(const Graph& graph, const Node& node) {
  StepTables tables;
  build(graph, node, tables);
}

bool keeps_bytes(const Graph& graph, const Node& node) {
  if (!is_view(node)) return false;
  const Value& output = graph.values[node.outputs[0]];
  return same_elements(*input_form(graph, node, 0), row_major(bounds(output.dims)));
}

namespace {

// Gives a step the bytes of its inputs, each of which has a section of its own, or, where there are
// more than records can tell apart, a part of one.
void add_inputs(StepTables& tables, const Form& form,
                const std::vector<std::span<const std::byte>>& inputs,
                std::vector<AlignedBytes>& copies) {
  constexpr size_t kPlaces = 256;
  const uint32_t over_read = form.over_read_bytes;
  const size_t alignment = std::max<size_t>(form.alignment, 16);
  const bool one_section = inputs.size() > kPlaces;
  std::vector<uint64_t> starts;  // in the one section
  uint64_t end = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    format::ConstantRecord& constant = tables.constants[i];
    constant.bytes += over_read;
    if (!one_section) {
      constant.place = static_cast<uint8_t>(i);
      const bool in_place =
          over_read == 0 && reinterpret_cast<uintptr_t>(inputs[i].data()) % alignment == 0;
      if (!in_place) {
        copies.push_back(aligned_bytes(inputs[i].size() + over_read));
        std::memcpy(copies.back().get(), inputs[i].data(), inputs[i].size());
      }
      tables.sections.push_back(in_place ? inputs[i].data() : copies.back().get());
      continue;
    }
    starts.push_back(end);
    end += (inputs[i].size() + over_read + alignment - 1) / alignment * alignment;
  }
  if (!one_section) return;
  if (end > UINT32_MAX) throw InputError("what is to be computed ahead takes more than 4 GiB");
  copies.push_back(aligned_bytes(end));
  tables.sections.push_back(copies.back().get());
  for (size_t i = 0; i < inputs.size(); ++i) {
    tables.constants[i].offset += static_cast<uint32_t>(starts[i]);
    if (!inputs[i].empty()) {
      std::memcpy(copies.back().get() + starts[i], inputs[i].data(), inputs[i].size());
    }
  }
}

// The bytes of a row-major input in the form in which its node reads it.
std::span<const std::byte> in_form(const Graph& graph, const Node& node, size_t i,
                                   std::span<const std::byte> bytes,
                                   std::vector<AlignedBytes>& copies) {
  const Value& value = graph.values[node.inputs[i]];
  const Strided dense = row_major(bounds(value.dims));
  const Strided form = is_view(node) ? dense : input_form(graph, node, i).value();
  if (same_elements(dense, form)) return bytes;
  copies.push_back(aligned_bytes(bytes.size()));
  move_elements(value.dtype, bytes.data(), dense, copies.back().get(), form);
  return {copies.back().get(), bytes.size()};
}

}  // namespace

std::vector<std::vector<std::byte>> compute(const Graph& graph, const Node& node,
                                            std::span<const std::span<const std::byte>> inputs) {
  if (keeps_bytes(graph, node)) return {{inputs[0].begin(), inputs[0].end()}};
  StepTables tables;
  const Form& form = build(graph, node, tables);
  add_scratch(tables, form);
  std::vector<AlignedBytes> copies, results_in;
  std::vector<std::span<const std::byte>> given;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] != kNoValue) given.push_back(in_form(graph, node, i, inputs[i], copies));
  }
  add_inputs(tables, form, given, copies);
  for (const format::ValueRecord& value : tables.values) {
    results_in.push_back(aligned_bytes(value.bytes));
    tables.arenas.push_back(results_in.back().get());
  }
  tables.bind();
  const Status status = form.run(tables.step(), Platform{});
  if (!status.ok()) {
    throw InputError(describe(graph, node) + ": " + operand_fault(status.code));
  }
  std::vector<std::vector<std::byte>> results;
  size_t next = 0;
  for (const ValueId id : node.outputs) {
    results.emplace_back();
    if (id == kNoValue) continue;
    const AlignedBytes bytes = std::move(results_in[next++]);
    const Value& value = graph.values[id];
    const Strided dense = row_major(bounds(value.dims)), laid = output_form(graph, node, id);
    if (same_elements(dense, laid)) {
      results.back().assign(bytes.get(), bytes.get() + value.dense_bytes());
    } else {
      results.back().resize(value.dense_bytes());
      move_elements(value.dtype, bytes.get(), laid, results.back().data(), dense);
    }
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
    const bool there = node.has_input(i);
    return there ? bounds(graph.values[node.inputs[i]].dims) : std::vector<uint32_t>();
  };
  // Neither factor passes 2^31 here.
  return work + results * operations_each({contract_of(node.op).work, dims_of(0), dims_of(1),
                                           results, node.attributes});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
