// Runs one node through the portable kernels, on row-major operands held in ordinary memory.
#include "planner/eval.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "core/kernel.h"
#include "planner/names.h"
#include "planner/operands.h"
#include "portable_fallback/kernels.h"

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
  const Kernel* kernel = nullptr;
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

void add_value(OneStep& tables, DType dtype, const Strided& form, uint64_t bytes, bool constant) {
  format::ValueRecord value{};
  value.dtype = static_cast<uint8_t>(dtype);
  value.rank = static_cast<uint8_t>(form.dims.size());
  value.layout = static_cast<uint8_t>(form.layout);
  value.kind =
      static_cast<uint8_t>(constant ? format::ValueKind::kConstant : format::ValueKind::kArena);
  value.shape = static_cast<uint32_t>(tables.shapes.size());
  value.bytes = static_cast<uint32_t>(bytes);
  value.below_or_root = kNoIndex;
  const auto index = static_cast<uint32_t>(tables.values.size());
  value.place = index;
  tables.constants.push_back({index, 0, value.bytes});
  tables.shapes.insert(tables.shapes.end(), form.dims.begin(), form.dims.end());
  tables.shapes.insert(tables.shapes.end(), form.strides.begin(), form.strides.end());
  tables.operands.push_back(index);
  tables.values.push_back(value);
}

// Transposing is copying from an operand whose dims were put in another order.
Node as_kernel_node(const Node& node) {
  Node kernel_node = node;
  if (node.op == Op::kTranspose || node.op == Op::kReshape) {
    kernel_node.op = Op::kCopy;
    kernel_node.attributes.clear();
  }
  return kernel_node;
}

std::optional<Strided> input_form(const Graph& graph, const Node& node, size_t i) {
  if (node.inputs[i] == kNoValue) return std::nullopt;
  const Strided dense = row_major(graph.values[node.inputs[i]].dims);
  if (node.op == Op::kReshape) return row_major(graph.values[node.outputs[0]].dims);
  if (node.op != Op::kTranspose) return dense;
  Strided permuted;
  for (const uint32_t from : node.attributes) {
    permuted.dims.push_back(dense.dims[from]);
    permuted.strides.push_back(dense.strides[from]);
  }
  return permuted;
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
  const Node kernel_node = as_kernel_node(node);
  std::vector<std::optional<Strided>> inputs, outputs;
  for (size_t i = 0; i < node.inputs.size(); ++i) inputs.push_back(input_form(graph, node, i));
  for (const ValueId id : node.outputs) {
    outputs.push_back(id == kNoValue ? std::optional<Strided>() : row_major(graph.values[id].dims));
  }
  const RuntimeForm form = runtime_form(kernel_node, inputs, outputs);
  OneStep tables;
  tables.attributes = form.attributes;
  const auto add_all = [&](const std::vector<ValueId>& ids,
                           const std::vector<std::optional<Strided>>& forms, bool constant) {
    for (size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] == kNoValue) {
        tables.operands.push_back(kNoIndex);
      } else {
        const Value& value = graph.values[ids[i]];
        add_value(tables, value.dtype, *forms[i], value.dense_bytes(), constant);
      }
    }
  };
  add_all(node.inputs, form.inputs, true);
  add_all(node.outputs, form.outputs, false);
  tables.record.op = static_cast<uint16_t>(kernel_node.op);
  tables.record.input_count = static_cast<uint16_t>(node.inputs.size());
  tables.record.output_count = static_cast<uint8_t>(node.outputs.size());
  tables.record.attribute_words = static_cast<uint16_t>(tables.attributes.size());
  tables.kernel = find_kernel(all_kernels(), kernel_node.op);
  if (tables.kernel == nullptr) {
    throw UnsupportedError(describe(graph, node) + ": there is no kernel");
  }
  tables.bind();
  if (tables.kernel->scratch_bytes != nullptr) {
    const uint32_t bytes = tables.kernel->scratch_bytes(tables.step(), 1);
    if (bytes != 0) {
      Strided scratch = row_major({bytes});
      add_value(tables, DType::kUint8, scratch, bytes, false);
      tables.record.scratch_count = 1;
    }
    tables.bind();
  }
  const Status status = tables.kernel->check(tables.step());
  if (!status.ok()) {
    throw UnsupportedError(describe(graph, node) + ": the kernel refuses its " +
                           operand_fault(status.code));
  }
  return tables;
}

}  // namespace

void check_node(const Graph& graph, const Node& node) {
  if (node.op == Op::kReshape || node.op == Op::kTranspose) return;
  build(graph, node);
}

std::vector<std::vector<std::byte>> compute(const Graph& graph, const Node& node,
                                            std::span<const std::span<const std::byte>> inputs) {
  if (node.op == Op::kReshape) return {{inputs[0].begin(), inputs[0].end()}};
  OneStep tables = build(graph, node);
  const size_t count = tables.values.size();
  tables.sections.assign(count, nullptr);
  tables.arenas.assign(count, nullptr);
  const uint32_t tail = tables.kernel->tail_bytes;
  std::vector<AlignedBytes> buffers(count);
  size_t index = 0;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] == kNoValue) continue;
    const bool in_place = tail == 0 && reinterpret_cast<uintptr_t>(inputs[i].data()) %
                                               std::max(tables.kernel->alignment, 16u) ==
                                           0;
    if (in_place) {
      tables.sections[index] = inputs[i].data();
    } else {
      buffers[index] = aligned_bytes(inputs[i].size() + tail);
      std::memcpy(buffers[index].get(), inputs[i].data(), inputs[i].size());
      tables.sections[index] = buffers[index].get();
    }
    ++index;
  }
  const size_t first_output = index;
  for (; index < count; ++index) {
    buffers[index] = aligned_bytes(tables.values[index].bytes + tail);
    tables.arenas[index] = buffers[index].get();
  }
  for (format::ValueRecord& value : tables.values) value.bytes += tail;
  tables.bind();
  const Status status = tables.kernel->run(tables.step(), Platform{});
  if (!status.ok()) {
    throw InputError(describe(graph, node) + ": " + operand_fault(status.code));
  }
  std::vector<std::vector<std::byte>> results;
  index = first_output;
  for (const ValueId id : node.outputs) {
    results.emplace_back();
    if (id == kNoValue) continue;
    const std::byte* bytes = buffers[index++].get();
    results.back().assign(bytes, bytes + graph.values[id].dense_bytes());
  }
  return results;
}

void evaluate(Graph& graph, const Node& node) {
  if (node.op == Op::kReshape) {
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
  if (node.op == Op::kReshape) return 0;
  const uint64_t results =
      node.outputs[0] == kNoValue ? 1 : graph.values[node.outputs[0]].elements();
  uint64_t each = 1;
  if (node.op == Op::kConv) {
    const Value& weights = graph.values[node.inputs[1]];
    each = weights.elements() / std::max<uint64_t>(weights.dims[0], 1);
  } else if (node.op == Op::kMatMul) {
    each = graph.values[node.inputs[0]].dims.back();
  } else if (node.op == Op::kMaxPool || node.op == Op::kAveragePool) {
    const auto pool = node.attributes_as<PoolAttributes>();
    for (const uint32_t size : pool.kernel) each = std::min(each * size, uint64_t{1} << 31u);
  }
  // Neither factor passes 2^31 here.
  return work + results * each;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
