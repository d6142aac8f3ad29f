// Every case on the reference forms: against the oracle, and bit by bit against itself in other
// layouts and on several threads.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "portable_fallback/form_names.h"
#include "portable_fallback/forms.h"
#include "tests/ops/case_test.h"
#include "tests/ops/harness.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

class Reference : public CaseTest {};

TEST_P(Reference, AgreesWithOracle) {
  const Outcome outcome = run_case(the_case(), on_references());
  ASSERT_TRUE(outcome.status.ok()) << "code " << static_cast<uint32_t>(outcome.status.code);
  const std::vector<Numbers> expected = oracle(the_case());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(difference(outcome.outputs[i], expected[i], the_case().tolerance), "")
        << "output " << i;
  }
  EXPECT_EQ(outcome.damage, "");
}

TEST_P(Reference, LayoutsAndThreadsKeepBits) {
  const Outcome plain = run_case(the_case(), on_references());
  ASSERT_TRUE(plain.status.ok());
  for (const OpCase& c : all_layouts(the_case())) {
    CaseStep step(c);
    for (uint32_t threads : {1u, 3u}) {
      SCOPED_TRACE(c.name + " on " + std::to_string(threads) + " threads");
      const Outcome other = run_case(step, on_references(threads));
      ASSERT_TRUE(other.status.ok()) << "code " << static_cast<uint32_t>(other.status.code);
      for (size_t i = 0; i < plain.outputs.size(); ++i) {
        EXPECT_EQ(bit_difference(other.outputs[i], plain.outputs[i]), "") << "output " << i;
      }
      EXPECT_EQ(other.damage, "");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, Reference, every_case(), case_name);

// Otherwise the comparison of thread counts would compare nothing.
TEST(ReferenceThreads, EachParallelFormSplitsSomeCase) {
  std::map<Op, uint32_t> splits;
  for (const OpCase& c : all_cases()) {
    if (!run_case(c, on_references(3, &splits[c.op])).status.ok()) ADD_FAILURE() << c.name;
  }
  for (const OpEntry& entry : all_ops()) {
    EXPECT_EQ(splits[entry.op] > 0, entry.forms[0]->parallel) << op_name(entry.op);
  }
}

// The rows of schema/forms.def: each operator's lie together, and a reference runs on any machine.
TEST(ReferenceTable, HoldsTheFormOfEachRow) {
  size_t forms = 0;
  std::set<std::string> keys;
  const FormNames* last = nullptr;
  std::set<Op> ended;
  for (const FormNames& names : form_names()) {
    SCOPED_TRACE(names.key);
    EXPECT_TRUE(keys.insert(names.key).second);
    EXPECT_EQ(ended.count(names.op), 0u);
    if (last != nullptr && last->op != names.op) ended.insert(last->op);
    last = &names;
    const Form* form = find_form(*find_op(all_ops(), names.op), names.number);
    ASSERT_NE(form, nullptr);
    EXPECT_EQ(form->types, form_row(names.op, names.number).types);
    EXPECT_EQ(form->needs, form_row(names.op, names.number).needs);
    if (form->number < kFirstSpecialForm) {
      EXPECT_NE(form->run, nullptr);
      EXPECT_EQ(form->needs, 0u);
    }
  }
  for (const OpEntry& entry : all_ops()) {
    for (const Form* const* form = entry.forms; *form != nullptr; ++form) ++forms;
  }
  EXPECT_EQ(forms, form_names().size());
  EXPECT_EQ(find_form_names(Op::kReshape, 0), nullptr);
}

// Images without the verifier link these in place of forms.
TEST(ReferenceTable, HasTheCodeOfEachFormApart) {
  struct FormAndCode {
    const Form& form;
    const Form& code;
  };
  const FormAndCode all[] = {
#define ARENITE_FORM(Type, number, name, types, needs, file) \
  {k##Type##Form##number, k##Type##Form##number##Code},
#include "schema/forms.def"
  };
  for (const auto& [form, code] : all) {
    SCOPED_TRACE(find_form_names(form.op, form.number)->key);
    EXPECT_EQ(code.op, form.op);
    EXPECT_EQ(code.number, form.number);
    EXPECT_EQ(code.run, form.run);
    EXPECT_EQ(code.scratch, nullptr);
    EXPECT_EQ(code.safe_distance, nullptr);
    EXPECT_EQ(code.accepts, nullptr);
  }
}

// Loaders look for operators by rising number.
TEST(ReferenceTable, HoldsEveryOperatorAndItsTypes) {
  std::map<Op, TypeSet> types;
  Op last{};
  for (const OpEntry& entry : all_ops()) {
    EXPECT_LT(last, entry.op);
    last = entry.op;
    EXPECT_EQ(find_op(all_ops(), entry.op), &entry);
    EXPECT_EQ(entry.contract->op, entry.op);
    std::set<uint8_t> numbers;
    for (const Form* const* form = entry.forms; *form != nullptr; ++form) {
      EXPECT_EQ((*form)->op, entry.op);
      EXPECT_TRUE(numbers.insert((*form)->number).second);
      EXPECT_NE((*form)->types, 0u);
      EXPECT_EQ(find_form(entry, (*form)->number), *form);
      // Contracts do not look at blocks: takes_blocks() does (shared/blocked_rows.h).
      EXPECT_TRUE(!(*form)->packings.take(Layout::kBlocked) || (*form)->accepts != nullptr);
      types[entry.op] |= (*form)->types;
    }
    EXPECT_EQ(find_form(entry, 255), nullptr);
  }
#define ARENITE_KERNEL_OP(number, name, Type, set)       \
  EXPECT_EQ(types[Op::k##Type], types::k##set) << #name; \
  EXPECT_FALSE(name##_cases().empty()) << #name;
#include "schema/ops.def"
  EXPECT_EQ(find_op(all_ops(), Op::kReshape), nullptr);
  EXPECT_EQ(find_op({}, Op::kAdd), nullptr);
}

}  // namespace
}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
