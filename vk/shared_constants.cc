// Lists of uses, linked through records that backends own.
#include "vk/shared_constants.h"

#include <sched.h>

#include <cstring>

namespace arenite::vk {
namespace {

// Contents of one hash that differ are a coincidence, or made to cost time: it is bounded, at worst
// a constant lies on the device twice.
constexpr uint32_t kUnequalMax = 8;

}  // namespace

ConstantLock::ConstantLock(ConstantIndex& index) : index_(index) {
  // Another thread may be uploading for seconds.
  while (index_.busy.test_and_set(std::memory_order_acquire)) {
    sched_yield();
  }
}

ConstantLock::~ConstantLock() { index_.busy.clear(std::memory_order_release); }

uint32_t hash_of_bytes(const std::byte* bytes, uint32_t size) {
  constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15;
  constexpr uint32_t kLanes = 4;  // that do not wait for each other
  uint64_t lanes[kLanes] = {size, 1, 2, 3};
  uint32_t at = 0;
  for (; size - at >= kLanes * sizeof(uint64_t); at += kLanes * sizeof(uint64_t)) {
    uint64_t words[kLanes];
    std::memcpy(words, bytes + at, sizeof(words));
    for (uint32_t k = 0; k < kLanes; ++k) {
      const uint64_t mixed = (lanes[k] ^ words[k]) * kMultiplier;
      lanes[k] = mixed ^ mixed >> 32;
    }
  }
  for (; at < size; ++at) {
    lanes[0] = (lanes[0] ^ static_cast<uint64_t>(bytes[at])) * kMultiplier;
  }
  uint64_t hash = 0;
  for (const uint64_t lane : lanes) {
    hash = (hash ^ lane) * kMultiplier;
  }
  return static_cast<uint32_t>(hash >> 32);
}

ConstantUse* find_same(const ConstantIndex& index, const ConstantUse& use) {
  uint32_t unequal = 0;
  ConstantUse* other = index.buckets[use.hash % ConstantIndex::kBuckets];
  for (; other != nullptr && unequal < kUnequalMax; other = other->next_of_bucket) {
    if (other->hash != use.hash || other->size != use.size) {
      continue;
    }
    if (other->bytes == use.bytes || std::memcmp(other->bytes, use.bytes, use.size) == 0) {
      return other;
    }
    ++unequal;
  }
  return nullptr;
}

void share(ConstantIndex& index, ConstantUse& use, ConstantUse& other) {
  use.buffer = other.buffer;
  use.memory = other.memory;
  use.buffer_bytes = other.buffer_bytes;
  use.offset = other.offset;
  list_use(index, use, &other);
}

void list_use(ConstantIndex& index, ConstantUse& use, ConstantUse* of_same_buffer) {
  ConstantUse*& head = index.buckets[use.hash % ConstantIndex::kBuckets];
  use.next_of_bucket = head;
  use.link_of_bucket = &head;
  if (head != nullptr) {
    head->link_of_bucket = &use.next_of_bucket;
  }
  head = &use;
  if (of_same_buffer == nullptr) {
    use.next_of_buffer = &use;
    use.previous_of_buffer = &use;
    ++index.buffers;
    index.buffer_bytes += use.buffer_bytes;
    return;
  }
  use.previous_of_buffer = of_same_buffer;
  use.next_of_buffer = of_same_buffer->next_of_buffer;
  use.next_of_buffer->previous_of_buffer = &use;
  of_same_buffer->next_of_buffer = &use;
}

bool unlist_use(ConstantIndex& index, ConstantUse& use) {
  *use.link_of_bucket = use.next_of_bucket;
  if (use.next_of_bucket != nullptr) {
    use.next_of_bucket->link_of_bucket = use.link_of_bucket;
  }
  use.next_of_buffer->previous_of_buffer = use.previous_of_buffer;
  use.previous_of_buffer->next_of_buffer = use.next_of_buffer;
  const bool last = use.next_of_buffer == &use;
  if (last) {
    --index.buffers;
    index.buffer_bytes -= use.buffer_bytes;
  }
  use.next_of_bucket = nullptr;
  use.link_of_bucket = nullptr;
  use.next_of_buffer = nullptr;
  use.previous_of_buffer = nullptr;
  return last;
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
