// Weights in blocks: every operator that takes them is tried in every width, and what does not hold
// together is taken by no form.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/shape.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/blocked_rows.h"
#include "tests/ops/cases.h"
#include "tests/ops/harness.h"

namespace arenite::ops_test {
namespace {

TEST(Blocked, EveryOperatorIsTriedInEveryWidth) {
  std::map<Op, std::set<uint32_t>> bits;
  for (const OpCase& c : all_cases()) {
    for (const OpCase& blocked : other_blocks(c)) {
      CaseStep step(blocked);
      const Bindings bindings = step.bindings();
      const Form* form = reference_of(Step(bindings, step.record(), 0));
      ASSERT_NE(form, nullptr) << blocked.name;
      EXPECT_TRUE(form->packings.take(Layout::kBlocked)) << blocked.name;
      bits[c.op].insert(blocked.inputs[1].blocks.bits);
    }
  }
  const std::set<uint32_t> floats = {16, 32}, integers = {4, 8, 16};
  for (const OpEntry& entry : all_ops()) {
    if (!entry.contract->packings.take(Layout::kBlocked)) continue;
    const bool quantized = entry.contract->packings.take(Layout::kPacked4);
    EXPECT_EQ(bits[entry.op], quantized ? integers : floats) << op_name(entry.op);
  }
}

// No form takes a step of such a case whose weights' record and strides are changed so.
void expect_refused(const OpCase& c, const char* what,
                    const std::function<void(CaseStep&, uint32_t*)>& plant) {
  SCOPED_TRACE(c.name + ": " + what);
  CaseStep step(c);
  plant(step, step.shape(1).data() + step.value(1).rank);
  const Bindings bindings = step.bindings();
  EXPECT_EQ(reference_of(Step(bindings, step.record(), 0)), nullptr);
}

OpCase case_in_blocks(Op op, const char* name, const Blocks& blocks) {
  for (const OpCase& c : all_cases()) {
    if (c.op != op || c.name != name) continue;
    for (const OpCase& blocked : other_blocks(c)) {
      if (blocked.inputs[1].blocks == blocks) return blocked;
    }
  }
  ADD_FAILURE() << "no case " << name;
  return {};
}

TEST(Blocked, WordsThatMakeNoSenseAreRefused) {
  const OpCase conv = case_in_blocks(Op::kConv, "square3", {5, 2, 32});
  const OpCase matmul = case_in_blocks(Op::kMatMul, "prime", {5, 2, 32});
  for (const OpCase& c : {conv, matmul}) {
    const bool filters = has_filters(c.op);
    const size_t n_dim = filters ? 0 : 1;
    const auto with_word = [&](const char* what, uint32_t word) {
      expect_refused(c, what, [&](CaseStep&, uint32_t* s) { s[n_dim] = word; });
    };
    with_word("none", 0);
    with_word("no outputs", word_of({0, 2, 32}));
    with_word("no inner indices", word_of({5, 0, 32}));
    with_word("bits of bytes", word_of({5, 2, 8}));
    with_word("bits of halves", word_of({5, 2, 16}));
    with_word("no bits", word_of({5, 2, 0}));
    with_word("unknown bits", word_of({5, 2, 32}) | 1u << 31);
    with_word("blocks that need more bytes", word_of({255, 255, 32}));
    expect_refused(c, "outputs of another dim",
                   [&](CaseStep&, uint32_t* s) { std::swap(s[n_dim], s[1 - n_dim]); });
    expect_refused(c, "two dims of outputs",
                   [&](CaseStep&, uint32_t* s) { s[1 - n_dim] = s[n_dim]; });
    expect_refused(c, "a byte less", [](CaseStep& step, uint32_t*) { --step.value(1).bytes; });
  }
}

TEST(Blocked, AFormMayReadOneSize) {
  CaseStep step(case_in_blocks(Op::kMatMul, "prime", {5, 2, 32}));
  const Bindings bindings = step.bindings();
  const Step at(bindings, step.record(), 0);
  EXPECT_TRUE(takes_blocks(at, {5, 2, 32}));
  for (const Blocks other : {Blocks{5, 1, 32}, Blocks{4, 2, 32}, Blocks{5, 2, 16}}) {
    EXPECT_FALSE(takes_blocks(at, other));
  }
}

}  // namespace
}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
