// Compares the header that Vulkan prescribes, and sizes before and after.
#include "vk/pipeline_cache.h"

#include <algorithm>
#include <cstring>

#include "vk/problem.h"

namespace arenite::vk {
namespace {

// Whether this very device and driver wrote the data, by the header that all drivers write.
bool is_ours(std::span<const std::byte> data, const DeviceInfo& info) {
  VkPipelineCacheHeaderVersionOne header;
  if (data.size() < sizeof header) {
    return false;
  }
  std::memcpy(&header, data.data(), sizeof header);
  return header.headerSize >= sizeof header && header.headerSize <= data.size() &&
         header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
         header.vendorID == info.vendor_id && header.deviceID == info.device_id &&
         std::equal(info.cache_uuid, info.cache_uuid + VK_UUID_SIZE, header.pipelineCacheUUID);
}

Status create(std::span<const std::byte> data, Device& device) {
  VkPipelineCacheCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
  info.initialDataSize = data.size();
  info.pInitialData = data.data();
  return to_status(device.fn.create_pipeline_cache(device.handle, &info, nullptr, &device.cache));
}

}  // namespace

Status open_pipeline_cache(std::span<const std::byte> data, Device& device) {
  device.cache_bytes_at_start = 0;
  ARENITE_TRY(create({}, device));
  if (!is_ours(data, device.info)) {
    return ok_status();
  }
  size_t empty_bytes = 0;
  ARENITE_TRY(pipeline_cache_data(device, {}, empty_bytes));
  device.fn.destroy_pipeline_cache(device.handle, device.cache, nullptr);
  device.cache = VK_NULL_HANDLE;
  if (!create(data, device).ok()) {
    return create({}, device);
  }
  size_t bytes = 0;
  ARENITE_TRY(pipeline_cache_data(device, {}, bytes));
  // A driver that ignores the data says nothing of it; its cache is as small as an empty one.
  device.cache_bytes_at_start = bytes > empty_bytes ? bytes : 0;
  return ok_status();
}

Status pipeline_cache_data(const Device& device, std::span<std::byte> data, size_t& bytes) {
  bytes = 0;
  if (device.handle == VK_NULL_HANDLE) {
    return arenite::error(Code::kNotLoaded);
  }
  // The size comes from a call with null first: some drivers write garbage into a guessed size.
  ARENITE_VK_TRY(device.fn.get_pipeline_cache_data(device.handle, device.cache, &bytes, nullptr));
  if (data.empty()) {
    return ok_status();
  }
  if (data.size() < bytes) {
    return arenite::error(Code::kArenaTooSmall);
  }
  return to_status(
      device.fn.get_pipeline_cache_data(device.handle, device.cache, &bytes, data.data()));
}

CacheUse pipeline_cache_use(const Device& device) {
  size_t bytes = 0;
  if (device.cache_bytes_at_start == 0 || !pipeline_cache_data(device, {}, bytes).ok()) {
    return CacheUse::kCold;
  }
  return bytes <= device.cache_bytes_at_start ? CacheUse::kWarm : CacheUse::kPartly;
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
