// Tests of If: the branch that is taken, or both and a choice, become part of the graph around it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/graph/obstacles.h"
#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// y = x + stored, or y = x * x, both of captured x.
void add_if(ModelBuilder& model, const std::string& y = "y") {
  ModelBuilder then_branch(13), else_branch(13);
  then_branch.initializer("stored", float_tensor({2}, {10, 20}));
  then_branch.node("Add", {"x", "stored"}, {"inner"}).output("inner");
  else_branch.node("Mul", {"x", "x"}, {"inner"}).output("inner");
  model.node("If", {"c"}, {y}, "choice");
  model.with_graph("then_branch", then_branch).with_graph("else_branch", else_branch);
}

std::vector<float> chosen(bool condition) {
  ModelBuilder model(13);
  model.input("x", {"2"}).initializer("c", bool_tensor({}, {condition}));
  add_if(model);
  return run_floats(model.output("y"), {float_tensor({2}, {3, 4})});
}

TEST(IfImport, TakesTheBranchOfAConstantCondition) {
  EXPECT_THAT(chosen(true), ElementsAre(13, 24));
  EXPECT_THAT(chosen(false), ElementsAre(9, 16));
}

// Branches may use the same names.
TEST(IfImport, SeveralBranchesKeepApart) {
  ModelBuilder model(13);
  model.input("x", {"2"}).initializer("c", bool_tensor({}, {true}));
  add_if(model, "a");
  add_if(model, "b");
  model.node("Add", {"a", "b"}, {"y"}).output("y");
  EXPECT_THAT(run_floats(model, {float_tensor({2}, {3, 4})}), ElementsAre(26, 48));
}

TEST(IfImport, BranchesNest) {
  ModelBuilder model(13), outer(13), inner(13), other(13);
  inner.node("Sub", {"v", "x"}, {"u"}).output("u");
  outer.node("Add", {"x", "x"}, {"v"}).node("If", {"c"}, {"w"}, "nested");
  outer.with_graph("then_branch", inner).with_graph("else_branch", other).output("w");
  model.input("x", {"2"}).initializer("c", bool_tensor({1}, {true}));
  model.node("If", {"c"}, {"y"}).with_graph("then_branch", outer);
  model.with_graph("else_branch", other).output("y");
  EXPECT_THAT(run_floats(model, {float_tensor({2}, {3, 4})}), ElementsAre(3, 4));
}

// A branch may hand on what it captures, what it stores, or one value twice.
TEST(IfImport, ResultsNeedNoNode) {
  ModelBuilder model(13), branch(13), other(13);
  branch.initializer("stored", float_tensor({2}, {1, 2})).node("Neg", {"x"}, {"n"});
  branch.output("x").output("stored").output("n").output("n");
  model.input("x", {"2"}).initializer("c", bool_tensor({}, {true}));
  model.node("If", {"c"}, {"p", "q", "r", "s"}).with_graph("then_branch", branch);
  model.with_graph("else_branch", other);
  for (const char* name : {"p", "q", "r", "s"}) model.output(name);
  const std::vector<TensorData> outputs = run_model(model, {float_tensor({2}, {3, 4})});
  EXPECT_THAT(floats_of(outputs[0].bytes), ElementsAre(3, 4));
  EXPECT_THAT(floats_of(outputs[1].bytes), ElementsAre(1, 2));
  EXPECT_THAT(floats_of(outputs[2].bytes), ElementsAre(-3, -4));
  EXPECT_THAT(floats_of(outputs[3].bytes), ElementsAre(-3, -4));
}

TEST(IfImport, RefusesWhatIsNotKnown) {
  ModelBuilder number(13), missing(13), inputs(13), outputs(13);
  number.input("x", {"2"}).initializer("c", float_tensor({}, {1}));
  add_if(number);
  EXPECT_THAT(import_error(number.output("y")), HasSubstr("expected a condition of a single bool"));
  missing.input("x", {"2"}).initializer("c", bool_tensor({}, {true}));
  missing.node("If", {"c"}, {"y"}).output("y");
  EXPECT_THAT(import_error(missing), HasSubstr("a branch is missing"));
  ModelBuilder with_inputs(13), empty(13);
  with_inputs.input("z", {"2"}).node("Neg", {"z"}, {"n"}).output("n");
  inputs.input("x", {"2"}).initializer("c", bool_tensor({}, {true})).node("If", {"c"}, {"y"});
  inputs.with_graph("then_branch", with_inputs).with_graph("else_branch", empty).output("y");
  EXPECT_THAT(import_error(inputs), HasSubstr("its branch has inputs"));
  outputs.input("x", {"2"}).initializer("c", bool_tensor({}, {false})).node("If", {"c"}, {"y"});
  outputs.with_graph("then_branch", with_inputs).with_graph("else_branch", empty).output("y");
  EXPECT_THAT(import_error(outputs), HasSubstr("its branch has 0 outputs, the node 1"));
}

