// What shaders ask of a device beyond what Vulkan 1.1 guarantees, as their SPIR-V says it.
#pragma once

#include <cstdint>
#include <span>

#include "core/capabilities.h"
#include "kernels/dispatch/dispatch.h"

namespace arenite {

// At least `minimum`.
struct DeviceNeed {
  Capability capability;
  uint32_t minimum;
};

// Of a shader of kernels/shaders.def. Read from the compiled shaders at build time.
std::span<const DeviceNeed> needs_of(Shader shader);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
