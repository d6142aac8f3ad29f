// The index of the constants on a device: it finds them by content and counts their uses.
//
// Each use is a record in the memory of the backend that uses the constant. The device only holds
// the heads of lists of them, so that nothing here is allocated:
//
//   buckets   [h] -> use -> use        all uses, by a hash of the content
//   buffers   use <-> use <-> use      a ring of the uses of one buffer; the last one frees it
//
// A use names the bytes that it was made from, in its own program. A program outlives its
// instances, so these can be compared as long as the use is listed, whichever program brought the
// bytes to the device first and whether that one is still there.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "vk/functions.h"

namespace arenite::vk {

// A constant of a program, as one backend uses it.
struct ConstantUse {
  const std::byte* bytes = nullptr;  // of the program's own, `size` of them
  uint32_t size = 0;
  uint32_t hash = 0;
  bool wanted = false;               // some step of the device reads it
  VkBuffer buffer = VK_NULL_HANDLE;  // null while it is not listed
  VkDeviceMemory memory = VK_NULL_HANDLE;
  uint64_t buffer_bytes = 0;  // of the whole buffer
  uint64_t offset = 0;        // in the buffer, a multiple of kBufferAlignment
  ConstantUse* next_of_bucket = nullptr;
  ConstantUse** link_of_bucket = nullptr;  // what points to this use
  ConstantUse* next_of_buffer = nullptr;
  ConstantUse* previous_of_buffer = nullptr;
};

// The constants on a device. Its lists are touched only by the thread that holds the lock.
struct ConstantIndex {
  static constexpr uint32_t kBuckets = 256;
  ConstantUse* buckets[kBuckets] = {};
  uint64_t buffer_bytes = 0;  // of all buffers that hold constants now
  uint32_t buffers = 0;
  std::atomic_flag busy = ATOMIC_FLAG_INIT;
};

// Held while constants are brought to the device, so that no other thread brings the same ones.
class ConstantLock {
 public:
  explicit ConstantLock(ConstantIndex& index);
  ConstantLock(const ConstantLock&) = delete;
  ConstantLock& operator=(const ConstantLock&) = delete;
  ~ConstantLock();

 private:
  ConstantIndex& index_;
};

// A hash of any bytes: it differs for most contents that differ.
uint32_t hash_of_bytes(const std::byte* bytes, uint32_t size);

// A listed use of the same content as `use` (its bytes, size and hash are set); null: none.
ConstantUse* find_same(const ConstantIndex& index, const ConstantUse& use);

// Lists a use as one of the buffer of `other`, at its place; `other` is listed.
void share(ConstantIndex& index, ConstantUse& use, ConstantUse& other);
// Lists a use of a buffer (its handles, bytes and offset are set) that another listed use is of; or
// the first use of a new buffer, with null.
void list_use(ConstantIndex& index, ConstantUse& use, ConstantUse* of_same_buffer);
// Takes a use off the lists; true when it was the last one of its buffer, which is then the
// caller's to free.
bool unlist_use(ConstantIndex& index, ConstantUse& use);

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
