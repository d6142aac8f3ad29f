// Tests importing matrix products: ranks, batches, transposes, old opsets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Dims = std::vector<uint32_t>;

TensorData product(const Dims& a, const Dims& b) {
  ModelBuilder model(13);
  const auto words = [](const Dims& dims) {
    std::vector<std::string> text;
    for (const uint32_t dim : dims) text.push_back(std::to_string(dim));
    return text;
  };
  model.input("a", words(a)).input("b", words(b)).node("MatMul", {"a", "b"}, {"y"}).output("y");
  return run_model(model, {counting_tensor(a), counting_tensor(b)})[0];
}

TEST(MatMulImport, VectorsAreRowsAndColumns) {
  EXPECT_EQ(product({3}, {3}).dims, Dims{});
  EXPECT_THAT(floats_of(product({3}, {3}).bytes), ElementsAre(14));
  EXPECT_EQ(product({2}, {2, 3}).dims, Dims{3});
  EXPECT_THAT(floats_of(product({2}, {2, 3}).bytes), ElementsAre(9, 12, 15));
  EXPECT_EQ(product({3, 2}, {2}).dims, Dims{3});
  EXPECT_THAT(floats_of(product({3, 2}, {2}).bytes), ElementsAre(5, 11, 17));
  EXPECT_EQ(product({2}, {4, 2, 3}).dims, (Dims{4, 3}));
}

TEST(MatMulImport, BatchesBroadcast) {
  EXPECT_EQ(product({2, 1, 2, 3}, {4, 3, 2}).dims, (Dims{2, 4, 2, 2}));
  // The same matrix for both batches.
  const std::vector<float> both = floats_of(product({2, 1, 2}, {2, 1}).bytes);
  EXPECT_THAT(both, ElementsAre(5, 11));
  EXPECT_THAT(floats_of(product({1, 2}, {2, 2, 1}).bytes), ElementsAre(5, 11));
}

TEST(MatMulImport, InnerDimensionsMustAgree) {
  ModelBuilder model(13);
  model.input("a", {"2", "3"}).input("b", {"4", "2"}).node("MatMul", {"a", "b"}, {"y"});
  EXPECT_THAT(import_error(model.output("y")), AllOf(HasSubstr("[2, 3]"), HasSubstr("[4, 2]")));
}

TEST(GemmImport, TransposesScalesAndAdds) {
  ModelBuilder model(13);
  model.input("a", {"2", "1"}).initialiser("b", counting_tensor({2, 2}));
  model.initialiser("c", counting_tensor({1}));
  model.node("Gemm", {"a", "b", "c"}, {"y"}).output("y");
  model.with("transA", 1).with("transB", 1).with("alpha", 2.0f).with("beta", 10.0f);
  EXPECT_THAT(run_floats(model, {counting_tensor({2, 1})}), ElementsAre(20, 32));
  // The transposed constant is computed while importing, the input's transpose is a view.
  const Graph graph = import_onnx(model.bytes(), {});
  EXPECT_EQ(graph.nodes.size(), 2u);
  EXPECT_EQ(count_ops(graph, Op::kTranspose), 1u);
}

TEST(GemmImport, WithoutC) {
  ModelBuilder model(11);
  model.input("a", {"1", "2"}).input("b", {"2", "1"}).node("Gemm", {"a", "b"}, {"y"}).output("y");
  EXPECT_THAT(run_floats(model, {counting_tensor({1, 2}), counting_tensor({2, 1})}),
              ElementsAre(5));
  ModelBuilder old(9);
  old.input("a", {"1", "2"}).input("b", {"2", "1"}).node("Gemm", {"a", "b"}, {"y"}).output("y");
  EXPECT_THAT(import_error(old), HasSubstr("input 2 is missing"));
}

TEST(GemmImport, BroadcastAttributeBeforeOpset7) {
  ModelBuilder model(6);
  model.input("a", {"2", "1"}).input("b", {"1", "2"}).input("c", {"2"});
  model.node("Gemm", {"a", "b", "c"}, {"y"}).output("y");
  EXPECT_THAT(import_error(model), HasSubstr("expected C to have dims [2, 2], found [2]"));
  model.with("broadcast", 1);
  EXPECT_THAT(
      run_floats(model, {counting_tensor({2, 1}), counting_tensor({1, 2}), counting_tensor({2})}),
      ElementsAre(2, 4, 3, 6));
}

TEST(GemmImport, CMustNotEnlargeTheResult) {
  ModelBuilder model(13);
  model.input("a", {"1", "2"}).input("b", {"2", "2"}).input("c", {"3", "2"});
  model.node("Gemm", {"a", "b", "c"}, {"y"}).output("y");
  EXPECT_THAT(import_error(model), AllOf(HasSubstr("[1, 2]"), HasSubstr("[3, 2]")));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
