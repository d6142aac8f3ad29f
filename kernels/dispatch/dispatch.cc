// Finds the rule of a step's op and checks what concerns every op: ranges, placement, empty values.
#include "kernels/dispatch/dispatch.h"

#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/rules.h"

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

bool bindable(const Step& step, uint32_t value, uint32_t storage_buffer_bytes) {
  const format::ValueRecord& record = step.bindings().values[value];
  return record.rank <= kMaxRank && storage_offset(step.bindings(), value) % 4 == 0 &&
         uint64_t{record.bytes} + (kBufferAlignment - 1) <= storage_buffer_bytes;
}

}  // namespace

uint32_t storage_offset(const Bindings& bindings, uint32_t value) {
  const format::ValueRecord& record = bindings.values[value];
  if (record.kind == static_cast<uint8_t>(format::ValueKind::kConstant)) {
    return bindings.constants[record.place].offset + record.offset;
  }
  return record.offset;
}

uint32_t buffer_skip(const Bindings& bindings, uint32_t value) {
  const uint32_t size = element_bytes(static_cast<DType>(bindings.values[value].dtype));
  return size == 0 ? 0 : storage_offset(bindings, value) % kBufferAlignment / size;
}

bool vulkan_supports(const Step& step, uint32_t storage_buffer_bytes) {
  const DispatchRule* rule = find_rule(step.op());
  if (rule == nullptr || step.output_count() == 0 || step.has_scratch()) return false;
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
  if (elements != 0 && empty_input && !rule->takes_empty_inputs) return false;
  return rule->supports(step);
}

Status emit_dispatches(const Step& step, const DispatchSink& sink) {
  if (!vulkan_supports(step, ~uint32_t{0})) return error(Code::kUnsupported);
  if (output_operand(step, 0).count() == 0) return ok_status();
  OrderedSink ordered{sink};
  return find_rule(step.op())->emit(step, {&ordered, OrderedSink::add});
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
