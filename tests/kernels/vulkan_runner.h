// Executes dispatches on a Vulkan device under validation: the least that tests of shaders need,
// independent of the runtime's own Vulkan code.
#pragma once

#include <vulkan/vulkan.h>

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/capabilities.h"
#include "kernels/dispatch/dispatch.h"

namespace arenite::test {

class VulkanRunner {
 public:
  // Opens the device whose name contains `name`, or a software device when it is empty; null when
  // there is none, with the reason in `why`. Throws std::runtime_error when Vulkan fails. Validates
  // synchronization, or with the environment variable ARENITE_TEST_GPU_ASSISTED each access to a
  // buffer (the device features that it needs are the newer layer's own business).
  static std::unique_ptr<VulkanRunner> open(const std::string& name, std::string& why);
  ~VulkanRunner();

  const std::string& device_name() const { return device_name_; }
  bool validates() const { return validates_; }
  // The capabilities that the planner gets for it.
  const Capabilities& capabilities() const { return capabilities_; }
  // The validation layer's messages so far.
  const std::vector<std::string>& messages() const { return messages_; }
  size_t pipelines() const { return pipelines_.size(); }
  // How many pipelines of the dispatches it has not built yet.
  size_t pipelines_to_build(const std::vector<Dispatch>& dispatches) const;

  // Runs the dispatches in order over `arena`: values of kind kArena lie at their offset in it.
  // Whether a flag was set (kFlagOperand). Throws std::runtime_error when Vulkan fails.
  bool run(const Bindings& bindings, const std::vector<Dispatch>& dispatches,
           std::span<std::byte> arena);
  // Milliseconds that the device took for the last run.
  double last_ms() const { return last_ms_; }
  // Executes the last run again and again, over what it left in the buffer; the least milliseconds.
  double repeat(uint32_t count);

 private:
  VulkanRunner() = default;
  bool create_instance(std::string& why);
  bool choose_device(const std::string& name, std::string& why);
  Capabilities read_capabilities() const;
  bool has_integer_dot() const;
  bool has_storage_of_halves() const;
  bool has_cooperative_matrices() const;
  // The dispatches with the shaders that the runtime runs in place of theirs (kin.h).
  std::vector<Dispatch> with_kin(const std::vector<Dispatch>& dispatches) const;
  void create_device();
  void grow_buffer(size_t bytes);
  VkShaderModule make_module(std::span<const uint32_t> words) const;
  VkPipeline pipeline(const Dispatch& dispatch);
  void submit();
  // Parameter blocks go to the buffer from `behind` on, and each dispatch's flag behind its block.
  void record(const Bindings& bindings, const std::vector<Dispatch>& dispatches, size_t behind);

  VkDescriptorBufferInfo range_of(const Bindings& bindings, uint32_t operand) const;

  struct Layouts {
    VkDescriptorSetLayout set = VK_NULL_HANDLE;
    VkPipelineLayout pipeline = VK_NULL_HANDLE;
    VkShaderModule module = VK_NULL_HANDLE;
  };

  VkInstance instance_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_ = VK_NULL_HANDLE;
  VkPhysicalDeviceLimits limits_ = {};
  uint32_t vendor_id_ = 0;
  bool is_software_ = false;
  Capabilities capabilities_;
  VkPhysicalDeviceMemoryProperties memory_ = {};
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkCommandPool command_pool_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  VkDescriptorPool descriptor_pool_ = VK_NULL_HANDLE;
  VkQueryPool queries_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;
  VkBuffer buffer_ = VK_NULL_HANDLE;
  VkDeviceMemory buffer_memory_ = VK_NULL_HANDLE;
  size_t buffer_bytes_ = 0;
  std::byte* mapped_ = nullptr;
  std::map<uint32_t, Layouts> layouts_;                    // by shader
  std::map<std::vector<uint32_t>, VkPipeline> pipelines_;  // by shader and constants
  std::vector<std::string> messages_;
  std::string device_name_;
  bool validates_ = false;
  double last_ms_ = 0;
};

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
