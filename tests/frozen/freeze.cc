// Writes the programs that are kept in this folder: freeze FOLDER.
//
// digits.arn: the digit classifier for three boards. operators.arn: a method for each operator,
// with its attributes and types. state.arn: a running sum. choice.arn: a branch that the run takes.
// cuts.arn: the same, of which a device leaves one side out. Each holds test vectors, whose outputs
// no kernel has computed.
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <map>

#include "planner/import/import.h"
#include "planner/passes/passes.h"
#include "planner/plan.h"
#include "planner/program/sections.h"
#include "support/file.h"
#include "tests/core/sample_programs.h"
#include "tests/ops/case_step.h"
#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::test {
namespace {

namespace fs = std::filesystem;
using ops_test::Numbers;
using ops_test::OpCase;
using planner::Graph;
using planner::NamedGraph;
using planner::TestVector;

// With `cut`, devices leave out all that they can.
std::vector<std::byte> planned(const std::vector<NamedGraph>& graphs,
                               std::initializer_list<const char*> boards, bool cut = false) {
  planner::PlanOptions options;
  for (const char* board : boards) {
    options.boards.push_back(planner::find_board(board));
    if (cut) options.boards.back().costs.cut_ps = options.boards.back().costs.wait_ps = 0;
  }
  return planner::plan_graphs(graphs, options).program;
}

// The elements [from, from + count) of a .npy file of float32.
std::vector<std::byte> npy_floats(const fs::path& path, size_t from, size_t count) {
  const std::vector<std::byte> file = read_file(path);
  const size_t header =
      10 + std::to_integer<size_t>(file.at(8)) + 256 * std::to_integer<size_t>(file.at(9));
  const auto* first = file.data() + header + 4 * from;
  if (header + 4 * (from + count) > file.size()) throw InputError("too short: " + path.string());
  return {first, first + 4 * count};
}

// The results that PyTorch computed for the first images.
std::vector<std::byte> digits() {
  const fs::path folder = fs::path(ARENITE_SOURCE_DIR) / "examples/digits";
  NamedGraph digits{"digits", planner::import_onnx(read_file(folder / "digits.onnx"), {}), {}};
  planner::optimize(digits.graph);
  for (size_t i = 0; i < 3; ++i) {
    digits.test_vectors.push_back({{npy_floats(folder / "images.npy", 64 * i, 64)},
                                   {npy_floats(folder / "logits.npy", 10 * i, 10)}});
  }
  return planned({digits}, {"host", "mps3-an547", "mps2-an386"});
}

std::vector<std::byte> bytes_of(const Numbers& numbers) {
  const uint32_t size = element_bytes(numbers.dtype);
  std::vector<std::byte> bytes(numbers.values.size() * size);
  for (size_t i = 0; i < numbers.values.size(); ++i) {
    ops_test::encode(numbers.dtype, numbers.values[i], bytes.data() + i * size);
  }
  return bytes;
}

// All operands dense and row-major, with ordinary numbers in them.
OpCase made_plain(OpCase c) {
  for (auto* operands : {&c.inputs, &c.outputs}) {
    for (ops_test::Operand& operand : *operands) {
      operand.specials.clear();
      operand.order.clear();
      operand.margin = operand.repeated = 0;
      operand.layout = Layout::kStrided;
    }
  }
  return c;
}

uint64_t elements_of(const OpCase& c) {
  uint64_t elements = 0;
  for (const auto* operands : {&c.inputs, &c.outputs}) {
    for (const ops_test::Operand& operand : *operands) {
      if (!operand.absent) elements += ops_test::count_of(operand.dims);
    }
  }
  return elements;
}

// For each operator the smallest case that has several elements in each tensor but single bounds.
std::map<Op, OpCase> small_cases() {
  std::map<Op, OpCase> smallest;
  for (const OpCase& c : ops_test::all_cases()) {
    if (ops_test::count_of(c.outputs[0].dims) < 6) continue;
    const auto found = smallest.find(c.op);
    if (found == smallest.end() || elements_of(c) < elements_of(found->second)) {
      smallest.insert_or_assign(c.op, c);
    }
  }
  return smallest;
}

NamedGraph graph_of(const OpCase& c) {
  NamedGraph named{ops_test::op_name(c.op), {}, {}};
  Graph& graph = named.graph;
  planner::Node node;
  node.op = c.op;
  node.attributes = c.attributes;
  node.sources = {named.method};
  TestVector vector;
  const auto add = [&](const ops_test::Operand& operand, const char* kind) {
    planner::Value value;
    value.name = kind + std::to_string(graph.values.size());
    value.dtype = operand.dtype;
    value.dims = operand.dims;
    graph.values.push_back(std::move(value));
    return static_cast<planner::ValueId>(graph.values.size() - 1);
  };
  for (uint32_t i = 0; i < c.inputs.size(); ++i) {
    node.inputs.push_back(planner::kNoValue);
    if (c.inputs[i].absent) continue;
    node.inputs.back() = add(c.inputs[i], "input_");
    graph.inputs.push_back(node.inputs.back());
    vector.inputs.push_back(bytes_of(ops_test::contents_of(c, i)));
  }
  for (const ops_test::Operand& output : c.outputs) {
    node.outputs.push_back(add(output, "output_"));
    graph.outputs.push_back(node.outputs.back());
  }
  graph.nodes = {std::move(node)};
  for (const Numbers& expected : ops_test::oracle(c)) vector.outputs.push_back(bytes_of(expected));
  named.test_vectors = {std::move(vector)};
  return named;
}

// Integers that stand for numbers, at both ends.
NamedGraph quantized() {
  OpCase c;
  c.op = Op::kCopy;
  c.inputs = c.outputs = {ops_test::ranged(ops_test::tensor({2, 3}, DType::kInt8), -9, 9)};
  NamedGraph named = graph_of(c);
  named.method = "quantised";  // the name in the file that is kept
  named.graph.values[0].quantization = {DType::kInt8, {0.5f}, {-3}};
  named.graph.values[1].quantization = {DType::kInt8, {0.5f, 0.25f, 2.0f}, {-3, 0, 4}, 1};
  return named;
}

std::vector<std::byte> operators() {
  std::vector<NamedGraph> graphs;
  for (const auto& [op, c] : small_cases()) graphs.push_back(graph_of(made_plain(c)));
  graphs.push_back(quantized());
  return planned(graphs, {"host"});
}

std::vector<std::byte> state() {
  tests::Sums sums = tests::sums(true);
  const auto floats = [](float a, float b, float c) {
    return bytes_of({DType::kFloat32, {3}, {a, b, c}});
  };
  const TestVector vector = {{floats(1, 2, 3), floats(10, 20, 30)},
                             {floats(11, 22, 33), floats(12, 24, 36)}};
  sums.tables.sections.push_back(
      {format::SectionKind::kTestVectors, planner::test_vectors_section({{vector}})});
  return planner::write_program(sums.tables);
}

// y = c ? x + x : x * x.
std::vector<std::byte> choice(bool cut) {
  NamedGraph named{"choice", {}, {}};
  Graph& graph = named.graph;
  const auto value = [&](const char* name, DType dtype, const planner::Dims& dims) {
    planner::Value made;
    made.name = name;
    made.dtype = dtype;
    made.dims = dims;
    graph.values.push_back(std::move(made));
    return static_cast<planner::ValueId>(graph.values.size() - 1);
  };
  const auto node = [&](Op op, const std::vector<planner::ValueId>& inputs, planner::ValueId to) {
    planner::Node made;
    made.op = op;
    made.inputs = inputs;
    made.outputs = {to};
    made.sources = {graph.values[to].name};
    if (op != Op::kWhere) made.set_attributes(BinaryAttributes{});
    graph.nodes.push_back(std::move(made));
  };
  const planner::Dims dims = {2, 3};
  const auto x = value("x", DType::kFloat32, dims), c = value("c", DType::kBool, {});
  const auto sum = value("sum", DType::kFloat32, dims);
  const auto product = value("product", DType::kFloat32, dims);
  const auto y = value("y", DType::kFloat32, dims);
  node(Op::kAdd, {x, x}, sum);
  node(Op::kMul, {x, x}, product);
  node(Op::kWhere, {c, sum, product}, y);
  graph.inputs = {x, c};
  graph.outputs = {y};
  const auto floats = [](std::initializer_list<ops_test::Number> numbers) {
    return bytes_of({DType::kFloat32, {2, 3}, numbers});
  };
  for (const bool holds : {true, false}) {
    named.test_vectors.push_back(
        {{floats({1, 2, 3, 4, 5, 6}),
          bytes_of({DType::kBool, {}, {ops_test::Number(holds ? 1 : 0)}})},
         {holds ? floats({2, 4, 6, 8, 10, 12}) : floats({1, 4, 9, 16, 25, 36})}});
  }
  return planned({named}, {"host"}, cut);
}

// The digit classifier for batches of 1 to 4, with the logits of a full one.
std::vector<std::byte> sizes() {
  const fs::path folder = fs::path(ARENITE_SOURCE_DIR) / "examples/digits";
  const auto graph_for = [model = read_file(folder / "digits.onnx")](uint32_t batch) {
    planner::ImportOptions options;
    options.batch = batch;
    Graph graph = planner::import_onnx(model, options);
    planner::optimize(graph);
    return graph;
  };
  NamedGraph digits{"batches", graph_for(4), {}};
  digits.symbols = {{"batch", 1, 4}};
  digits.graph_at = [graph_for](const planner::SymbolNumbers& n) { return graph_for(n[0]); };
  digits.test_vectors.push_back({{npy_floats(folder / "images.npy", 0, 4 * 64)},
                                 {npy_floats(folder / "logits.npy", 0, 4 * 10)}});
  return planned({digits}, {"host"});
}

}  // namespace
}  // namespace arenite::test

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: freeze FOLDER\n");
    return 2;
  }
  try {
    const std::filesystem::path folder = argv[1];
    arenite::write_file(folder / "digits.arn", arenite::test::digits());
    arenite::write_file(folder / "operators.arn", arenite::test::operators());
    arenite::write_file(folder / "state.arn", arenite::test::state());
    arenite::write_file(folder / "choice.arn", arenite::test::choice(false));
    arenite::write_file(folder / "cuts.arn", arenite::test::choice(true));
    arenite::write_file(folder / "sizes.arn", arenite::test::sizes());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "freeze: %s\n", error.what());
    return 1;
  }
  return 0;
}
// SPDX-License-Identifier: Apache-2.0
