// Shaders that differ in instructions alone: they take the same words and buffers, so that a device
// runs the better one whichever a program was planned with.
#pragma once

#include <span>

#include "core/capabilities.h"
#include "kernels/dispatch/command.h"

namespace arenite {

// Returns the shader that a device runs in place of `shader` with these specialization constants:
// its kin with four products an instruction, or with products of whole matrices, where the device
// has such instructions and the kin takes what the constants say, else `shader` itself.
Shader best_kin(Shader shader, std::span<const uint32_t> spec, const Capabilities& device);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
