// Builds graphs of one node from cases, and leaves out those that only kernels know.
#include "tests/boards/case_graph.h"

#include <algorithm>
#include <memory>

#include "core/form.h"
#include "tests/ops/cases.h"

namespace arenite::boards_test {

using ops_test::OpCase;
using ops_test::Operand;
using tools::HostTensor;

namespace {

bool is_packed(const Operand& operand) { return operand.layout == Layout::kPacked4; }

// Those that only constants can be, and maybe the weights.
bool is_constant(const OpCase& c, size_t input, Weights weights) {
  return is_packed(c.inputs[input]) || (weights == Weights::kAsConstants && input == kWeightsInput);
}

// Row-major.
std::vector<std::byte> bytes_of(const ops_test::Numbers& numbers) {
  const uint32_t bytes = element_bytes(numbers.dtype);
  std::vector<std::byte> all(numbers.values.size() * bytes);
  for (size_t e = 0; e < numbers.values.size(); ++e) {
    ops_test::encode(numbers.dtype, numbers.values[e], all.data() + e * bytes);
  }
  return all;
}

}  // namespace

planner::NamedGraph graph_of(const OpCase& c, Weights weights) {
  planner::NamedGraph named;
  named.method = std::string(ops_test::op_name(c.op)) + "_" + c.name;
  planner::Graph& graph = named.graph;
  planner::Node node;
  node.op = c.op;
  node.attributes = c.attributes;
  const auto add = [&](const Operand& operand, const std::string& name) {
    if (operand.absent) return planner::kNoValue;
    graph.values.push_back({name, operand.dtype, operand.dims, nullptr});
    return static_cast<planner::ValueId>(graph.values.size() - 1);
  };
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    node.inputs.push_back(add(c.inputs[i], "in" + std::to_string(i)));
    if (node.inputs.back() == planner::kNoValue) continue;
    if (is_constant(c, i, weights)) {
      graph.values.back().constant = std::make_shared<const std::vector<std::byte>>(
          bytes_of(contents_of(c, static_cast<uint32_t>(i))));
    } else {
      graph.inputs.push_back(node.inputs.back());
    }
  }
  for (size_t i = 0; i < c.outputs.size(); ++i) {
    node.outputs.push_back(add(c.outputs[i], "out" + std::to_string(i)));
    if (node.outputs.back() != planner::kNoValue) graph.outputs.push_back(node.outputs.back());
  }
  graph.nodes.push_back(std::move(node));
  return named;
}

std::vector<HostTensor> inputs_of(const OpCase& c, Weights weights) {
  std::vector<HostTensor> tensors;
  for (uint32_t i = 0; i < c.inputs.size(); ++i) {
    if (c.inputs[i].absent || is_constant(c, i, weights)) continue;
    const ops_test::Numbers numbers = contents_of(c, i);
    tensors.push_back({numbers.dtype, numbers.dims, bytes_of(numbers)});
  }
  return tensors;
}

namespace {

using planner::Graph;
using planner::ValueId;

// An operand of a graph whose elements lie in the operand's order outside of it.
class OrderedOperands {
 public:
  explicit OrderedOperands(Graph& graph) : graph_(graph) {}

  ValueId add_input(const Operand& operand, const std::string& name) {
    const ValueId outside = add(operand, in_order(operand), name);
    graph_.inputs.push_back(outside);
    return inside_of(outside, operand, name);
  }
  ValueId add_output(const Operand& operand, const std::string& name) {
    if (operand.order.empty()) {
      graph_.outputs.push_back(add(operand, operand.dims, name));
      return graph_.outputs.back();
    }
    const ValueId inside = add(operand, operand.dims, name + "_inside");
    graph_.outputs.push_back(add(operand, in_order(operand), name));
    after_.push_back({inside, graph_.outputs.back(), operand.order});
    return inside;
  }
  // Bytes of elements in the operand's order.
  ValueId add_constant(const Operand& operand, const std::string& name,
                       std::vector<std::byte> bytes) {
    const ValueId outside = add(operand, in_order(operand), name);
    graph_.values[outside].constant =
        std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    return inside_of(outside, operand, name);
  }
  // The transposes of outputs, behind the node.
  void finish() {
    for (auto& [from, to, order] : after_) transpose(from, to, order);
  }

  static std::vector<uint32_t> in_order(const Operand& operand) {
    std::vector<uint32_t> dims;
    for (const uint32_t d : operand.order) dims.push_back(operand.dims[d]);
    return operand.order.empty() ? operand.dims : dims;
  }

