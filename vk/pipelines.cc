// Makes the modules of all shaders first, where pipelines share them, then pipelines at the same
// time, where there are threads.
#include "vk/pipelines.h"

#include <atomic>

#include "kernels/dispatch/kin.h"
#include "kernels/dispatch/specialize.h"
#include "kernels/shader_table.h"
#include "vk/memory.h"
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

// Whether a dispatch runs a pipeline that has not been made.
bool is_missing(const Pipeline& pipeline) {
  return pipeline.in_use && pipeline.handle == VK_NULL_HANDLE;
}

// The shader that a pipeline runs. Drivers that compute on the CPU have inner products, made of
// single ones.
Shader shader_of(const Device& device, const Pipeline& pipeline) {
  if (device.info.type == VK_PHYSICAL_DEVICE_TYPE_CPU) return pipeline.shader;
  const Shader kin =
      best_kin(pipeline.shader, {pipeline.spec, pipeline.spec_count}, device.info.capabilities);
  const bool linked = all_shaders()[static_cast<uint32_t>(kin)].word_count != 0;
  return linked ? kin : pipeline.shader;
}

constexpr uint32_t kShaders = 0
#define ARENITE_SHADER(number, name, Type, buffers) +1
#include "kernels/shaders.def"
    ;

// What threads share that make pipelines.
struct Making {
  const Device& device;
  const std::span<Pipeline> pipelines;
  const bool specialized_modules =
      !drops_dead_code(device.info.vendor_id);  // one for each pipeline
  VkShaderModule modules[kShaders] = {};        // else: of the shaders of those that are missing
  std::atomic_flag failed = ATOMIC_FLAG_INIT;
  Status status = {};  // of the one that set `failed`
};

Status create_module(const Device& device, std::span<const uint32_t> words,
                     VkShaderModule& module) {
  VkShaderModuleCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  info.codeSize = words.size_bytes();
  info.pCode = words.data();
  return to_status(device.fn.create_shader_module(device.handle, &info, nullptr, &module));
}

Status make_module(Making& making, Shader shader) {
  VkShaderModule& module = making.modules[static_cast<uint32_t>(shader)];
  if (module != VK_NULL_HANDLE) {
    return ok_status();
  }
  const ShaderCode& code = all_shaders()[static_cast<uint32_t>(shader)];
  return create_module(making.device, {code.words, code.word_count}, module);
}

// The module of one pipeline, with its numbers written in. The runtime has no heap: the words lie
// in memory of the device until the driver has copied them.
Status make_specialized_module(const Device& device, const Pipeline& pipeline,
                               VkShaderModule& module) {
  const ShaderCode& code = all_shaders()[static_cast<uint32_t>(shader_of(device, pipeline))];
  Buffer buffer;
  ARENITE_TRY(
      create_buffer(device, MemoryUse::kUpload, code.word_count * sizeof(uint32_t), buffer));
  uint32_t* const words = reinterpret_cast<uint32_t*>(buffer.mapped);
  const uint32_t count =
      write_specialized({code.words, code.word_count}, {pipeline.spec, pipeline.spec_count}, words);
  const Status status = create_module(device, {words, count}, module);
  destroy_buffer(device, buffer);
  return status;
}

// The layout of the sets that a shader's bindings make.
uint32_t layout_of(Shader shader) {
  const ShaderCode& code = all_shaders()[static_cast<uint32_t>(shader)];
  return set_layout_index(code.buffers, code.parameter_words != 0, code.uniforms);
}

Status make_missing(const Making& making, Pipeline& pipeline) {
  const Device& device = making.device;
  const uint32_t layout = layout_of(pipeline.shader);
  if (!making.specialized_modules) {
    const Shader shader = shader_of(device, pipeline);
    return make_pipeline(device, making.modules[static_cast<uint32_t>(shader)], layout, pipeline);
  }
  VkShaderModule module = VK_NULL_HANDLE;
  ARENITE_TRY(make_specialized_module(device, pipeline, module));
  const Status status = make_pipeline(device, module, layout, pipeline);
  device.fn.destroy_shader_module(device.handle, module, nullptr);
  return status;
}

// Those of [first, last) that are missing.
void make_range(void* argument, uint32_t first, uint32_t last, uint32_t /*thread*/) {
  Making& making = *static_cast<Making*>(argument);
  for (Pipeline& pipeline : making.pipelines.subspan(first, last - first)) {
    if (!is_missing(pipeline)) {
      continue;
    }
    const Status status = make_missing(making, pipeline);
    if (!status.ok()) {
      if (!making.failed.test_and_set()) {
        making.status = status;
      }
      return;
    }
  }
}

}  // namespace

Status make_pipelines(const Device& device, std::span<Pipeline> pipelines) {
  Making making{device, pipelines};
  uint32_t missing = 0;
  for (const Pipeline& pipeline : pipelines) {
    if (is_missing(pipeline) && making.status.ok()) {
      if (!making.specialized_modules) {
        making.status = make_module(making, shader_of(device, pipeline));
      }
      ++missing;
    }
  }
  if (making.status.ok() && missing != 0) {
    const Workers& workers = device.workers;
    const auto count = static_cast<uint32_t>(pipelines.size());
    if (workers.parallel_for != nullptr && missing > 1) {
      workers.parallel_for(workers.context, count, workers.threads, make_range, &making);
    } else {
      make_range(&making, 0, count, 0);
    }
  }
  for (VkShaderModule module : making.modules) {
    device.fn.destroy_shader_module(device.handle, module, nullptr);
  }
  return making.status;
}

void destroy_pipelines(const Device& device, std::span<Pipeline> pipelines) {
  for (Pipeline& pipeline : pipelines) {
    device.fn.destroy_pipeline(device.handle, pipeline.handle, nullptr);
    pipeline.handle = VK_NULL_HANDLE;
  }
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
