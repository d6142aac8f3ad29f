// The safe distances that forms state are what their accesses show, on shapes, strides and
// attributes that nobody chose; those of the operators' cases are in forms_test.cc.
#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

#include "portable_fallback/forms.h"
#include "tests/kernels/random_cases.h"
#include "tests/ops/harness.h"
#include "tests/ops/quantized.h"
#include "tests/simulate/simulated.h"

namespace arenite::tools {
namespace {

using ops_test::CaseStep;
using ops_test::OpCase;
using ops_test::Operand;

// A random max pool of integers, channels last, which special forms take.
OpCase of_integers(OpCase c, uint32_t channels, DType type) {
  for (Operand* operand : {&c.inputs[0], &c.outputs[0]}) {
    std::vector<uint32_t> dims = operand->dims;
    dims[1] = channels;
    *operand = ops_test::channels_last(ops_test::tensor(dims, type));
  }
  return c;
}

// Those whose outputs are written in an order that leaves gaps: their distance is that of the
// highest byte written so far, and an element nearer may meet a gap.
bool leaves_gaps(Op op) {
  return op == Op::kPad || op == Op::kScatterND || op == Op::kScatterElements;
}

// On shapes, strides and attributes that nobody chose.
class RandomDistance : public testing::TestWithParam<Op> {};

TEST_P(RandomDistance, IsWhatTheAccessesShow) {
  std::vector<OpCase> cases = test::random_cases(GetParam(), 150, 1);
  for (size_t i = cases.size(); i-- > 0;) {
    if (GetParam() == Op::kMaxPool) {
      const auto channels = static_cast<uint32_t>(1 + 7 * i % 40);
      cases.push_back(of_integers(cases[i], channels, DType::kInt8));
      cases.push_back(of_integers(cases[i], channels, DType::kInt16));
    }
    for (OpCase& blocked : ops_test::other_blocks(cases[i])) cases.push_back(std::move(blocked));
    const bool is_product = GetParam() == Op::kQuantizedConv || GetParam() == Op::kQuantizedMatMul;
    if (!is_product || element_bytes(cases[i].inputs[kWeightsInput].dtype) != 1) continue;
    for (OpCase& halves : ops_test::other_blocks(ops_test::packed(cases[i]))) {
      if (halves.inputs[kWeightsInput].blocks.bits == 4) cases.push_back(std::move(halves));
    }
  }
  for (const OpCase& c : cases) {
    CaseStep from(c);
    for (const Form* form : forms_of(from)) {
      SCOPED_TRACE(c.name + ", form " + std::to_string(form->number));
      for (uint32_t i = 0; i < c.inputs.size(); ++i) {
        expect_safe_distance(from, *form, i);
        if (!leaves_gaps(c.op)) expect_tight_distance(from, *form, i);
      }
      if (HasFailure()) return;
    }
  }
}

std::vector<Op> ops_with_random_cases() {
  std::vector<Op> ops;
  for (const OpEntry& entry : all_ops()) {
    try {
      test::random_cases(entry.op, 1, 1);
      ops.push_back(entry.op);
    } catch (const std::logic_error&) {
    }
  }
  return ops;
}

INSTANTIATE_TEST_SUITE_P(Ops, RandomDistance, testing::ValuesIn(ops_with_random_cases()),
                         [](const testing::TestParamInfo<Op>& op) {
                           return std::string(ops_test::op_name(op.param));
                         });

// Otherwise the cases would compare nothing.
TEST(SafeDistanceCases, ShowDistancesOfEachOperatorThatHasOne) {
  std::map<Op, uint32_t> shown;
  for (const OpCase& c : ops_test::all_cases()) {
    CaseStep from(c);
    const Bindings bindings = from.bindings();
    const Step step(bindings, from.record(), 0);
    const Form& form = *ops_test::reference_of(step);
    if (form.safe_distance == nullptr) continue;
    shown[c.op] += form.safe_distance(step, 0) != kNoOverlap ? 1u : 0u;
  }
  for (const auto& [op, cases] : shown) EXPECT_NE(cases, 0u) << ops_test::op_name(op);
}

}  // namespace
}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
