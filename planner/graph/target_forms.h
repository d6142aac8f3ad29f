// The CPU forms that steps are planned with: those of a target, and the references that any machine
// falls back to.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/form.h"

namespace arenite::planner {

// The contract of an operator of schema/ops.def.
const Contract& contract_of(Op op);

// T of an operator whose operands have these types (kNone where left out).
DType type_of(const Contract& contract, std::span<const DType> inputs,
              std::span<const DType> outputs);

struct TargetForms {
  OpTable ops;
  CpuFeatures features = 0;         // of the target's CPU
  bool exact = false;               // the program runs with the planned forms or not at all
  bool few_bytes = false;           // without forms that let no output overlap an input
  bool no_scratch = false;          // without forms beside the references that want scratch memory
  bool whole_bytes = false;         // without forms for weights of 4 bits alone
  uint32_t alignment = UINT32_MAX;  // bytes that data is aligned to in every memory of the target
};

// A form chosen for a step, and the reference that must be able to take its place: the step is
// planned with what either needs. Exact plans leave the reference out.
class StepForms {
 public:
  StepForms() = default;
  StepForms(const Form* chosen, const Form* reference) : chosen_(chosen), reference_(reference) {}

  const Form* chosen() const { return chosen_; }

  // Needs of the operands' data, in bytes.
  uint32_t alignment() const;
  uint32_t over_read_bytes() const;
  bool in_place(uint32_t input) const;
  // The step is in the form in which the program stores it.
  uint64_t scratch_bytes(const Step& step, uint32_t threads) const;
  uint64_t safe_distance(const Step& step, uint32_t input) const;

 private:
  // Calls visit(form) for both, or the one that there is.
  template <typename F>
  void each(F visit) const {
    if (chosen_ != nullptr) visit(*chosen_);
    if (reference_ != nullptr && reference_ != chosen_) visit(*reference_);
  }

  const Form* chosen_ = nullptr;
  const Form* reference_ = nullptr;
};

// The forms that compute an operator on a T, the best first and references last: what they accept
// is still to be asked. Throws InputError where there is no reference.
std::vector<const Form*> candidate_forms(const TargetForms& target, Op op, DType type);

// What keeps a form from being a candidate, for people; "" where nothing does.
std::string why_barred(const TargetForms& target, const Form& form, DType type);

// Whether a form takes a step of its type.
bool accepts(const Form& form, const Step& step);

// Whether a form is for weights of 4 bits, beside one for the same CPUs that takes whole bytes.
bool is_for_halves(const Form& form);

// The best form, as far as is known before the step is made, and a reference.
StepForms likely_forms(const TargetForms& target, Op op, DType type);
// The reference for a step of that type, which must keep its contract. It has code on any machine.
const Form& reference_form(const TargetForms& target, const Step& step, DType type);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
