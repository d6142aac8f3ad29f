// Every case on the special forms that this machine has code and instructions for: against the
// oracle, bit by bit on several threads, and with nothing around its operands. Those that let
// outputs overlap inputs are watched besides, as references are (tests/simulate).
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "ops/contracts.h"
#include "portable_fallback/form_names.h"
#include "portable_fallback/forms.h"
#include "support/cpu_features.h"
#include "tests/ops/case_test.h"
#include "tests/ops/harness.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

std::vector<const Form*> special_forms_of(Op op) {
  return special_forms_that_run(op, host_cpu_features());
}

// The sides on which operands lie beside guards. Where AddressSanitizer runs, it sees what lies
// between operands.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::array<GuardedPages::Flush, 0> kFlushes = {};
#else
constexpr std::array kFlushes = {GuardedPages::Flush::kFront, GuardedPages::Flush::kBack};
#endif

class Special : public CaseTest {};

TEST_P(Special, AgreesWithOracle) {
  const std::vector<const Form*> forms = special_forms_of(the_case().op);
  if (forms.empty()) return;
  const std::vector<Numbers> expected = oracle(the_case());
  for (const OpCase& c : all_layouts(the_case())) {
    CaseStep step(c);
    CaseStep among_nan(c, kNanByte);
    for (const Form* form : forms) {
      SCOPED_TRACE(c.name + " by " + find_form_names(c.op, form->number)->key);
      const Outcome one = run_case(step, on_form(*form));
      if (one.status.code == Code::kNoForm) continue;  // it does not take the case
      ASSERT_TRUE(one.status.ok()) << "code " << static_cast<uint32_t>(one.status.code);
      const Outcome three = run_case(step, on_form(*form, 3));
      for (size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(difference(one.outputs[i], expected[i], c.tolerance), "") << "output " << i;
        EXPECT_EQ(bit_difference(three.outputs[i], one.outputs[i]), "") << "output " << i;
      }
      EXPECT_EQ(one.damage, "");
      EXPECT_EQ(three.damage, "");
      for (const GuardedPages::Flush flush : kFlushes) {
        const Outcome alone =
            run_guarded(among_nan, on_form(*form, 3), flush, form->over_read_bytes);
        for (size_t i = 0; i < expected.size(); ++i) {
          EXPECT_EQ(bit_difference(alone.outputs[i], one.outputs[i]), "") << "output " << i;
        }
        EXPECT_EQ(alone.damage, "");
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, Special, every_case(), case_name);

// Otherwise the guards would hold nothing.
TEST(GuardedPagesDeathTest, AnAccessBesideThemEndsTheProcess) {
  const GuardedPages front(12, GuardedPages::Flush::kFront, kNanByte);
  const GuardedPages back(12, GuardedPages::Flush::kBack, kNanByte);
  const auto read = [](const std::byte* at) { return *static_cast<const volatile std::byte*>(at); };
  EXPECT_EQ(read(front.data()), kNanByte);
  EXPECT_EQ(read(back.data() + 11), kNanByte);
  EXPECT_DEATH(read(front.data() - 1), "");
  EXPECT_DEATH(read(back.data() + 12), "");
}

// Otherwise the cases would compare nothing.
TEST(SpecialForms, EachTakesManyCases) {
  constexpr uint32_t kCases = 30;
  std::map<const Form*, uint32_t> taken, split;
  for (const OpCase& c : all_cases()) {
    // Of a form that has split nothing more can be found out; one that must not may in any case.
    std::vector<const Form*> forms = special_forms_of(c.op);
    std::erase_if(forms, [&](const Form* form) {
      return form->parallel && taken[form] >= kCases && split[form] > 0;
    });
    if (forms.empty()) continue;
    for (const OpCase& layout : all_layouts(c)) {
      CaseStep step(layout);
      for (const Form* form : forms) {
        taken[form] += run_case(step, on_form(*form, 3, &split[form])).status.ok();
      }
    }
  }
  for (const auto& [form, count] : taken) {
    SCOPED_TRACE(find_form_names(form->op, form->number)->key);
    EXPECT_GE(count, kCases);
    EXPECT_EQ(split[form] > 0, form->parallel);
  }
}

// A program is planned with one of them, and runs with any.
TEST(SpecialForms, OfOneKinShareTheirFacts) {
  const auto facts = [](const Form& form) {
    return std::tuple(form.parallel, form.in_place, form.alignment, form.over_read_bytes,
                      form.types, form.scratch, form.safe_distance, form.accepts);
  };
  uint32_t better = 0;
  for (const OpEntry& entry : all_ops()) {
    std::set<const Form*> plainest_seen;  // an operator may have several kinds of kin
    for (const Form* const* form = entry.forms; *form != nullptr; ++form) {
      if ((*form)->kin == 0) continue;
      SCOPED_TRACE(find_form_names(entry.op, (*form)->number)->key);
      const Form* plainest = find_form(entry, (*form)->kin);
      ASSERT_NE(plainest, nullptr);
      EXPECT_EQ(plainest->kin, plainest->number);
      EXPECT_TRUE(facts(**form) == facts(*plainest));
      EXPECT_TRUE((*form)->packings == plainest->packings);
      EXPECT_FALSE(plainest_seen.contains(plainest));  // the best come first
      if (*form == plainest) plainest_seen.insert(plainest);
      better += *form != plainest;
    }
  }
  EXPECT_GT(better, 0u);
}

}  // namespace
}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
