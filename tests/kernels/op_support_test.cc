// Compares docs/ops.md's types of GPUs with those that dispatch rules take, over every case's
// types.
#include "planner/report/op_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "kernels/dispatch/rules.h"
#include "ops/contracts.h"
#include "planner/graph/names.h"
#include "tests/kernels/dispatch_rules.h"
#include "tests/ops/case_step.h"
#include "tests/ops/cases.h"

namespace arenite::test {
namespace {

using ops_test::CaseStep;
using ops_test::OpCase;
using ops_test::Operand;

bool has_elements(const OpCase& c) {
  const auto empty = [](const Operand& x) {
    return std::find(x.dims.begin(), x.dims.end(), 0u) != x.dims.end();
  };
  return std::none_of(c.inputs.begin(), c.inputs.end(), empty);
}

DType type_of_case(const OpCase& c) {
  CaseStep step(c);
  const Bindings bindings = step.bindings();
  return type_of(Step(bindings, step.record(), 0), *find_contract(c.op));
}

bool is_taken(const OpCase& c) {
  CaseStep step(c);
  const Bindings bindings = step.bindings();
  const Step at(bindings, step.record(), 0);
  return check_contract(at, *find_contract(c.op)).ok() && !ways_of(at, plain_device()).empty();
}

std::vector<DType> types_of(const OpCase& c) {
  std::vector<DType> types;
  for (const Operand& x : c.inputs) types.push_back(x.absent ? DType::kNone : x.dtype);
  for (const Operand& y : c.outputs) types.push_back(y.dtype);
  return types;
}

// The cases of an operator that rules take: one for each combination of operands' types.
struct Taken {
  std::vector<const OpCase*> cases;
  std::set<std::vector<DType>> combinations;
  std::map<DType, std::string> by_type;  // the name of one
  std::set<DType> seen;                  // types of all cases with elements
};

std::map<Op, Taken> taken_by_op(const std::vector<OpCase>& cases) {
  std::map<Op, Taken> all;
  for (const OpCase& c : cases) {
    Taken& taken = all[c.op];
    if (taken.combinations.contains(types_of(c))) continue;
    if (has_elements(c)) taken.seen.insert(type_of_case(c));
    if (!is_taken(c)) continue;
    taken.cases.push_back(&c);
    taken.combinations.insert(types_of(c));
    taken.by_type.emplace(type_of_case(c), c.name);
  }
  return all;
}

// Whether rules take a case of theirs with its type replaced.
bool take_retyped(const Taken& taken, DType type) {
  return std::any_of(taken.cases.begin(), taken.cases.end(), [&](const OpCase* taken_case) {
    OpCase c = *taken_case;
    const DType from = type_of_case(c);
    for (std::vector<Operand>* operands : {&c.inputs, &c.outputs}) {
      for (Operand& operand : *operands) {
        if (operand.dtype == from) operand.dtype = type;
      }
    }
    return is_taken(c);
  });
}

TEST(OpSupport, SaysOfGpusWhatDispatchRulesTake) {
  const std::vector<OpCase>& cases = ops_test::all_cases();
  for (const auto& [op, taken] : taken_by_op(cases)) {
    const TypeSet said = planner::gpu_types(op);
    for (const DType type : taken.seen) {
      const std::string what = planner::op_name(op) + " of " + planner::dtype_name(type);
      const bool runs = taken.by_type.contains(type);
      if (has(said, type)) {
        EXPECT_TRUE(runs || take_retyped(taken, type)) << what << ": no rule takes it";
      } else {
        EXPECT_FALSE(runs) << what << " runs on GPUs; that is not said";
      }
    }
  }
}

// Each is expressed by an operator of ONNX that exists, or by one of ours.
TEST(OpSupport, EveryOperatorOfTensorFlowLiteIsSaidInWordsThatAreKnown) {
  std::set<std::string> onnx;
  for (const planner::OpSupport& op : planner::supported_ops()) onnx.insert(op.name);
  for (const auto& [said, op] : planner::supported_tflite_ops()) {
    if (said.empty()) {
      EXPECT_FALSE(op.becomes.empty()) << op.name;
    } else {
      EXPECT_TRUE(onnx.contains(said)) << op.name << ": " << said;
    }
  }
  for (const planner::RefusedOp& op : planner::refused_tflite_ops()) {
    EXPECT_NE(op.why, "") << op.name;
    EXPECT_NE(op.instead, "") << op.name;
  }
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
