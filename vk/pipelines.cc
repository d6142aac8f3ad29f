// Goes shader by shader, so that a module lives only while its pipelines are made.
#include "vk/pipelines.h"

#include <algorithm>

#include "kernels/dispatch/kin.h"
#include "kernels/shader_table.h"
#include "vk/problem.h"

namespace arenite::vk {
namespace {

Status make_pipeline(const Device& device, VkShaderModule module, uint32_t layout,
                     Pipeline& pipeline) {
  VkSpecializationMapEntry entries[kMaxSpecWords];
  for (uint32_t i = 0; i < pipeline.spec_count; ++i) {
    entries[i] = {i, i * static_cast<uint32_t>(sizeof(uint32_t)), sizeof(uint32_t)};
  }
  const VkSpecializationInfo specialization{
      pipeline.spec_count, static_cast<const VkSpecializationMapEntry*>(entries),
      pipeline.spec_count * sizeof(uint32_t), static_cast<const uint32_t*>(pipeline.spec)};
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &specialization;
  info.layout = device.pipeline_layouts[layout];
  return to_status(device.fn.create_compute_pipelines(device.handle, device.cache, 1, &info,
                                                      nullptr, &pipeline.handle));
}

// Whether a dispatch runs a pipeline of this shader that has not been made.
bool is_missing(const Pipeline& pipeline, Shader shader) {
  return pipeline.in_use && pipeline.handle == VK_NULL_HANDLE && pipeline.shader == shader;
}

// Drivers that compute on the CPU have inner products, made of single ones.
const ShaderCode& code_of(const Device& device, Shader shader) {
  const ShaderCode& planned = all_shaders()[static_cast<uint32_t>(shader)];
  if (device.info.type == VK_PHYSICAL_DEVICE_TYPE_CPU) return planned;
  const Shader kin = best_kin(shader, device.info.capabilities);
  const ShaderCode& code = all_shaders()[static_cast<uint32_t>(kin)];
  return code.word_count != 0 ? code : planned;
}

Status make_pipelines_of(const Device& device, Shader shader, std::span<Pipeline> pipelines) {
  const ShaderCode& code = code_of(device, shader);
  VkShaderModuleCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  info.codeSize = code.word_count * sizeof(uint32_t);
  info.pCode = code.words;
  VkShaderModule module = VK_NULL_HANDLE;
  ARENITE_VK_TRY(device.fn.create_shader_module(device.handle, &info, nullptr, &module));
  Status status;
  for (Pipeline& pipeline : pipelines) {
    if (is_missing(pipeline, shader) && status.ok()) {
      status = make_pipeline(
          device, module, set_layout_index(code.buffers, code.parameter_words != 0, code.uniforms),
          pipeline);
    }
  }
  device.fn.destroy_shader_module(device.handle, module, nullptr);
  return status;
}

}  // namespace

Status make_pipelines(const Device& device, std::span<Pipeline> pipelines) {
  for (uint32_t i = 0; i < all_shaders().size(); ++i) {
    const auto shader = static_cast<Shader>(i);
    const bool missing = std::any_of(pipelines.begin(), pipelines.end(),
                                     [shader](const Pipeline& p) { return is_missing(p, shader); });
    if (missing) {
      ARENITE_TRY(make_pipelines_of(device, shader, pipelines));
    }
  }
  return ok_status();
}

void destroy_pipelines(const Device& device, std::span<Pipeline> pipelines) {
  for (Pipeline& pipeline : pipelines) {
    device.fn.destroy_pipeline(device.handle, pipeline.handle, nullptr);
    pipeline.handle = VK_NULL_HANDLE;
  }
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
