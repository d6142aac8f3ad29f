// Describes operands, and shapes the grid of a dispatch.
#include "kernels/dispatch/builder.h"

#include "kernels/dispatch/binding.h"

namespace arenite {
namespace {

Operand describe(const Step& step, uint32_t value) {
  const Tensor tensor = tensor_of(step.bindings(), value);
  Operand operand;
  operand.value = value;
  operand.dims = tensor.dims;
  operand.strides = tensor.strides;
  operand.rank = tensor.rank();
  operand.skip = buffer_skip(step.bindings(), value);
  operand.skip_bytes = storage_offset(step.bindings(), value) % kBufferAlignment;
  operand.dtype = tensor.dtype();
  operand.layout = tensor.layout();
  if (operand.layout == Layout::kPacked4) operand.skip *= 2;
  return operand;
}

}  // namespace

Operand input_operand(const Step& step, uint32_t i) { return describe(step, step.input_value(i)); }

Operand output_operand(const Step& step, uint32_t i) {
  return describe(step, step.output_value(i));
}

Operand scratch_operand(const Step& step) { return describe(step, step.scratch_value()); }

uint64_t Operand::count() const {
  Loops loops;
  for (uint32_t d = 0; d < rank; ++d) loops.add(dims[d], 0);
  return loops.count();
}

bool Operand::groups_of(uint32_t size, uint32_t axis) const {
  if (skip % size != 0 || dims[axis] % size != 0 || strides[axis] != 1) return false;
  for (uint32_t d = 0; d < rank; ++d) {
    if (d != axis && dims[d] != 1 && strides[d] % size != 0) return false;
  }
  return true;
}

Loops map_loops(const Operand& x, const Operand& y) {
  Loops loops;
  for (uint32_t d = 0; d < y.rank; ++d) loops.add(y.dims[d], x.strides[d], y.strides[d]);
  collapse_dims(loops, 1);
  return loops;
}

DispatchBuilder& DispatchBuilder::buffer(const Operand& operand) {
  dispatch_.values[dispatch_.buffer_count++] = operand.value;
  return *this;
}

DispatchBuilder& DispatchBuilder::flag() {
  dispatch_.values[dispatch_.buffer_count++] = kFlagOperand;
  return *this;
}

DispatchBuilder& DispatchBuilder::uniform(const Operand& operand) {
  dispatch_.values[dispatch_.buffer_count + dispatch_.uniform_count++] = operand.value;
  return *this;
}

Status DispatchBuilder::run_invocations(const DispatchSink& sink, uint64_t count) {
  return run_groups(sink, (count + kWorkgroupSize - 1) / kWorkgroupSize);
}

Status DispatchBuilder::run_groups(const DispatchSink& sink, uint64_t count) {
  // The shaders compute y * (groups in x) + x: rows as wide as possible, the last one cut short
  // by the shader.
  const uint64_t rows = (count + kMaxGroups - 1) / kMaxGroups;
  if (count == 0 || rows > kMaxGroups) return error(Code::kUnsupported);
  dispatch_.groups[0] = static_cast<uint32_t>((count + rows - 1) / rows);
  dispatch_.groups[1] = static_cast<uint32_t>(rows);
  dispatch_.groups[2] = 1;
  return sink.add(sink.context, dispatch_);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
