// Compares dispatches with the guaranteed limits of Vulkan and with the compiled shaders.
#include "tests/kernels/dispatch_rules.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "kernels/dispatch/twins.h"
#include "kernels/shader_table.h"
#include "ops/attributes.h"

namespace arenite::test {
namespace {

Status keep(void* context, const Dispatch& dispatch) {
  static_cast<std::vector<Dispatch>*>(context)->push_back(dispatch);
  return ok_status();
}

std::string fault_of(const Step& step, const Dispatch& dispatch,
                     const std::set<uint32_t>& operands) {
  const auto shader = static_cast<uint32_t>(dispatch.shader);
  if (shader >= all_shaders().size()) return "no such shader";
  const ShaderCode& code = all_shaders()[shader];
  const DispatchRow& row = *find_row(step);
  const bool checks = row.check != nullptr && dispatch.shader == Shader::kIndexCheck;
  const bool product = step.op() == Op::kConv || step.op() == Op::kMatMul;
  const bool adds = product && step.has_input(kResidualInput) &&
                    (dispatch.shader == Shader::kBinary || dispatch.shader == Shader::kBinaryHalf);
  if (dispatch.shader != shader_of(row, step) && !checks && !adds)
    return "is of another shader than its row";
  if (dispatch.buffer_count != code.buffers) return "binds another number of buffers";
  if (dispatch.push_count != code.push_words) {
    return "pushes " + std::to_string(dispatch.push_count) + " words, the shader has " +
           std::to_string(code.push_words);
  }
  if (dispatch.parameter_count != code.parameter_words) return "has other parameters";
  if (dispatch.uniform_count != code.uniforms) return "binds another number of uniform buffers";
  for (uint32_t i = 0; i < dispatch.buffer_count + dispatch.uniform_count; ++i) {
    if (checks && i == 1 && dispatch.values[i] == kFlagOperand) continue;
    if (operands.count(dispatch.values[i]) == 0) return "binds a value that is no operand";
  }
  for (uint32_t groups : dispatch.groups) {
    if (groups == 0 || groups > kMaxGroups) return std::to_string(groups) + " groups";
  }
  return {};
}

}  // namespace

Capabilities plain_device(uint32_t storage_buffer_bytes) {
  Capabilities device;
  const auto set = [&](Capability which, uint32_t number) {
    device.numbers[static_cast<uint32_t>(which)] = number;
  };
  set(Capability::kVulkanVersion, 1001);
  set(Capability::kWorkgroupInvocations, 128);
  set(Capability::kWorkgroupSizeX, 128);
  set(Capability::kSharedMemoryBytes, 16384);
  set(Capability::kStorageBufferBytes, storage_buffer_bytes);
  set(Capability::kStorageBuffersPerStage, kMaxBuffers);
  set(Capability::kPushConstantBytes, kMaxPushWords * 4);
  set(Capability::kWorkgroupCount, kMaxGroups);
  return device;
}

CarriedOut::CarriedOut(const Step& step, const DispatchPlan& plan, uint32_t scratch_offset)
    : bindings_(step.bindings()), record_(step.record()), index_(step.index()) {
  record_.form = plan.form;
  record_.choice = plan.choice;
  if (plan.scratch_bytes == 0) return;
  const uint32_t count = step.input_count() + step.output_count();
  const uint32_t* first = bindings_.operands + record_.operand_first;
  operands_.assign(first, first + count);
  uint32_t values = 0;
  for (const uint32_t value : operands_) {
    if (value != kNoIndex) values = std::max(values, value + 1);
  }
  values_.assign(bindings_.values, bindings_.values + values);
  format::ValueRecord scratch = {};
  scratch.dtype = static_cast<uint8_t>(DType::kUint8);
  scratch.offset = scratch_offset;
  scratch.bytes = static_cast<uint32_t>(plan.scratch_bytes);
  values_.push_back(scratch);
  operands_.push_back(values);
  record_.operand_first = 0;
  record_.scratch_count = 1;
  bindings_.values = values_.data();
  bindings_.operands = operands_.data();
}

std::vector<DispatchPlan> ways_of(const Step& step, const Capabilities& device) {
  std::vector<DispatchPlan> ways;
  for (const DispatchRow& row : rows_of(step.op())) {
    if (missing_need(shader_of(row, step), device) != nullptr) continue;
    for (uint32_t choice = 0; choice < row.choices; ++choice) {
      DispatchPlan way{row.form, choice, 0};
      // The scratch that it needs shows only with the choice in place.
      const CarriedOut asking(step, way);
      if (row.scratch_bytes != nullptr && row.accepts(asking.step())) {
        way.scratch_bytes = row.scratch_bytes(asking.step());
      }
      if (is_carried_out(CarriedOut(step, way).step())) ways.push_back(way);
    }
  }
  return ways;
}

std::vector<Dispatch> dispatches_of(const Step& step) {
  std::vector<Dispatch> dispatches;
  const Status status = emit_dispatches(step, {&dispatches, keep});
  if (!status.ok()) {
    throw std::runtime_error("emit_dispatches: code " +
                             std::to_string(static_cast<uint32_t>(status.code)));
  }
  return dispatches;
}

std::string fault_of(const Step& step, const std::vector<Dispatch>& dispatches) {
  std::set<uint32_t> operands;
  for (uint32_t i = 0; i < step.input_count(); ++i) {
    if (step.has_input(i)) operands.insert(step.input_value(i));
  }
  for (uint32_t i = 0; i < step.output_count(); ++i) operands.insert(step.output_value(i));
  if (step.has_scratch()) operands.insert(step.scratch_value());
  for (size_t i = 0; i < dispatches.size(); ++i) {
    const std::string fault = fault_of(step, dispatches[i], operands);
    if (!fault.empty()) {
      return "dispatch " + std::to_string(i) + " of " + std::to_string(dispatches.size()) + ": " +
             fault;
    }
  }
  if (!dispatches.empty() && dispatches[0].barrier_before) {
    return "the first dispatch waits for an earlier one of its step";
  }
  return {};
}

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
