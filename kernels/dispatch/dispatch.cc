// Finds the row of a step and checks what concerns every op: ranges, placement, empty values.
#include "kernels/dispatch/dispatch.h"

#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/rules.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

// Dispatches of one step wait for each other: all write parts of one value, and the parts of concat
// or of an outer loop interleave, so no tool can see that they are disjoint. Such steps are rare
// and a barrier costs a few microseconds.
struct OrderedSink {
  const DispatchSink& sink;
  bool first = true;

  static Status add(void* context, const Dispatch& dispatch) {
    auto& ordered = *static_cast<OrderedSink*>(context);
    Dispatch copy = dispatch;
    copy.barrier_before = !ordered.first;
    ordered.first = false;
    return ordered.sink.add(ordered.sink.context, copy);
  }
};

bool bindable(const Step& step, uint32_t value, uint64_t storage_buffer_bytes) {
  const Tensor record = tensor_of(step.bindings(), value);
  const uint32_t element = element_bytes(record.dtype());
  const uint32_t alignment = element < 4 ? element : 4;
  return record.rank() <= kMaxRank && alignment != 0 &&
         storage_offset(step.bindings(), value) % alignment == 0 &&
         uint64_t{record.bytes()} + (kBufferAlignment - 1) <= storage_buffer_bytes;
}

constexpr uint64_t kAnyBytes = UINT64_MAX;

// Conditions of every op; `storage_buffer_bytes` is the largest range that the device binds.
bool suits(const Step& step, const DispatchRow& row, uint64_t storage_buffer_bytes) {
  if (!has(row.types, type_of(step, *find_contract(step.op())))) return false;
  bool empty_input = false;
  for (uint32_t i = 0; i < step.input_count(); ++i) {
    if (!step.has_input(i)) continue;
    if (!bindable(step, step.input_value(i), storage_buffer_bytes)) return false;
    empty_input = empty_input || input_operand(step, i).count() == 0;
  }
  uint64_t elements = 0;
  for (uint32_t i = 0; i < step.output_count(); ++i) {
    if (!bindable(step, step.output_value(i), storage_buffer_bytes)) return false;
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

uint32_t storage_offset(const Bindings& bindings, uint32_t operand) {
  // A constant is uploaded by itself.
  return format::is_constant(operand) ? 0 : bindings.values[operand].offset;
}

uint32_t buffer_skip(const Bindings& bindings, uint32_t operand) {
  const uint32_t size = element_bytes(static_cast<DType>(elements_of(bindings, operand).dtype));
  return size == 0 ? 0 : storage_offset(bindings, operand) % kBufferAlignment / size;
}

std::optional<DispatchPlan> plan_dispatches(const Step& step, const Capabilities& device) {
  const uint32_t range = device.numbers[static_cast<uint32_t>(Capability::kStorageBufferBytes)];
  for (const DispatchRow& row : rows_of(step.op())) {
    const Reworded plain(step, row.form, 0);
    if (missing_need(row, device) != nullptr || !suits(plain.step(), row, range)) continue;
    // Whether it accepts may hang on the choice, but only what it accepts can be chosen for.
    if (!row.accepts(plain.step())) continue;
    const uint32_t choice = row.choose == nullptr ? 0 : row.choose(plain.step(), device);
    if (choice == kNotSuitable) continue;
    const Reworded chosen(step, row.form, choice);
    const uint64_t scratch = scratch_bytes(row, chosen.step());
    if (row.accepts(chosen.step()) && scratch + kBufferAlignment <= range) {
      return DispatchPlan{row.form, choice, scratch};
    }
  }
  return std::nullopt;
}

bool is_carried_out(const Step& step) {
  const DispatchRow* row = find_row(step);
  if (row == nullptr || step.record().choice >= row->choices || !suits(step, *row, kAnyBytes) ||
      !row->accepts(step)) {
    return false;
  }
  const uint64_t scratch = scratch_bytes(*row, step);
  if (scratch == 0) return true;
  return step.has_scratch() && bindable(step, step.scratch_value(), kAnyBytes) &&
         buffer_skip(step.bindings(), step.scratch_value()) == 0 &&
         step.bindings().values[step.scratch_value()].bytes >= scratch;
}

Status emit_dispatches(const Step& step, const DispatchSink& sink) {
  if (!is_carried_out(step)) return error(Code::kUnsupported);
  if (output_operand(step, 0).count() == 0) return ok_status();
  const DispatchRow& row = *find_row(step);
  if (row.check != nullptr) ARENITE_TRY(row.check(step, sink));
  OrderedSink ordered{sink};
  return row.emit(step, {&ordered, OrderedSink::add});
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
