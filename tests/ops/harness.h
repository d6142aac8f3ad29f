// Runs cases on any form of the kernels: the CPU reference here, others where they are tested.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/status.h"
#include "tests/ops/case.h"
#include "tests/ops/case_step.h"

namespace arenite::ops_test {

// Executes the step of a case in its arena.
using Form = std::function<Status(CaseStep& step)>;

// The reference kernels of portable_fallback, checked, then run on `threads` threads. `splits`, if
// any, counts the calls of parallel_for.
Form reference_form(uint32_t threads = 1, uint32_t* splits = nullptr);

struct Outcome {
  Status status;
  std::vector<Numbers> outputs;
  std::string damage;  // bytes changed that are no output's; empty when none were
};

Outcome run_case(const OpCase& c, const Form& form);

// The same case in other layouts, which must not change the result by a bit: channels last, dims
// reversed, slices of larger tensors, weights in panels where the op takes them.
std::vector<OpCase> other_layouts(const OpCase& c);

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
