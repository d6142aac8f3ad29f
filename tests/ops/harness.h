// Runs cases on anything that computes them: the CPU references here, others where they are tested.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/form.h"
#include "core/status.h"
#include "tests/ops/case.h"
#include "tests/ops/case_step.h"
#include "tests/ops/guards.h"

namespace arenite::ops_test {

// Executes the step of a case in its arena.
using Runner = std::function<Status(CaseStep& step)>;

// The reference form of portable_fallback for a step that keeps its contract; null where there is
// none.
const Form* reference_of(const Step& step);

// The special forms of an operator that have code which runs on a CPU with these features. Kernels
// for Arm's DSP extension are plain C++ elsewhere.
std::vector<const Form*> special_forms_that_run(Op op, CpuFeatures features);

// The references, contracts checked, on `threads` threads. `splits`, if any, counts the calls of
// parallel_for; `pauses`, if any, cut the steps.
Runner on_references(uint32_t threads = 1, uint32_t* splits = nullptr, Pauses* pauses = nullptr);

// A form, where its facts take the step; elsewhere kNoForm.
Runner on_form(const Form& form, uint32_t threads = 1, uint32_t* splits = nullptr,
               Pauses* pauses = nullptr);

struct Outcome {
  Status status;
  std::vector<Numbers> outputs;
  std::string damage;  // bytes changed that are no output's; empty when none were
};

Outcome run_case(const OpCase& c, const Runner& runner);
// The step's arena is as it was made when the run begins. One step serves many runs of a case, as
// making its contents takes longer than most of them.
Outcome run_case(CaseStep& step, const Runner& runner);

// With each operand between guards (tests/ops/guards.h); the step was made with kNanByte.
Outcome run_guarded(CaseStep& step, const Runner& runner, GuardedPages::Flush flush,
                    uint32_t over_read_bytes);

// The same case in other layouts, which must not change the result by a bit: channels last, dims
// reversed, slices of larger tensors, weights in panels where the op takes them.
std::vector<OpCase> other_layouts(const OpCase& c);

// The same case with its weights in blocks of some sizes and widths, if the op takes such; those of
// 4 bits where their range fits.
std::vector<OpCase> other_blocks(const OpCase& c);

// The case, and it in other layouts and blocks.
std::vector<OpCase> every_layout(const OpCase& c);

// The same where no variable says less. Of the other layouts of a case with many elements every
// ARENITE_TEST_LARGE_EVERY-th is taken, of any other case every ARENITE_TEST_SMALL_EVERY-th; not
// the same for each case.
std::vector<OpCase> all_layouts(const OpCase& c);

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