 private:
  ValueId add(const Operand& operand, std::vector<uint32_t> dims, const std::string& name) {
    graph_.values.push_back({name, operand.dtype, std::move(dims), nullptr});
    return static_cast<ValueId>(graph_.values.size() - 1);
  }
  ValueId inside_of(ValueId outside, const Operand& operand, const std::string& name) {
    if (operand.order.empty()) return outside;
    std::vector<uint32_t> back(operand.order.size());
    for (uint32_t d = 0; d < back.size(); ++d) back[operand.order[d]] = d;
    const ValueId inside = add(operand, operand.dims, name + "_inside");
    transpose(outside, inside, std::move(back));
    return inside;
  }
  void transpose(ValueId from, ValueId to, std::vector<uint32_t> permutation) {
    planner::Node node;
    node.op = Op::kTranspose;
    node.attributes = std::move(permutation);
    node.inputs = {from};
    node.outputs = {to};
    graph_.nodes.push_back(std::move(node));
  }

  Graph& graph_;
  struct After {
    ValueId from, to;
    std::vector<uint32_t> order;
  };
  std::vector<After> after_;
};

// A constant whose one number all elements repeat, as networks store it.
void join_repeated(Operand& operand) {
  const auto rank = static_cast<uint32_t>(operand.dims.size());
  const uint32_t all = rank >= 32 ? ~0u : (1u << rank) - 1;
  if (rank == 0 || (operand.repeated & all) != all) return;
  operand.dims.assign(rank, 1);
  operand.repeated = 0;
}

}  // namespace

planner::NamedGraph graph_of_step(const OpCase& given, uint32_t inputs) {
  OpCase c = given;
  for (size_t i = inputs; i < c.inputs.size(); ++i) join_repeated(c.inputs[i]);
  planner::NamedGraph named;
  named.method = std::string(ops_test::op_name(c.op)) + "_" + c.name;
  OrderedOperands operands(named.graph);
  planner::Node node;
  node.op = c.op;
  node.attributes = c.attributes;
  for (uint32_t i = 0; i < c.inputs.size(); ++i) {
    const std::string name = "in" + std::to_string(i);
    if (c.inputs[i].absent) {
      node.inputs.push_back(planner::kNoValue);
    } else if (i < inputs) {
      node.inputs.push_back(operands.add_input(c.inputs[i], name));
    } else {
      node.inputs.push_back(operands.add_constant(c.inputs[i], name, bytes_of(contents_of(c, i))));
    }
  }
  for (uint32_t i = 0; i < c.outputs.size(); ++i) {
    node.outputs.push_back(c.outputs[i].absent
                               ? planner::kNoValue
                               : operands.add_output(c.outputs[i], "out" + std::to_string(i)));
  }
  named.graph.nodes.push_back(std::move(node));
  operands.finish();
  return named;
}

planner::PlanOptions case_options(const planner::Board& board, CpuFeatures features) {
  planner::PlanOptions options;
  options.boards = {board};
  options.few_halves = true;
  // No case asks for sizes of code, which each plan would read from the toolchain's file.
  options.boards[0].toolchain.clear();
  // Costs that are fitted to cases must not choose the forms of the next ones.
  options.boards[0].costs = {};
  options.boards[0].cpu_features &= features;
  for (planner::BoardVariant& variant : options.boards[0].variants) {
    variant.cpu_features &= features;
  }
  // An embedded image could not hold them all; the harness has them in its store.
  std::erase_if(options.boards[0].program_memories,
                [](const planner::ProgramMemory& memory) { return memory.image == "embedded"; });
  // Firmware has an instance for each method, the harness one for all.
  for (planner::BoardMemory& memory : options.boards[0].own_memories) {
    memory.memory.size_bytes = memory::kUnbounded;
  }
  return options;
}

bool is_small(const OpCase& c) {
  constexpr uint64_t kElementsMax = 2000;
  for (const Operand& operand : c.inputs) {
    if (!operand.absent && ops_test::count_of(operand.dims) > kElementsMax) return false;
  }
  return true;
}

bool has_packed_input(const OpCase& c) {
  return std::any_of(c.inputs.begin(), c.inputs.end(), is_packed);
}

TypeSet forms_of(const OpCase& c) {
  TypeSet types = 0;
  for (const Operand& x : c.inputs) types |= x.absent ? 0 : type_set(x.dtype);
  TypeSet forms = 0;
  for (const TypeSet form : {kFloatForm, kIntegerForm, kOtherForm}) {
    if ((types & form) != 0) forms |= form;
  }
  return forms;
}

}  // namespace arenite::boards_test
// SPDX-License-Identifier: Apache-2.0
