// The graph builder that front ends share, as one of them would use it.
#include "planner/graph/graph_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "core/program.h"
#include "planner/plan.h"
#include "planner/program/aligned_program.h"

namespace arenite::planner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::byte> bytes_of(const std::vector<float>& numbers) {
  std::vector<std::byte> bytes(numbers.size() * 4);
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

Node add(ValueId a, ValueId b, ValueId sum) {
  Node node;
  node.op = Op::kAdd;
  node.inputs = {a, b};
  node.outputs = {sum};
  node.set_attributes(BinaryAttributes{});
  node.sources = {"sum"};
  return node;
}

DeclaredOutput declared(const std::string& name, ValueId value, DType dtype = DType::kFloat32) {
  return {name, dtype, std::nullopt, value};
}

std::string input_error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(GraphBuilder, ComputesWhatIsConstant) {
  GraphBuilder b;
  const ValueId x = b.add_input("x", DType::kFloat32, {2});
  const ValueId one = b.add_value("one", DType::kFloat32, {2});
  b.set_constant(one, bytes_of({1, 2}));
  const ValueId two = b.add_value("two", DType::kFloat32, {2});
  EXPECT_EQ(b.add_node(add(one, one, two)), "");
  EXPECT_EQ(*b.value(two).constant, bytes_of({2, 4}));
  const ValueId y = b.add_value("y", DType::kFloat32, {2});
  EXPECT_EQ(b.add_node(add(x, two, y)), "");
  const Graph graph = b.finish({declared("y", y)});
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_THAT(graph.outputs, ElementsAre(y));
}

TEST(GraphBuilder, LeavesNothingToComputeWithoutElements) {
  GraphBuilder b;
  const ValueId x = b.add_input("x", DType::kFloat32, {0, 2});
  const ValueId y = b.add_value("y", DType::kFloat32, {0, 2});
  EXPECT_EQ(b.add_node(add(x, x, y)), "");
  EXPECT_TRUE(b.value(y).constant->empty());
  const ValueId z = b.add_value("z", DType::kFloat32, {1});
  EXPECT_THAT(input_error_of([&] { b.add_node(add(x, x, z)); }), HasSubstr("no elements"));
}

TEST(GraphBuilder, SaysWhyNoKernelTakesANode) {
  GraphBuilder b;
  const ValueId x = b.add_input("x", DType::kBool, {2});
  const ValueId y = b.add_value("y", DType::kBool, {2});
  EXPECT_THAT(b.add_node(add(x, x, y)), HasSubstr("does not take its element types"));
}

TEST(GraphBuilder, RefusesDimsAndBytesThatAreNone) {
  GraphBuilder b;
  EXPECT_THAT(input_error_of([&] { b.add_value("v", DType::kFloat32, {-1}); }),
              HasSubstr("hold -1"));
  EXPECT_THAT(input_error_of([&] {
                b.add_value("v", DType::kFloat32, {1 << 30, 1 << 30});
              }),
              HasSubstr("2 GiB"));
  const ValueId v = b.add_value("v", DType::kFloat32, {2});
  EXPECT_EQ(input_error_of([&] { b.set_constant(v, bytes_of({1})); }), "holds 4 bytes, expected 8");
}

TEST(GraphBuilder, MakesNamesUp) {
  GraphBuilder b;
  b.reserve_name("a");
  EXPECT_EQ(b.unique_name("b"), "b");
  EXPECT_EQ(b.unique_name("a"), "a.2");
  EXPECT_EQ(b.unique_name("a"), "a.3");
}

// An input, a constant, or a value that is an output already.
TEST(GraphBuilder, CopiesWhatNoNodeWritesForTheOutputAlone) {
  GraphBuilder b;
  const ValueId x = b.add_input("x", DType::kFloat32, {1});
  const ValueId c = b.add_value("c", DType::kFloat32, {1});
  b.set_constant(c, bytes_of({1}));
  const ValueId y = b.add_value("y", DType::kFloat32, {1});
  b.add_node(add(x, c, y));
  const Graph graph =
      b.finish({declared("x", x), declared("c", c), declared("y", y), declared("y", y)});
  std::vector<std::string> names;
  for (const ValueId v : graph.outputs) names.push_back(graph.values[v].name);
  EXPECT_THAT(names, ElementsAre("x.copy", "c", "y", "y.copy"));
  EXPECT_EQ(graph.nodes.size(), 4u);
}

TEST(GraphBuilder, ChecksOutputsAgainstWhatIsDeclared) {
  GraphBuilder b;
  const ValueId x = b.add_input("x", DType::kFloat32, {3});
  EXPECT_THAT(input_error_of([&] { GraphBuilder(b).finish({declared("y", kNoValue)}); }),
              HasSubstr("no node makes it"));
  EXPECT_THAT(input_error_of([&] { GraphBuilder(b).finish({declared("x", x, DType::kInt32)}); }),
              HasSubstr("is declared int32, the graph gives float32"));
  DeclaredOutput other = declared("x", x);
  other.dims = {{4}};
  EXPECT_THAT(GraphBuilder(b).finish({other}).notes, ElementsAre(HasSubstr("declares others")));
  other.dims = {{-1}};
  EXPECT_TRUE(b.finish({other}).notes.empty());
}

TEST(GraphBuilder, TellsAllObstaclesAndAsksForShapesAloneWhenThatIsAll) {
  GraphBuilder b;
  b.want_shape({"input", "x", "no shape", "input x: no shape"});
  EXPECT_EQ(input_error_of([&] { GraphBuilder(b).finish({}); }), "input x: no shape");
  b.add_obstacle({"Fancy", "f", "operator is not supported", "node f: operator is not supported"});
  try {
    b.finish({});
    FAIL();
  } catch (const ObstaclesError& error) {
    ASSERT_EQ(error.obstacles.size(), 2u);
    EXPECT_EQ(error.obstacles[0].op, "Fancy");
  }
}

TEST(GraphBuilder, CarriesQuantizationIntoTheProgram) {
  GraphBuilder b;
  const ValueId x = b.add_input("x", DType::kInt8, {4});
  b.set_quantization(x, {DType::kInt8, {0.5f}, {-3}});
  b.set_symbols(x, {"N"});
  const ValueId y = b.add_value("y", DType::kInt8, {4});
  b.set_quantization(y, {DType::kInt8, {0.1f, 0.2f, 0.3f, 0.4f}, {0, 0, 0, 0}, 0});
  Node copy;
  copy.op = Op::kCopy;
  copy.inputs = {x};
  copy.outputs = {y};
  b.add_node(copy);
  const Graph graph = b.finish({declared("y", y, DType::kInt8)});
  EXPECT_THAT(graph.values[x].symbols, ElementsAre("N"));
  PlanOptions options;
  options.boards = {find_board("host")};
  const AlignedProgram program(plan_graphs({{"main", graph, {}}}, options).program);
  // A scale for each channel has no place in a program.
  ASSERT_EQ(program->quantization().size(), 1u);
  EXPECT_EQ(program->quantization()[0].io, 0u);
  EXPECT_EQ(program->quantization()[0].zero_point, -3);
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
