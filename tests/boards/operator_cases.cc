// Writes a program whose test vectors are cases of every operator: operator_cases BOARD
// PROGRAM.arn [costs].
//
// `arenite target test --ops` runs it on the board. Some small cases of each operator for each
// group of types are methods, twice where they have weights: as inputs, which references take, and
// as constants, which special forms take. What is expected of each is this machine's answer to it.
//
// With `costs` the cases are as large as steps of networks are: `arenite target bench --ops` fits
// the costs of forms to them.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "support/file.h"
#include "tests/boards/case_graph.h"
#include "tests/boards/cost_cases.h"
#include "tests/ops/cases.h"
#include "tools/run/program_file.h"
#include "tools/run/runner.h"

namespace arenite::boards_test {
namespace {

using ops_test::OpCase;

constexpr size_t kCasesOfAForm = 3;

// Cases as methods.
struct Cases {
  std::vector<planner::NamedGraph> graphs;
  std::vector<std::vector<tools::HostTensor>> inputs;
};

// Appends those that can be planned: some only kernels know.
void append(const planner::PlanOptions& options, Weights weights, Cases& cases) {
  std::map<std::tuple<Op, TypeSet, bool>, size_t> taken;
  for (const OpCase& c : ops_test::all_cases()) {
    const bool has_weights = c.inputs.size() > kWeightsInput && !c.inputs[kWeightsInput].absent;
    if (!is_small(c) || (weights == Weights::kAsConstants && !has_weights)) continue;
    size_t& count = taken[{c.op, forms_of(c), has_packed_input(c)}];
    if (count == kCasesOfAForm) continue;
    planner::NamedGraph graph = graph_of(c, weights);
    if (weights == Weights::kAsConstants) graph.method += "_constant";
    try {
      planner::plan_graphs({graph}, options);
    } catch (const std::exception&) {
      continue;
    }
    ++count;
    cases.graphs.push_back(std::move(graph));
    cases.inputs.push_back(inputs_of(c, weights));
  }
}

std::vector<std::vector<std::byte>> bytes_of(std::vector<tools::HostTensor> tensors) {
  std::vector<std::vector<std::byte>> bytes;
  for (tools::HostTensor& tensor : tensors) bytes.push_back(std::move(tensor.bytes));
  return bytes;
}

// Softmax of a few numbers, once or twice: what runs take beside their steps follows from both.
planner::NamedGraph softmaxes(const std::string& method, uint32_t steps) {
  planner::NamedGraph named;
  named.method = method;
  planner::Graph& graph = named.graph;
  graph.values.push_back({"in0", DType::kFloat32, {1, 8}, nullptr});
  graph.inputs = {0};
  for (uint32_t step = 0; step < steps; ++step) {
    planner::Node node;
    node.op = Op::kSoftmax;
    node.attributes = ops_test::words(SoftmaxAttributes{1u << 1});
    node.inputs = {step};
    node.outputs = {step + 1};
    graph.values.push_back({"out" + std::to_string(step), DType::kFloat32, {1, 8}, nullptr});
    graph.nodes.push_back(std::move(node));
  }
  graph.outputs = {steps};
  return named;
}

// Without inputs and results: costs follow from neither.
void write_cost_cases(const std::string& board, const std::string& path) {
  const planner::PlanOptions options = case_options(planner::find_board(board));
  std::vector<planner::NamedGraph> graphs = {softmaxes("one_step", 1), softmaxes("two_steps", 2)};
  const bool large = std::ranges::any_of(
      options.boards[0].memories,
      [](const planner::BoardMemory& one) { return one.memory.size_bytes == memory::kUnbounded; });
  for (const CostCase& c : cost_cases(large)) {
    planner::NamedGraph graph = graph_of_step(c.op, c.inputs);
    try {
      planner::plan_graphs({graph}, options);
    } catch (const std::exception&) {
      continue;
    }
    graphs.push_back(std::move(graph));
  }
  write_file(path, planner::plan_graphs(graphs, options).program);
}

void write_cases(const std::string& board, const std::string& path) {
  const planner::PlanOptions options = case_options(planner::find_board(board));
  Cases cases;
  append(options, Weights::kAsInputs, cases);
  append(options, Weights::kAsConstants, cases);
  const tools::ProgramFile file(planner::plan_graphs(cases.graphs, options).program, "operators");
  const tools::DeviceChoice cpu = tools::parse_device("cpu");
  for (size_t m = 0; m < cases.graphs.size(); ++m) {
    planner::NamedGraph& graph = cases.graphs[m];
    tools::Runner here(file, {cpu, options.boards[0].name, 1, graph.method}, nullptr);
    graph.test_vectors = {{bytes_of(cases.inputs[m]), bytes_of(here.run(cases.inputs[m]))}};
  }
  write_file(path, planner::plan_graphs(cases.graphs, options).program);
}

}  // namespace
}  // namespace arenite::boards_test

int main(int argc, char** argv) {
  const bool costs = argc == 4 && std::string(argv[3]) == "costs";
  if (argc != 3 && !costs) {
    std::fprintf(stderr, "usage: operator_cases BOARD PROGRAM.arn [costs]\n");
    return 2;
  }
  try {
    if (costs) {
      arenite::boards_test::write_cost_cases(argv[1], argv[2]);
    } else {
      arenite::boards_test::write_cases(argv[1], argv[2]);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "operator_cases: %s\n", error.what());
    return 1;
  }
  return 0;
}
// SPDX-License-Identifier: Apache-2.0
