// Sees each allocation: by the sanitizer's hooks where there are such, else in the place of glibc's
// malloc.
#include "tests/fuzz/allocations.h"

#include <malloc.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

namespace arenite::fuzz {
namespace {

// Threads allocate too: each count is exact, what is read of several at once may be a moment apart.
std::atomic<uint64_t> live_bytes{0}, peak_bytes{0}, total_bytes{0}, count{0};
std::atomic<uint64_t> live_bytes_max{0};
std::atomic<void (*)()> past_limit{nullptr};

void allocated(uint64_t bytes) {
  const uint64_t live = live_bytes += bytes;
  total_bytes += bytes;
  ++count;
  uint64_t peak = peak_bytes;
  while (live > peak && !peak_bytes.compare_exchange_weak(peak, live)) {
  }
  const uint64_t most = live_bytes_max;
  if (most != 0 && live > most) past_limit.load()();
}

void freed(uint64_t bytes) { live_bytes -= bytes; }

}  // namespace

Allocations allocations() { return {live_bytes, peak_bytes, total_bytes, count}; }

void reset_peak() { peak_bytes = live_bytes.load(); }

void limit_live_bytes(uint64_t bytes_max, void (*call)()) {
  if (bytes_max != 0) past_limit = call;
  live_bytes_max = bytes_max;
}

}  // namespace arenite::fuzz

#if defined(__SANITIZE_ADDRESS__)

// The sanitizer calls these where a program defines them.
extern "C" {
size_t __sanitizer_get_allocated_size(const volatile void* pointer);
void __sanitizer_malloc_hook(const volatile void* pointer, size_t bytes);
void __sanitizer_free_hook(const volatile void* pointer);

void __sanitizer_malloc_hook(const volatile void*, size_t bytes) {
  arenite::fuzz::allocated(bytes);
}
void __sanitizer_free_hook(const volatile void* pointer) {
  if (pointer != nullptr) arenite::fuzz::freed(__sanitizer_get_allocated_size(pointer));
}
}

#else

// Ours stand before glibc's, which are called by their other names.
extern "C" {
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* pointer, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void* pointer);
}

namespace {

void* counted(void* pointer) {
  if (pointer != nullptr) arenite::fuzz::allocated(::malloc_usable_size(pointer));
  return pointer;
}

}  // namespace

extern "C" {
void* malloc(size_t bytes) { return counted(__libc_malloc(bytes)); }
void* calloc(size_t items, size_t bytes) { return counted(__libc_calloc(items, bytes)); }
void* memalign(size_t alignment, size_t bytes) {
  return counted(__libc_memalign(alignment, bytes));
}
void* aligned_alloc(size_t alignment, size_t bytes) {
  return counted(__libc_memalign(alignment, bytes));
}
int posix_memalign(void** pointer, size_t alignment, size_t bytes) {
  *pointer = counted(__libc_memalign(alignment, bytes));
  return *pointer == nullptr ? ENOMEM : 0;
}
void* realloc(void* pointer, size_t bytes) {
  const size_t before = pointer == nullptr ? 0 : ::malloc_usable_size(pointer);
  void* result = __libc_realloc(pointer, bytes);
  if (result != nullptr || bytes == 0) arenite::fuzz::freed(before);
  return counted(result);
}
void free(void* pointer) {
  if (pointer != nullptr) arenite::fuzz::freed(::malloc_usable_size(pointer));
  __libc_free(pointer);
}
}

#endif
// SPDX-License-Identifier: Apache-2.0
