// Chooses the form that carries out a step on this machine, among those that its facts let.
#pragma once

#include <cstdint>

#include "core/form.h"
#include "core/program.h"
#include "core/refusal.h"

namespace arenite {

// The need of a form without code, which no CPU meets. A planner runs nothing and chooses by facts.
inline constexpr CpuFeatures kCodeElsewhere = CpuFeatures{1} << 31;

// The input of a choice: a variant bound to this machine.
struct FormTask {
  const Bindings* bindings = nullptr;
  const format::ArenaRecord* arenas = nullptr;  // of the variant
  OpTable ops;                                  // must hold every op that is not a view
  CpuFeatures features = 0;                     // of this CPU; a planner's has kCodeElsewhere
  uint32_t threads = 1;                         // that a step may use
  bool exact = false;  // only planned forms will do: scratch and distances are made for them alone
  bool as_planned = false;  // a planned form that fits is taken, whatever better kin it has
};

// A safe distance that a form states of a step.
struct KnownDistance {
  uint32_t of;     // the form's number, the input above it; kNoIndex: not known
  uint32_t bytes;  // as many as fit 32 bits; no input starts that far behind an output
};

// For the bindings of one of the program's variants.
FormTask form_task(const Bindings& bindings, const Program& program,
                   const format::VariantRecord& variant, OpTable ops, CpuFeatures features);

// Chooses forms for steps that keep their operators' contracts and are proved in all that concerns
// no form. The choice needs no memory: made again, it is the same.
class FormChoice : public Refusal {
 public:
  // `known`: keeps the last distance that was asked for, of one step or of those that differ from
  // it only in where operands lie.
  explicit FormChoice(const FormTask& task, KnownDistance* known = nullptr)
      : task_(task), known_(known) {}

  // The first of the forms that the planned one is the plainest of, or the planned form, where the
  // entry holds it and it fits the step; else the first of the others that does. Null where none
  // does; status() then says what the last one refused (value = the operand), or kNoForm (value =
  // the op).
  const Form* choose(const OpEntry& entry, const Step& step);

  // Whether what the step writes shares no byte with its other operands, except output 0 with
  // inputs of which that is right, as far as its operator and its form (null: on a device) say.
  bool operands_apart(const Step& step, const Contract& contract, const Form* form);

 private:
  // Whether an input that starts `ahead` bytes behind output 0 keeps the form's safe distance.
  bool keeps_distance(const Step& step, const Form& form, uint32_t input, uint32_t ahead);
  bool fits(const Step& step, const Contract& contract, DType type, const Form& form);

  const FormTask& task_;
  KnownDistance* known_;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
