// Runs cases of every operator on a board, some for each group of types, all in one program, and
// compares with the host bit by bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "core/form.h"
#include "planner/board/board.h"
#include "planner/plan.h"
#include "tests/ops/cases.h"
#include "tools/run/program_file.h"
#include "tools/target/target.h"

namespace arenite::tools {
namespace {

using ops_test::OpCase;
using ops_test::Operand;

bool is_packed(const Operand& operand) { return operand.layout == Layout::kPacked4; }

// Row-major.
std::vector<std::byte> bytes_of(const ops_test::Numbers& numbers) {
  const uint32_t bytes = element_bytes(numbers.dtype);
  std::vector<std::byte> all(numbers.values.size() * bytes);
  for (size_t e = 0; e < numbers.values.size(); ++e) {
    ops_test::encode(numbers.dtype, numbers.values[e], all.data() + e * bytes);
  }
  return all;
}

// A case as a graph of one node, all operands inputs but for those that only constants can be.
planner::NamedGraph graph_of(const OpCase& c) {
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
    if (is_packed(c.inputs[i])) {
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

std::vector<HostTensor> inputs_of(const OpCase& c) {
  std::vector<HostTensor> tensors;
  for (uint32_t i = 0; i < c.inputs.size(); ++i) {
    if (c.inputs[i].absent || is_packed(c.inputs[i])) continue;
    const ops_test::Numbers numbers = contents_of(c, i);
    tensors.push_back({numbers.dtype, numbers.dims, bytes_of(numbers)});
  }
  return tensors;
}

bool small(const OpCase& c) {
  constexpr uint64_t kElementsMax = 2000;
  for (const Operand& operand : c.inputs) {
    if (!operand.absent && ops_test::count_of(operand.dims) > kElementsMax) return false;
  }
  return true;
}

// The groups of types that references are made for, of which the case has some.
TypeSet forms_of(const OpCase& c) {
  TypeSet types = 0;
  for (const Operand& x : c.inputs) types |= x.absent ? 0 : type_set(x.dtype);
  TypeSet forms = 0;
  for (const TypeSet form : {kFloatForm, kIntegerForm, kOtherForm}) {
    if ((types & form) != 0) forms |= form;
  }
  return forms;
}

// Machines differ in the sign of a NaN that they make.
ops_test::Numbers numbers_of(const HostTensor& tensor) {
  ops_test::Numbers numbers = {tensor.dtype, tensor.dims, {}};
  const uint32_t bytes = element_bytes(tensor.dtype);
  for (size_t at = 0; at < tensor.bytes.size(); at += bytes) {
    numbers.values.push_back(ops_test::decode(tensor.dtype, tensor.bytes.data() + at));
  }
  return numbers;
}

TEST(TargetOps, EveryFormGivesTheHostsBits) {
  constexpr size_t kCasesOfAForm = 3;
  planner::PlanOptions options;
  options.boards = {planner::find_board("mps3-an547")};
  // Firmware has an instance for each method, the harness one for all.
  for (planner::BoardMemory& memory : options.boards[0].own_memories) {
    memory.memory.size_bytes = memory::kUnbounded;
  }
  std::vector<planner::NamedGraph> graphs;
  std::vector<std::vector<HostTensor>> inputs;
  std::map<std::tuple<Op, TypeSet, bool>, size_t> taken;
  std::set<Op> ops;
  for (const OpCase& c : ops_test::all_cases()) {
    const bool packed = std::any_of(c.inputs.begin(), c.inputs.end(), is_packed);
    size_t& count = taken[{c.op, forms_of(c), packed}];
    if (!small(c) || count == kCasesOfAForm) continue;
    try {  // some cases are forms that only kernels know
      planner::plan_graphs({graph_of(c)}, options);
    } catch (const std::exception&) {
      continue;
    }
    ++count;
    ops.insert(c.op);
    graphs.push_back(graph_of(c));
    inputs.push_back(inputs_of(c));
  }
#define ARENITE_KERNEL_OP(number, name, Type, shader) \
  EXPECT_TRUE(ops.contains(Op::k##Type)) << #name;
#include "schema/ops.def"
  const ProgramFile file(planner::plan_graphs(graphs, options).program, "ops");
  const DeviceChoice cpu = parse_device("cpu");
  std::vector<TargetTask> tasks;
  std::vector<std::vector<HostTensor>> expected;
  for (uint32_t m = 0; m < graphs.size(); ++m) {
    Runner host(file, {cpu, "mps3-an547", 1, graphs[m].method}, nullptr);
    tasks.push_back({m, {inputs[m], false, 1}});
    expected.push_back(host.run(inputs[m]));
  }
  const TargetResult result = run_on_target(options.boards[0], file, tasks);
  for (size_t m = 0; m < tasks.size(); ++m) {
    ASSERT_EQ(result.tasks[m].outputs.size(), expected[m].size());
    for (size_t i = 0; i < expected[m].size(); ++i) {
      EXPECT_EQ(ops_test::bit_difference(numbers_of(result.tasks[m].outputs[i]),
                                         numbers_of(expected[m][i])),
                "")
          << graphs[m].method;
    }
  }
  std::printf("%zu cases of %zu operators agree\n", tasks.size(), ops.size());
}

}  // namespace
}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
