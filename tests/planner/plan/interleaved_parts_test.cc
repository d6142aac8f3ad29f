// Tests which shuffles of channels become concatenations, and that results stay.
#include "planner/passes/integers/interleaved_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/attributes.h"
#include "planner/import/import.h"
#include "planner/passes/passes.h"
#include "tests/planner/model/run_model.h"

namespace arenite::test {
namespace {

using planner::Graph;
using planner::ModelBuilder;
using ::testing::ElementsAre;

planner::TensorData shape_of(const std::vector<int64_t>& dims) {
  return planner::int64_tensor({static_cast<uint32_t>(dims.size())}, dims);
}

// x [1, 3, 4, 5] and two functions of it side by side.
struct Parts : ModelBuilder {
  Parts() : ModelBuilder(13) {
    input("x", {"1", "3", "4", "5"});
    node("Relu", {"x"}, {"a"}, "relu").node("Sigmoid", {"x"}, {"b"}, "sigmoid");
  }
  Parts& concat(const std::vector<std::string>& parts, int64_t axis = 1) {
    node("Concat", parts, {"c"}, "concat").with("axis", axis);
    return *this;
  }
  Parts& shuffle(const std::vector<int64_t>& split, const std::vector<int64_t>& order,
                 const std::vector<int64_t>& merged) {
    initializer("split", shape_of(split));
    initializer("merged", shape_of(merged));
    node("Reshape", {"c", "split"}, {"s"}, "split");
    node("Transpose", {"s"}, {"t"}, "transpose").with_ints("perm", order);
    node("Reshape", {"t", "merged"}, {"y"}, "merge").output("y");
    return *this;
  }
  Graph graph() const {
    Graph graph = planner::import_onnx(bytes(), {});
    planner::optimize(graph);
    return graph;
  }
  // Whether there was something to interleave, after which results must be the same.
  bool is_interleaved() const {
    const Graph plain = graph();
    const std::optional<Graph> found = planner::with_interleaved_parts(plain);
    if (!found.has_value()) return false;
    const std::vector<planner::TensorData> x = {planner::random_tensor({1, 3, 4, 5}, 7)};
    EXPECT_EQ(planner::run_graph(*found, x)[0].bytes, planner::run_graph(plain, x)[0].bytes);
    return true;
  }
};

TEST(InterleavedParts, TakeTheShufflesPlace) {
  Parts two;
  two.concat({"a", "b"}).shuffle({1, 2, 3, 4, 5}, {0, 2, 1, 3, 4}, {1, 6, 4, 5});
  EXPECT_TRUE(two.is_interleaved());
  const Graph found = planner::with_interleaved_parts(two.graph()).value();
  ASSERT_EQ(found.nodes.size(), 6u);
  EXPECT_EQ(found.nodes[4].op, Op::kConcat);
  EXPECT_EQ(found.nodes[4].attributes_as<ConcatAttributes>().axis, 2u);
  EXPECT_THAT(found.nodes[5].sources, ElementsAre("merge", "transpose", "split"));
  EXPECT_FALSE(planner::with_interleaved_parts(found).has_value());

  Parts three;
  three.concat({"a", "b", "x"}).shuffle({1, 3, 3, 4, 5}, {0, 2, 1, 3, 4}, {1, 9, 4, 5});
  EXPECT_TRUE(three.is_interleaved());
}

TEST(InterleavedParts, LeaveOthersAlone) {
  Parts in_groups_of_parts;
  in_groups_of_parts.concat({"a", "b"});
  in_groups_of_parts.shuffle({1, 3, 2, 4, 5}, {0, 2, 1, 3, 4}, {1, 6, 4, 5});
  EXPECT_FALSE(in_groups_of_parts.is_interleaved());

  Parts otherwise;
  otherwise.concat({"a", "b"}).shuffle({1, 2, 3, 4, 5}, {0, 2, 1, 4, 3}, {1, 6, 5, 4});
  EXPECT_FALSE(otherwise.is_interleaved());

  Parts along_rows;
  along_rows.concat({"a", "b"}, 2).shuffle({1, 3, 2, 4, 5}, {0, 2, 1, 3, 4}, {1, 3, 8, 5});
  EXPECT_FALSE(along_rows.is_interleaved());

  Parts read_twice;
  read_twice.concat({"a", "b"}).shuffle({1, 2, 3, 4, 5}, {0, 2, 1, 3, 4}, {1, 6, 4, 5});
  read_twice.output("c");
  EXPECT_FALSE(read_twice.is_interleaved());
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
