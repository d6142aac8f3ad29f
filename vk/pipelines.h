// Makes the compute pipelines of a variant, each distinct one once.
#pragma once

#include <span>

#include "vk/device.h"
#include "vk/state.h"

namespace arenite::vk {

// Makes a pipeline for every entry in use that has none, through the device's pipeline cache. On an
// error those made so far are there to be destroyed.
Status make_pipelines(const Device& device, std::span<Pipeline> pipelines);
void destroy_pipelines(const Device& device, std::span<Pipeline> pipelines);

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
