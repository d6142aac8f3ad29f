// Device features beyond those of Vulkan 1.1 that shaders need, as their SPIR-V says.
#pragma once

#include <cstdint>
#include <span>

#include "core/capabilities.h"
#include "kernels/dispatch/command.h"

namespace arenite {

// At least `minimum`.
struct DeviceNeed {
  Capability capability;
  uint32_t minimum;
};

// The needs of a shader of kernels/shaders.def, read from compiled shaders at build time.
std::span<const DeviceNeed> needs_of(Shader shader);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
