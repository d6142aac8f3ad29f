// Compares dispatches with the guaranteed limits of Vulkan and with the compiled shaders.
#include "tests/kernels/dispatch_rules.h"

#include <set>
#include <stdexcept>

#include "kernels/shader_table.h"

namespace arenite::test {
namespace {

Status keep(void* context, const Dispatch& dispatch) {
  static_cast<std::vector<Dispatch>*>(context)->push_back(dispatch);
  return ok_status();
}

std::string fault_of(const Dispatch& dispatch, const std::set<uint32_t>& operands) {
  const auto shader = static_cast<uint32_t>(dispatch.shader);
  if (shader >= all_shaders().size()) return "no such shader";
  const ShaderCode& code = all_shaders()[shader];
  if (dispatch.buffer_count != code.buffers) return "binds another number of buffers";
  if (dispatch.push_count != code.push_words) {
    return "pushes " + std::to_string(dispatch.push_count) + " words, the shader has " +
           std::to_string(code.push_words);
  }
  if (dispatch.push_count > kMaxPushWords) return "too many push words";
  if (dispatch.spec_count > kMaxSpecWords) return "too many specialisation constants";
  for (uint32_t i = 0; i < dispatch.buffer_count; ++i) {
    if (operands.count(dispatch.values[i]) == 0) return "binds a value that is no operand";
  }
  for (uint32_t groups : dispatch.groups) {
    if (groups == 0 || groups > kMaxGroups) return std::to_string(groups) + " groups";
  }
  return {};
}

}  // namespace

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
  for (size_t i = 0; i < dispatches.size(); ++i) {
    const std::string fault = fault_of(dispatches[i], operands);
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
