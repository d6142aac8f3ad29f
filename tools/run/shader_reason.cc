// Looks up the row that a step names, its shader, and what that needs.
#include "tools/run/shader_reason.h"

#include "kernels/dispatch/rules.h"
#include "kernels/dispatch/twins.h"
#include "kernels/shader_table.h"
#include "tools/run/vulkan_host.h"

namespace arenite::tools {

std::string shader_reason(const Program& program, const format::VariantRecord& variant,
                          uint32_t step, const Capabilities& device) {
  if (step >= variant.step_count) return {};
  const format::StepRecord& record = program.steps_of(variant)[step];
  const Bindings bindings = program.bindings_of(variant);
  const Step named(bindings, record, step);
  const DispatchRow* row = find_row(named);
  if (row == nullptr) {
    return "this build has no form " + std::to_string(record.form) + " of its operator for GPUs";
  }
  const Shader shader = shader_of(*row, named);
  const ShaderCode& code = all_shaders()[static_cast<uint32_t>(shader)];
  if (code.words == nullptr) {
    return "shader " + std::string(code.name) + " is not linked into this build (ARENITE_SHADERS)";
  }
  const DeviceNeed* need = missing_need(shader, device);
  if (need == nullptr) return {};
  const auto id = static_cast<uint32_t>(need->capability);
  return "shader " + std::string(code.name) + " needs " + capability_name(id) + " of at least " +
         std::to_string(need->minimum) + ", the device has " + std::to_string(device.numbers[id]);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
