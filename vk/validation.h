// Switches Khronos' validation layer on and counts what it says, for tests.
#pragma once

#include <vulkan/vulkan_core.h>

#include <atomic>
#include <cstdint>

namespace arenite::vk {

// Counts of validation messages. The caller owns it and keeps it until the device is closed.
struct Messages {
  std::atomic<uint32_t> warnings = 0;
  std::atomic<uint32_t> errors = 0;
  // Called with each message, from whichever thread made the Vulkan call; may be null.
  void (*print)(void* context, const char* text) = nullptr;
  void* context = nullptr;
};

// The create-infos that an instance under core and synchronization validation is made with; points
// into itself, so it must not move.
struct ValidationChain {
  explicit ValidationChain(Messages& messages);
  ValidationChain(const ValidationChain&) = delete;
  ValidationChain& operator=(const ValidationChain&) = delete;

  VkValidationFeatureEnableEXT enabled[1];
  VkValidationFeaturesEXT features;          // first of the chain
  VkDebugUtilsMessengerCreateInfoEXT debug;  // also sees the making of the instance itself
};

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
