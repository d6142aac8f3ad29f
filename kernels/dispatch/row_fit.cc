// Checks what concerns every op (types, ranges, placement, empty values), then asks the row.
#include "kernels/dispatch/row_fit.h"

#include "kernels/dispatch/binding.h"
#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/twins.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

constexpr uint64_t kAnyBytes = UINT64_MAX;

// Whether all operands of type T have it: contracts let floats of a device's step be mixed, but
// shaders see one type. A row may have results in float32 beside 16-bit floats.
bool is_of_one_type(const Step& step, const DispatchRow& row, const Contract& contract) {
  const DType type = type_of(step, contract);
  for (uint32_t i = 0; i < step.input_count(); ++i) {
    const bool of_t = contract.inputs[i < 2 ? i : 2] == OperandType::kT;
    if (of_t && step.has_input(i) && step.dtype(i) != type) return false;
  }
  for (uint32_t i = 0; i < step.output_count(); ++i) {
    if (contract.outputs[i == 0 ? 0 : 1] != OperandType::kT) continue;
    const DType result = step.output(i).dtype();
    if (result != type &&
        !(row.wide_results && type == DType::kFloat16 && result == DType::kFloat32)) {
      return false;
    }
  }
  return true;
}

// Conditions of every op; `storage_buffer_bytes` is the largest range that the device binds.
bool suits(const Step& step, const DispatchRow& row, uint64_t storage_buffer_bytes) {
  const Contract& contract = *find_contract(step.op());
  if (!has(types_taken(row, contract), type_of(step, contract))) return false;
  if (!is_of_one_type(step, row, contract)) return false;
  bool empty_input = false;
  for (uint32_t i = 0; i < step.input_count(); ++i) {
    if (!step.has_input(i)) continue;
    if (!is_bindable(step.bindings(), step.input_value(i), storage_buffer_bytes)) return false;
    // Shaders read no blocks but panels.
    if (input_operand(step, i).layout == Layout::kBlocked) return false;
    empty_input = empty_input || input_operand(step, i).count() == 0;
  }
  uint64_t elements = 0;
  for (uint32_t i = 0; i < step.output_count(); ++i) {
    if (!is_bindable(step.bindings(), step.output_value(i), storage_buffer_bytes)) return false;
    const uint64_t count = output_operand(step, i).count();
    if (count >= kMaxInvocations) return false;
    elements = elements > count ? elements : count;
  }
  // An empty operand can't be bound as a buffer.
  return step.output_count() != 0 && (elements == 0 || !empty_input || row.accepts_empty_inputs);
}

uint64_t scratch_bytes(const DispatchRow& row, const Step& step) {
  return row.scratch_bytes == nullptr ? 0 : row.scratch_bytes(step);
}

// The step with another form and choice.
class Reworded {
 public:
  Reworded(const Step& step, uint8_t form, uint32_t choice)
      : record_(step.record()), step_(step.bindings(), record_, step.index()) {
    record_.form = form;
    record_.choice = choice;
  }
  Reworded(const Reworded&) = delete;
  Reworded& operator=(const Reworded&) = delete;
  const Step& step() const { return step_; }

 private:
  format::StepRecord record_;
  Step step_;
};

}  // namespace

std::optional<DispatchPlan> plan_by(const DispatchRow& row, const Step& step,
                                    const Capabilities& device) {
  if (missing_need(shader_of(row, step), device) != nullptr) return std::nullopt;
  const uint32_t range = device.numbers[static_cast<uint32_t>(Capability::kStorageBufferBytes)];
  const Reworded plain(step, row.form, 0);
  // Whether it accepts may hang on the choice, but only what it accepts can be chosen for.
  if (!suits(plain.step(), row, range) || !row.accepts(plain.step())) return std::nullopt;
  const uint32_t choice = row.choose == nullptr ? 0 : row.choose(plain.step(), device);
  if (choice == kNotSuitable) return std::nullopt;
  const Reworded chosen(step, row.form, choice);
  const uint64_t scratch = scratch_bytes(row, chosen.step());
  if (!row.accepts(chosen.step()) || scratch + kBufferAlignment > range) return std::nullopt;
  return DispatchPlan{row.form, choice, scratch};
}

std::optional<DispatchPlan> fit_to(const DispatchRow& row, std::span<const Step> sizes,
                                   const Capabilities& device, uint32_t choice) {
  const uint32_t range = device.numbers[static_cast<uint32_t>(Capability::kStorageBufferBytes)];
  DispatchPlan plan{row.form, choice, 0};
  for (const Step& step : sizes) {
    const Reworded chosen(step, row.form, choice);
    if (!suits(chosen.step(), row, range) || !row.accepts(chosen.step())) return std::nullopt;
    const uint64_t scratch = scratch_bytes(row, chosen.step());
    plan.scratch_bytes = plan.scratch_bytes > scratch ? plan.scratch_bytes : scratch;
  }
  if (plan.scratch_bytes + kBufferAlignment > range) return std::nullopt;
  return plan;
}

bool carries_out(const DispatchRow& row, const Step& step) {
  if (step.record().choice >= row.choices || !suits(step, row, kAnyBytes) || !row.accepts(step)) {
    return false;
  }
  const uint64_t scratch = scratch_bytes(row, step);
  if (scratch == 0) return true;
  const Bindings& bindings = step.bindings();
  return step.has_scratch() && is_bindable(bindings, step.scratch_value(), kAnyBytes) &&
         buffer_skip(bindings, step.scratch_value()) == 0 &&
         bindings.values[step.scratch_value()].bytes >= scratch;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
