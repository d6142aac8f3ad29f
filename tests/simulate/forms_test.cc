// Every form on every case of its operator, in slots: what it should do is no fault. Then the same
// run is made wrong, in the ways that a kernel can be: it must be caught, and at the right operand.
//
//   one element beyond       an operand ends an element earlier than the form thinks
//   another operand          what the form takes for an output is an input
//   after its life           an input holds nothing any more
//   an element too near      output 0 overlaps an input at less than its safe distance
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "portable_fallback/form_names.h"
#include "portable_fallback/forms.h"
#include "support/cpu_features.h"
#include "tests/ops/case_test.h"
#include "tests/ops/harness.h"
#include "tests/simulate/simulated.h"

namespace arenite::tools {
namespace {

using ops_test::CaseStep;
using ops_test::OpCase;

// What was caught of a form, over all its cases.
struct Caught {
  uint32_t cases = 0, inputs_beyond = 0, outputs_beyond = 0, others = 0, dead = 0;
  uint32_t near = 0;  // inputs that lay too near
};

// An operand ends one element earlier. Forms write all elements of their outputs; of inputs there
// are some that nothing follows from.
void end_earlier(CaseStep& from, const Form& form, uint32_t at, Caught& caught) {
  Simulated simulated(from, form);
  const LaidOperand operand = simulated.slots().operands()[at];
  if (operand.scratch || operand.runs.empty()) return;
  const Tensor tensor = simulated.step().operand(operand.operand);
  WatchedSlot& slot = simulated.slots().slots()[operand.slot];
  if (slot.end - slot.begin < element_bytes(tensor.dtype())) return;
  slot.end -= tensor.layout() == Layout::kStrided ? element_bytes(tensor.dtype()) : 1;
  slot.states_end = std::min(slot.states_end, slot.end);
  const uint64_t end = slot.end;
  const CaughtRun run = simulated.run();
  if (run.access) {
    EXPECT_TRUE(is_at(run, FaultKind::kOutside, operand)) << text_of(run.access);
    EXPECT_GE(run.access->offset, end);
    EXPECT_EQ(run.access->writes, operand.written);
  }
  (operand.written ? caught.outputs_beyond : caught.inputs_beyond) += run.access ? 1u : 0u;
}

// Output 0 is taken for an input.
void write_an_input(CaseStep& from, const Form& form, Caught& caught) {
  Simulated simulated(from, form);
  const auto operands = simulated.slots().operands();
  const auto output = std::ranges::find_if(
      operands, [](const LaidOperand& one) { return one.written && !one.scratch; });
  if (output == operands.end() || output->runs.empty()) return;
  WatchedSlot& slot = simulated.slots().slots()[output->slot];
  slot.written = false;
  slot.read = true;
  const CaughtRun run = simulated.run();
  if (!run.status.ok()) return;
  // Some write all of another output first, and some read what they wrote.
  EXPECT_TRUE(run.access.has_value());
  if (!run.access) return;
  EXPECT_TRUE(is_at(run, FaultKind::kReadOnly, *output)) << text_of(run.access);
  ++caught.others;
}

// An input is no longer alive.
void kill_input(CaseStep& from, const Form& form, uint32_t at, Caught& caught) {
  Simulated simulated(from, form);
  const LaidOperand operand = simulated.slots().operands()[at];
  if (operand.written || operand.runs.empty()) return;
  std::ranges::fill(simulated.memory_of(operand).states, uint8_t{0});
  const CaughtRun run = simulated.run();
  if (!run.access) return;
  EXPECT_TRUE(is_at(run, FaultKind::kNothing, operand)) << text_of(run.access);
  ++caught.dead;
}

// What no layout changes is tried `wholly` in one of them.
void inject_faults(CaseStep& from, const Form& form, bool wholly, Caught& caught) {
  size_t operands = 0;
  {
    Simulated simulated(from, form);
    operands = simulated.slots().operands().size();
    const CaughtRun run = simulated.run();
    EXPECT_FALSE(run.access) << text_of(run.access);
    if (run.access || !run.status.ok()) return;
  }
  ++caught.cases;
  for (uint32_t i = 0; i < from.record().input_count; ++i) {
    expect_safe_distance(from, form, i);
    caught.near += expect_tight_distance(from, form, i) ? 1u : 0u;
  }
  if (!wholly) return;
  for (uint32_t at = 0; at < operands; ++at) {
    end_earlier(from, form, at, caught);
    kill_input(from, form, at, caught);
  }
  write_an_input(from, form, caught);
}

class SimulatedForms : public ops_test::CaseTest {};

TEST_P(SimulatedForms, AreFoundWhereTheyMisbehave) {
  std::set<const Form*> seen;
  for (const OpCase& c : ops_test::all_layouts(the_case())) {
    CaseStep from(c);
    for (const Form* form : forms_of(from)) {
      SCOPED_TRACE(c.name + " by " + find_form_names(form->op, form->number)->key);
      Caught caught;
      inject_faults(from, *form, seen.insert(form).second, caught);
      if (HasFailure()) return;
    }
  }
}

// Whether there are cases in which it is found in each way that any form can be wrong.
bool is_found(const Caught& caught) {
  return caught.outputs_beyond != 0 && caught.others != 0 && caught.inputs_beyond != 0 &&
         caught.dead != 0;
}

TEST(SimulatedFormsOfEachRow, AreFoundInEachWay) {
  std::map<const Form*, Caught> all;
  for (const FormNames& names : form_names()) {
    const Form* form = find_form(*find_op(all_ops(), names.op), names.number);
    const bool runs =
        form->run != nullptr && (form->needs & ~(host_cpu_features() | kEmulatedCpuFeatures)) == 0;
    if (runs) all[form];
  }
  for (const OpCase& whole : ops_test::all_cases()) {
    const auto is_missing = [&](const auto& one) {
      return one.first->op == whole.op && !is_found(one.second);
    };
    if (std::ranges::none_of(all, is_missing)) continue;
    for (const OpCase& c : ops_test::all_layouts(whole)) {
      CaseStep from(c);
      for (const Form* form : forms_of(from)) {
        if (!is_found(all[form])) inject_faults(from, *form, true, all[form]);
      }
    }
  }
  uint32_t overlapped = 0;
  for (const auto& [form, caught] : all) {
    overlapped += caught.near != 0 ? 1u : 0u;
    EXPECT_TRUE(is_found(caught)) << find_form_names(form->op, form->number)->key << ": of "
                                  << caught.cases << " cases " << caught.outputs_beyond
                                  << " outputs and " << caught.inputs_beyond
                                  << " inputs beyond their ends, " << caught.others
                                  << " other operands, " << caught.dead << " dead ones, "
                                  << caught.near << " too near";
  }
  EXPECT_GE(overlapped, 100u);  // forms whose safe distance was tried
}

INSTANTIATE_TEST_SUITE_P(Ops, SimulatedForms, ops_test::every_case(), ops_test::case_name);

}  // namespace
}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