TEST(IfImport, RunsChooseWhereTheConditionIsComputed) {
  for (const char* dim : {"", "1"}) {
    ModelBuilder model(13);
    model.input("x", {"2"});
    model.input("c", *dim == 0 ? std::vector<std::string>{} : std::vector<std::string>{dim},
                DType::kBool);
    add_if(model);
    model.output("y");
    const std::vector<uint32_t> dims(*dim == 0 ? 0 : 1, 1u);
    for (const bool condition : {true, false}) {
      const auto made =
          run_model(model, {float_tensor({2}, {3, 4}), bool_tensor(dims, {condition})});
      EXPECT_EQ(floats_of(made[0].bytes), chosen(condition));
    }
  }
}

// Each result is chosen by itself: one is a constant, one the same in both, one is not wanted.
TEST(IfImport, RunsChooseEachResult) {
  ModelBuilder model(13), then(13), other(13);
  then.initializer("stored", float_tensor({2}, {1, 2})).node("Neg", {"x"}, {"n"});
  then.output("n").output("x").output("stored").output("n");
  other.node("Abs", {"x"}, {"n"}).output("x").output("x").output("n").output("n");
  model.input("x", {"2"}).input("a", {"1"}).initializer("zero", float_tensor({}, {0}));
  model.node("Greater", {"a", "zero"}, {"c"}).node("If", {"c"}, {"p", "q", "r", ""}, "if");
  model.with_graph("then_branch", then).with_graph("else_branch", other);
  for (const char* name : {"p", "q", "r"}) model.output(name);
  const TensorData x = float_tensor({2}, {3, -4});
  const std::vector<TensorData> yes = run_model(model, {x, float_tensor({1}, {1})});
  EXPECT_THAT(floats_of(yes[0].bytes), ElementsAre(-3, 4));
  EXPECT_THAT(floats_of(yes[1].bytes), ElementsAre(3, -4));
  EXPECT_THAT(floats_of(yes[2].bytes), ElementsAre(1, 2));
  const std::vector<TensorData> no = run_model(model, {x, float_tensor({1}, {-1})});
  EXPECT_THAT(floats_of(no[0].bytes), ElementsAre(3, -4));
  EXPECT_THAT(floats_of(no[1].bytes), ElementsAre(3, -4));
  EXPECT_THAT(floats_of(no[2].bytes), ElementsAre(3, 4));
}

TEST(IfImport, RunsChooseAmongEqualDimsAlone) {
  ModelBuilder model(13), then(13), other(13);
  then.node("Neg", {"x"}, {"n"}).output("n");
  other.node("ReduceSum", {"x"}, {"s"}).output("s");
  model.input("x", {"1", "2"}).input("c", {}, DType::kBool).node("If", {"c"}, {"y"}, "if");
  model.with_graph("then_branch", then).with_graph("else_branch", other).output("y");
  EXPECT_THAT(
      import_error(model),
      testing::AllOf(HasSubstr("the run decides whether 'y' is float32 [1, 2] or float32 [1, 1]"),
                     HasSubstr("instead: results of one type")));
}

// Only what the branch that is taken asks for stands in the way.
TEST(IfImport, TheOtherBranchMayHoldAnything) {
  ModelBuilder model(13), taken(13), other(13);
  taken.node("Neg", {"x"}, {"n"}).output("n");
  other.node("Unheard", {"x"}, {"n"}).output("n");
  model.input("x", {"2"}).initializer("c", bool_tensor({}, {true})).node("If", {"c"}, {"y"});
  model.with_graph("then_branch", taken).with_graph("else_branch", other).output("y");
  EXPECT_EQ(import_error(model), "");
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
