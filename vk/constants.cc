// Finds constants on the device by content, and uploads those that are missing.
#include "vk/constants.h"

#include <algorithm>
#include <cstring>

#include "vk/staging.h"

namespace arenite::vk {
namespace {

// Constants from this size on can go back alone. Below it, what a driver rounds an allocation up to
// would be a loss, and devices promise no more than 4096 allocations.
constexpr uint64_t kOwnBufferBytes = uint64_t{64} << 10;

uint64_t slot_bytes(const ConstantUse& use) {
  const uint64_t bytes = std::max<uint64_t>(use.size, 1);
  return (bytes + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
}

bool is_small(const ConstantUse& use) { return slot_bytes(use) < kOwnBufferBytes; }

Status read_contents(const Task& task, std::span<ConstantUse> uses) {
  for (uint32_t i = 0; i < uses.size(); ++i) {
    ConstantUse& use = uses[i];
    if (!use.wanted) {
      continue;
    }
    const format::ConstantRecord& constant = task.constants[i];
    const std::byte* const* sections = task.bindings->sections;
    if (sections == nullptr || sections[constant.place] == nullptr) {
      return arenite::error(Code::kNotLoaded, i);
    }
    use.bytes = sections[constant.place] + constant.offset;
    use.size = constant.bytes;
    use.hash = hash_of_bytes(use.bytes, use.size);
  }
  return ok_status();
}

// Places and fills the missing constants. Holds the device's lock.
class Uploader {
 public:
  Uploader(Device& device, VkFence fence, std::span<ConstantUse> uses)
      : device_(device), fence_(fence), uses_(uses) {}

  Status run() {
    share_what_is_there();
    Status status = upload();
    if (status.ok()) {
      status = flush_stager(device_, fence_, stager_);
    }
    close_stager(device_, status, stager_);
    return status;
  }

 private:
  static bool is_missing(const ConstantUse& use) {
    return use.wanted && use.buffer == VK_NULL_HANDLE;
  }

  bool share_if_there(ConstantUse& use) {
    ConstantUse* const same = find_same(device_.constants, use);
    if (same == nullptr) {
      return false;
    }
    share(device_.constants, use, *same);
    return true;
  }

  void share_what_is_there() {
    for (ConstantUse& use : uses_) {
      if (use.wanted && !share_if_there(use)) {
        missing_bytes_ += slot_bytes(use);
        small_bytes_ += is_small(use) ? slot_bytes(use) : 0;
      }
    }
  }

  // A program that stores a content twice has the second one shared here.
  Status upload() {
    Buffer small;
    ConstantUse* of_small = nullptr;
    uint64_t used = 0;
    for (ConstantUse& use : uses_) {
      if (!is_missing(use) || share_if_there(use)) {
        continue;
      }
      if (!is_small(use)) {
        Buffer own;
        ARENITE_TRY(create_buffer(device_, MemoryUse::kConstants, use.size, own));
        ARENITE_TRY(place(use, own, 0, nullptr));
        continue;
      }
      if (of_small == nullptr) {
        ARENITE_TRY(create_buffer(device_, MemoryUse::kConstants, small_bytes_, small));
      }
      const uint64_t offset = used;
      used += slot_bytes(use);
      ConstantUse* const before = of_small;
      of_small = &use;
      ARENITE_TRY(place(use, small, offset, before));
    }
    return ok_status();
  }

  // Lists the use first, so that its buffer is given back whatever happens.
  Status place(ConstantUse& use, const Buffer& buffer, uint64_t offset,
               ConstantUse* of_same_buffer) {
    use.buffer = buffer.handle;
    use.memory = buffer.memory;
    use.buffer_bytes = buffer.bytes;
    use.offset = offset;
    list_use(device_.constants, use, of_same_buffer);
    if (buffer.mapped != nullptr) {
      std::memcpy(buffer.mapped + offset, use.bytes, use.size);
      return ok_status();
    }
    const StagedCopy copy{use.bytes, use.size, use.buffer, offset};
    return stage(device_, copy, missing_bytes_, fence_, stager_);
  }

  Device& device_;
  const VkFence fence_;
  const std::span<ConstantUse> uses_;
  Stager stager_;
  uint64_t missing_bytes_ = 0;  // slots of all that is not on the device
  uint64_t small_bytes_ = 0;    // of these, slots of small ones
};

void release(Device& device, std::span<ConstantUse> uses) {
  for (ConstantUse& use : uses) {
    if (use.buffer == VK_NULL_HANDLE) {
      continue;
    }
    if (unlist_use(device.constants, use)) {
      device.fn.destroy_buffer(device.handle, use.buffer, nullptr);
      device.fn.free_memory(device.handle, use.memory, nullptr);
    }
    use = {};
  }
}

bool any_wanted(std::span<const ConstantUse> uses) {
  return std::any_of(uses.begin(), uses.end(), [](const ConstantUse& use) { return use.wanted; });
}

}  // namespace

Status acquire_constants(Device& device, const Task& task, VkFence fence,
                         std::span<ConstantUse> uses) {
  if (!any_wanted(uses)) {
    return ok_status();
  }
  ARENITE_TRY(read_contents(task, uses));
  const ConstantLock lock(device.constants);
  const Status status = Uploader(device, fence, uses).run();
  if (!status.ok()) {
    release(device, uses);
  }
  return status;
}

void release_constants(Device& device, std::span<ConstantUse> uses) {
  if (!any_wanted(uses)) {
    return;
  }
  const ConstantLock lock(device.constants);
  release(device, uses);
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
