// Memory for programs and arenas on hosts: aligned as they ask, and quick to read from end to end.
#pragma once

#include <cstddef>
#include <memory>

namespace arenite {

using AlignedMemory = std::unique_ptr<std::byte[], void (*)(std::byte*)>;

// `alignment` is a power of two. Throws std::bad_alloc.
AlignedMemory aligned_memory(size_t bytes, size_t alignment);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
