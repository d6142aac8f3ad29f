// Every case on the reference kernels: against the oracle, and bit by bit against itself in other
// layouts and on several threads.
#include <gtest/gtest.h>

#include <map>

#include "core/kernel.h"
#include "portable_fallback/kernels.h"
#include "tests/ops/cases.h"
#include "tests/ops/harness.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {

void PrintTo(const OpCase& c, std::ostream* out) { *out << op_name(c.op) << ' ' << c.name; }

namespace {

class Reference : public testing::TestWithParam<OpCase> {};

TEST_P(Reference, AgreesWithOracle) {
  const Outcome outcome = run_case(GetParam(), reference_form());
  ASSERT_TRUE(outcome.status.ok()) << "code " << static_cast<uint32_t>(outcome.status.code);
  const std::vector<Numbers> expected = oracle(GetParam());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(difference(outcome.outputs[i], expected[i], GetParam().tolerance), "")
        << "output " << i;
  }
  EXPECT_EQ(outcome.damage, "");
}

TEST_P(Reference, LayoutsAndThreadsKeepBits) {
  const Outcome plain = run_case(GetParam(), reference_form());
  ASSERT_TRUE(plain.status.ok());
  std::vector<OpCase> layouts = other_layouts(GetParam());
  layouts.push_back(GetParam());
  for (const OpCase& c : layouts) {
    for (uint32_t threads : {1u, 3u}) {
      SCOPED_TRACE(c.name + " on " + std::to_string(threads) + " threads");
      const Outcome other = run_case(c, reference_form(threads));
      ASSERT_TRUE(other.status.ok()) << "code " << static_cast<uint32_t>(other.status.code);
      for (size_t i = 0; i < plain.outputs.size(); ++i) {
        EXPECT_EQ(bit_difference(other.outputs[i], plain.outputs[i]), "") << "output " << i;
      }
      EXPECT_EQ(other.damage, "");
    }
  }
}

std::string case_name(const testing::TestParamInfo<OpCase>& info) {
  return std::string(op_name(info.param.op)) + "_" + info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Ops, Reference, testing::ValuesIn(all_cases()), case_name);

// Otherwise the comparison of thread counts would compare nothing.
TEST(ReferenceThreads, EachParallelKernelSplitsSomeCase) {
  std::map<Op, uint32_t> splits;
  for (const OpCase& c : all_cases()) {
    if (!run_case(c, reference_form(3, &splits[c.op])).status.ok()) ADD_FAILURE() << c.name;
  }
  for (const Kernel* kernel : all_kernels()) {
    EXPECT_EQ(splits[kernel->op] > 0, kernel->parallel) << op_name(kernel->op);
  }
}

TEST(ReferenceTable, HoldsEveryOperator) {
#define ARENITE_KERNEL_OP(number, name, Type, shader)               \
  {                                                                 \
    const Kernel* kernel = find_kernel(all_kernels(), Op::k##Type); \
    ASSERT_NE(kernel, nullptr) << #name;                            \
    EXPECT_EQ(kernel, &k##Type##Kernel);                            \
    EXPECT_FALSE(name##_cases().empty()) << #name;                  \
  }
#include "schema/ops.def"
}

}  // namespace
}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
