// Maps anonymous files of Linux (memfd) as often as wanted.
#include "tools/simulate/mapped_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <new>

namespace arenite::tools {

uint64_t page_bytes() {
  static const auto bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

PageRange pages_of(uint64_t begin, uint64_t end) {
  const uint64_t page = page_bytes();
  return {begin / page * page, (end + page - 1) / page * page};
}

MappedMemory::MappedMemory(uint64_t bytes)
    : pages_bytes_(pages_of(0, std::max<uint64_t>(bytes, 1)).end) {
  const uint64_t page = page_bytes();
  file_ = memfd_create("arenite", MFD_CLOEXEC);
  void* at = mmap(nullptr, pages_bytes_ + 2 * page, PROT_NONE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (file_ < 0 || at == MAP_FAILED || ftruncate(file_, static_cast<off_t>(pages_bytes_)) != 0) {
    throw std::bad_alloc();
  }
  mapped_ = static_cast<std::byte*>(at);
  at = mmap(mapped_ + page, pages_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  bytes_ = {static_cast<std::byte*>(at), bytes};
}

MappedMemory::~MappedMemory() {
  munmap(mapped_, pages_bytes_ + 2 * page_bytes());
  close(file_);
}

Slots::Slots(uint32_t count, uint64_t memory_bytes) : count_(count) {
  const uint64_t around = pages_of(0, std::max<uint64_t>(memory_bytes, 1)).end + page_bytes();
  front_bytes_ = pages_of(0, around / 2).end;
  slot_bits_ = static_cast<uint32_t>(std::bit_width(2 * around - 1));
  void* at = mmap(nullptr, bytes(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  base_ = static_cast<std::byte*>(at);
}

Slots::~Slots() { munmap(base_, bytes()); }

void Slots::map(uint32_t slot, const MappedMemory& memory, PageRange pages, bool writable) {
  if (pages.begin == pages.end) return;
  const int access = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  const void* at = mmap(memory_at(slot) + pages.begin, pages.end - pages.begin, access,
                        MAP_SHARED | MAP_FIXED, memory.file(), static_cast<off_t>(pages.begin));
  if (at == MAP_FAILED) throw std::bad_alloc();
}

void Slots::unmap(uint32_t slot, PageRange pages) {
  if (pages.begin == pages.end) return;
  const void* at = mmap(memory_at(slot) + pages.begin, pages.end - pages.begin, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
