// `inspect` counts the same steps of a program as its plan did: steps of integers, and of floats
// between.
#include <gtest/gtest.h>

#include "planner/import/import.h"
#include "planner/passes/passes.h"
#include "planner/plan.h"
#include "planner/program/inspect.h"
#include "tests/planner/model/model_builder.h"

namespace arenite::test {
namespace {

struct Model {
  bool quantized = true;
  bool has_view = false;  // between two steps of floats
};

// The sigmoid of x, a table where it is quantized, and a function of its sums, of floats.
planner::PlanResult plan_of(const Model& wanted) {
  const bool quantized = wanted.quantized;
  using planner::integer_tensor;
  planner::ModelBuilder model(17);
  const DType type = quantized ? DType::kInt8 : DType::kFloat32;
  model.input("x", {"2", "6"}, type).output("y", type);
  model.initializer("s", planner::float_tensor({}, {0.1f}));
  model.initializer("z", integer_tensor(DType::kInt8, {}, {3}));
  model.initializer("axis", planner::int64_tensor({}, {1}));
  model.initializer("dims", planner::int64_tensor({2}, {3, 4}));
  std::string from = "x";
  const auto node = [&](const char* op, std::vector<std::string> more, const std::string& to) {
    more.insert(more.begin(), from);
    model.node(op, more, {to}, to);
    from = to;
  };
  if (quantized) node("DequantizeLinear", {"s", "z"}, "dx");
  node("Sigmoid", {}, "sigmoid");
  if (quantized) {
    node("QuantizeLinear", {"s", "z"}, "q");
    node("DequantizeLinear", {"s", "z"}, "dq");
  }
  node("CumSum", {"axis"}, "sum");
  if (wanted.has_view) node("Reshape", {"dims"}, "reshaped");
  node("Exp", {}, quantized ? "exp" : "y");
  if (quantized) node("QuantizeLinear", {"s", "z"}, "y");
  planner::NamedGraph named{"main", planner::import_onnx(model.bytes(), {}), {}};
  planner::optimize(named.graph);
  planner::PlanOptions options;
  options.boards = {planner::find_board("mps3-an547")};
  return planner::plan_graphs({named}, options);
}

TEST(QuantizedCounts, InspectSaysWhatThePlanSaid) {
  const planner::PlanResult result = plan_of({});
  const planner::ProgramInfo info = planner::inspect(result.program);
  const auto counts = info.methods.at(0).variants.at(0).quantized;
  ASSERT_TRUE(counts && result.report.quantized);
  EXPECT_EQ(counts->integer_steps, 1u);
  EXPECT_EQ(counts->float_steps, 2u);
  EXPECT_EQ(counts->integer_steps, result.report.quantized->integer_steps);
  EXPECT_EQ(counts->float_steps, result.report.quantized->float_steps);
  EXPECT_NE(planner::to_text(info).find("quantized: 1 steps of integers, 2 of floats between"),
            std::string::npos);
  EXPECT_NE(planner::to_json(info).find("\"float_steps\": 2"), std::string::npos);
}

// Plans count nodes, programs what runs.
TEST(QuantizedCounts, ViewsDoNotCount) {
  const planner::ProgramInfo info = planner::inspect(plan_of({.has_view = true}).program);
  EXPECT_EQ(info.methods.at(0).variants.at(0).quantized->float_steps, 2u);
}

TEST(QuantizedCounts, NothingOfProgramsOfFloats) {
  const planner::ProgramInfo info = planner::inspect(plan_of({.quantized = false}).program);
  EXPECT_FALSE(info.methods.at(0).variants.at(0).quantized);
  EXPECT_EQ(planner::to_json(info).find("float_steps"), std::string::npos);
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
