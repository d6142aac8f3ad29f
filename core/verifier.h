// The state that the parts of verify_variant share: one variant's tables, looked up once.
#pragma once

#include <cstdint>
#include <span>

#include "core/form_choice.h"
#include "core/verify.h"

namespace arenite {

class Verifier : public Refusal {
 public:
  explicit Verifier(const VerifyTask& task);

  // Each returns false where it refuses; see verify_variant.
  bool values();  // verify_values.cc
  bool steps();   // verify_steps.cc
  bool io();      // verify.cc

  // Whether each CPU step has its planned form.
  bool has_planned_forms() const { return has_planned_forms_; }
  // Value indices of the method's inputs.
  std::span<const uint32_t> inputs() const { return {io_, task_.method->input_count}; }

 private:
  static format::ValueKind kind_of(const format::ValueRecord& v) {
    return static_cast<format::ValueKind>(v.kind);
  }
  const format::ValueRecord& value(uint32_t index) const { return bindings_.values[index]; }
  // The value whose bytes a value lies in: itself unless it is a view.
  uint32_t root(uint32_t index) const {
    return kind_of(value(index)) == format::ValueKind::kView ? value(index).below_or_root : index;
  }
  // Whether the value is one of the method's inputs.
  bool is_input(uint32_t index) const;
  // Whether the value's root holds something when step `step` begins: it is an input, or the step
  // it names as its first is an earlier one and writes it; and it has not yielded.
  bool written_before(uint32_t index, uint32_t step) const;
  // Whether the operand's storage can be reached, by the CPU or by a device.
  bool reachable(uint32_t operand, bool cpu) const;

  bool value_holds(uint32_t index);

  bool step_holds(const Step& step);
  bool input_holds(const Step& step, uint32_t index) const;
  bool output_holds(const Step& step, uint32_t k) const;
  bool shares_root_with_input(const Step& step, uint32_t index) const;
  bool transfer_holds(const Step& step) const;
  bool operator_holds(const Step& step);

  const VerifyTask& task_;
  const Bindings& bindings_;
  bool has_planned_forms_ = true;
  const format::ArenaRecord* arenas_;
  const format::StepRecord* steps_;
  const uint32_t* io_;  // inputs, then outputs
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
