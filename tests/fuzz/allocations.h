// Counts what this process allocates, whatever asks for it: the same counts on every machine.
#pragma once

#include <cstdint>

namespace arenite::fuzz {

struct Allocations {
  uint64_t live_bytes = 0;   // allocated and not freed
  uint64_t peak_bytes = 0;   // most of them at once since reset_peak()
  uint64_t total_bytes = 0;  // ever allocated
  uint64_t count = 0;        // of allocations ever made
};

Allocations allocations();
void reset_peak();

// Called on the allocation that takes live_bytes past the limit; may end the process, must not
// allocate. 0: no limit.
void limit_live_bytes(uint64_t bytes_max, void (*past_limit)());

}  // namespace arenite::fuzz
// SPDX-License-Identifier: Apache-2.0
