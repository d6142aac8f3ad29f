// Builds the create-infos of validation, and receives its messages.
#include "vk/validation.h"

namespace arenite::vk {
namespace {

VKAPI_ATTR VkBool32 VKAPI_CALL receive(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                       VkDebugUtilsMessageTypeFlagsEXT,
                                       const VkDebugUtilsMessengerCallbackDataEXT* data,
                                       void* context) {
  auto& messages = *static_cast<Messages*>(context);
  if ((severity & VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT) != 0) {
    messages.errors.fetch_add(1, std::memory_order_relaxed);
  } else {
    messages.warnings.fetch_add(1, std::memory_order_relaxed);
  }
  if (messages.print != nullptr) {
    messages.print(messages.context, data->pMessage);
  }
  return VK_FALSE;
}

}  // namespace

ValidationChain::ValidationChain(Messages& messages)
    : enabled{VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT},
      features{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT, &debug, 1, enabled, 0, nullptr},
      debug{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT, nullptr, 0,
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
            // GENERAL is left out: it is the loader on drivers without hardware, no fault of ours.
            VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT, receive, &messages} {}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
