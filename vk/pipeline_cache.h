// The driver's store of compiled shaders: what an earlier run left goes in, what there is now comes
// out.
#pragma once

#include <cstddef>
#include <span>

#include "core/status.h"
#include "vk/device.h"

namespace arenite::vk {

// Makes the device's cache from `data`, which pipeline_cache_data gave in an earlier run. What
// another device or driver wrote is left out here; what this one's driver does with the rest is its
// business, and cache_bytes_at_start says whether it kept any. Data that were damaged in between
// may crash a driver: whoever stores them guards them with a checksum.
Status open_pipeline_cache(std::span<const std::byte> data, Device& device);

// Copies the pipeline cache to `data` and sets `bytes` to its size. An empty `data` asks only for
// the size; kArenaTooSmall when `data` is too small.
Status pipeline_cache_data(const Device& device, std::span<std::byte> data, size_t& bytes);

// The share of the pipelines that the cache held.
enum class CacheUse : uint32_t {
  kCold,    // nothing: the driver was given nothing, or kept nothing of it
  kPartly,  // something, but it has added to it since
  kWarm,    // all: it has added nothing
};
CacheUse pipeline_cache_use(const Device& device);

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
