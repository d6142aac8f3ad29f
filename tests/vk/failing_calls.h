// The driver's functions as they are, for what tests put in their place; and calls of which one
// fails.
#pragma once

#include <cstdint>

#include "vk/functions.h"

namespace arenite::tests {

// The functions of the device under test as they were.
inline vk::DeviceFunctions real;
inline uint32_t calls = 0;    // of the functions that Failing stands for
inline uint32_t fail_at = 0;  // the call that fails, counted from 1

template <auto member>
struct Failing;
template <typename... Args, VkResult (VKAPI_PTR* vk::DeviceFunctions::*member)(Args...)>
struct Failing<member> {
  static VkResult VKAPI_CALL call(Args... args) {
    return ++calls == fail_at ? VK_ERROR_INITIALIZATION_FAILED : (real.*member)(args...);
  }
};

}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
