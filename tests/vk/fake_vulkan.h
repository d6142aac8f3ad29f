// A Vulkan made of made-up devices, for choosing among more kinds of them than any machine has.
#pragma once

#include <cstdint>

#include "vk/loader.h"

namespace arenite::tests {

// In this order: 0 a software device, 1 an integrated GPU, 2 a discrete GPU that knows only Vulkan
// 1.0, 3 a discrete GPU, 4 a discrete GPU without a compute queue, 5 a virtual GPU whose storage
// buffers must lie 512-aligned, which Vulkan forbids. Of these the first `count`; until the next
// call.
vk::Library fake_vulkan(uint32_t count = UINT32_MAX);

}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
