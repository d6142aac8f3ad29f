// Lets a device compute something whose answer is known, before a program is trusted to it.
#pragma once

#include "core/status.h"
#include "vk/device.h"

namespace arenite::vk {

// Uploads two vectors, adds them, reads the sum back. kUnsupported with Problem::kWrongAnswer when
// the sum is wrong; else the error that came in the way. Any error means: use a CPU variant.
Status self_test(Device& device);

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
