// Memory whose bytes may be seen at several addresses, and the address range where operands are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace arenite::tools {

// The system's page: what a mapping and its protection go by.
uint64_t page_bytes();

struct PageRange {
  uint64_t begin = 0, end = 0;  // bytes, multiples of page_bytes()
};
// The pages that hold bytes [begin, end).
PageRange pages_of(uint64_t begin, uint64_t end);

// So many bytes and what is left of their last page. A page that nobody may touch is at both ends.
class MappedMemory {
 public:
  // Throws std::bad_alloc.
  explicit MappedMemory(uint64_t bytes);
  ~MappedMemory();
  MappedMemory(const MappedMemory&) = delete;
  MappedMemory& operator=(const MappedMemory&) = delete;

  std::span<std::byte> bytes() const { return bytes_; }
  std::span<std::byte> whole_pages() const { return {bytes_.data(), pages_bytes_}; }
  int file() const { return file_; }

 private:
  int file_ = -1;
  std::byte* mapped_ = nullptr;
  uint64_t pages_bytes_ = 0;
  std::span<std::byte> bytes_;
};

// An address range of slots: any access faults, but to what is mapped there.
class Slots {
 public:
  // Each slot holds a memory of so many bytes, with as much again around it. Throws std::bad_alloc.
  Slots(uint32_t count, uint64_t memory_bytes);
  ~Slots();
  Slots(const Slots&) = delete;
  Slots& operator=(const Slots&) = delete;

  std::byte* base() const { return base_; }
  uint64_t bytes() const { return uint64_t{count_} << slot_bits_; }
  uint32_t slot_bits() const { return slot_bits_; }
  uint32_t count() const { return count_; }
  // Byte 0 of a memory lies at such an offset from a slot's begin.
  uint64_t front_bytes() const { return front_bytes_; }
  std::byte* memory_at(uint32_t slot) const {
    return base_ + (uint64_t{slot} << slot_bits_) + front_bytes_;
  }
  // Bytes [begin, end) of the memory, whole pages, are seen in the slot.
  void map(uint32_t slot, const MappedMemory& memory, PageRange pages, bool writable);
  void unmap(uint32_t slot, PageRange pages);

 private:
  uint32_t count_;
  uint32_t slot_bits_ = 0;
  uint64_t front_bytes_ = 0;
  std::byte* base_ = nullptr;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
