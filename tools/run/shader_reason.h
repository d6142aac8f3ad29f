// Why a device does not carry out a Vulkan step that the program has for it.
#pragma once

#include <cstdint>
#include <string>

#include "core/program.h"

namespace arenite::tools {

// In English, by the names of shaders and capabilities; empty where nothing speaks against it.
std::string shader_reason(const Program& program, const format::VariantRecord& variant,
                          uint32_t step, const Capabilities& device);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
