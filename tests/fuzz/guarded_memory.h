// Memory that ends at a page nobody may touch: one byte too far is a fault, in kernels too.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <new>
#include <span>

namespace arenite::fuzz {

class GuardedMemory {
 public:
  // `bytes` that end as close to the guard page as `alignment` (a power of two, at most a page)
  // lets them.
  GuardedMemory(size_t bytes, size_t alignment) {
    const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
    const size_t needed = (bytes + alignment - 1) / alignment * alignment;
    const size_t body = (needed + page - 1) / page * page;
    mapped_bytes_ = body + 2 * page;
    mapped_ = ::mmap(nullptr, mapped_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped_ == MAP_FAILED) throw std::bad_alloc();
    auto* start = static_cast<std::byte*>(mapped_) + page;
    if (body != 0 && ::mprotect(start, body, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    bytes_ = {start + (body - needed), bytes};
  }
  ~GuardedMemory() { ::munmap(mapped_, mapped_bytes_); }
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  std::span<std::byte> bytes() const { return bytes_; }

 private:
  void* mapped_ = nullptr;
  size_t mapped_bytes_ = 0;
  std::span<std::byte> bytes_;
};

}  // namespace arenite::fuzz
// SPDX-License-Identifier: Apache-2.0
