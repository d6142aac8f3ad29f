// Pauses between the pieces of forms: the results keep their bits, and a cancel leaves all other
// bytes alone.
#include <gtest/gtest.h>

#include <map>

#include "core/pauses.h"
#include "portable_fallback/form_names.h"
#include "portable_fallback/forms.h"
#include "tests/ops/case_test.h"
#include "tests/ops/harness.h"

namespace arenite::ops_test {
namespace {

// Says no at call `last_call`; 0: never.
struct Calls {
  uint32_t count = 0;
  uint32_t last_call = 0;

  Pauses pauses() {
    const auto call = [](void* self) {
      auto& calls = *static_cast<Calls*>(self);
      return ++calls.count != calls.last_call;
    };
    return {.call = call, .context = this};
  }
};

// The references, and other forms of the operator that run here, each with a name.
std::map<std::string, Runner> all_forms(Op op, uint32_t threads, Pauses* pauses) {
  std::map<std::string, Runner> all = {{"reference", on_references(threads, nullptr, pauses)}};
  for (const Form* form : special_forms_that_run(op, 0)) {
    all.emplace(find_form_names(op, form->number)->key, on_form(*form, threads, nullptr, pauses));
  }
  return all;
}

class Paused : public CaseTest {};

TEST_P(Paused, FormsKeepBitsAndAllElse) {
  CaseStep step(the_case());
  const Op op = the_case().op;
  for (const auto& [name, plain] : all_forms(op, 1, nullptr)) {
    const Outcome whole = run_case(step, plain);
    if (whole.status.code == Code::kNoForm) continue;
    ASSERT_TRUE(whole.status.ok());
    for (const uint32_t threads : {1u, 3u}) {
      SCOPED_TRACE(name + " on " + std::to_string(threads) + " threads");
      Calls calls;
      Pauses pauses = calls.pauses();
      const Outcome cut = run_case(step, all_forms(op, threads, &pauses).at(name));
      ASSERT_TRUE(cut.status.ok());
      for (size_t i = 0; i < whole.outputs.size(); ++i) {
        EXPECT_EQ(bit_difference(cut.outputs[i], whole.outputs[i]), "") << "output " << i;
      }
      EXPECT_EQ(cut.damage, "");
      // At the first call and amid the rest.
      for (const uint32_t last_call : {1u, calls.count / 2}) {
        if (last_call == 0 || calls.count == 0) continue;
        Calls few = {.last_call = last_call};
        pauses = few.pauses();
        EXPECT_EQ(run_case(step, all_forms(op, threads, &pauses).at(name)).damage, "");
        EXPECT_EQ(few.count, last_call);
        EXPECT_TRUE(pauses.cancelled);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, Paused, every_case(), case_name);

// Otherwise a step would run uncut, and docs/firmware.md would not say so.
TEST(PausedForms, ThoseThatShareTheirWorkAreCut) {
  std::map<Op, uint32_t> calls_of;
  for (const OpCase& c : all_cases()) {
    Calls calls;
    Pauses pauses = calls.pauses();
    EXPECT_TRUE(run_case(c, on_references(1, nullptr, &pauses)).status.ok());
    const Form* form = find_op(all_ops(), c.op)->forms[0];
    EXPECT_TRUE(form->parallel || !pauses.was_cut) << c.name;
    calls_of[c.op] += calls.count;
  }
  for (const OpEntry& entry : all_ops()) {
    EXPECT_EQ(calls_of[entry.op] > 0, entry.forms[0]->parallel) << op_name(entry.op);
  }
}

}  // namespace
}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
