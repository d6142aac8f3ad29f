// Shaders that differ in instructions alone: they take the same words and buffers, so that a device
// runs the better one whichever a program was planned with.
#pragma once

#include "core/capabilities.h"
#include "kernels/dispatch/command.h"

namespace arenite {

// Returns the shader that a device runs in place of `shader`: its kin with four products an
// instruction where the device has such instructions, else `shader` itself.
Shader best_kin(Shader shader, const Capabilities& device);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
