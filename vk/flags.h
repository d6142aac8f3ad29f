// Words that dispatches set where an index in the data lies outside, and that the CPU reads after
// each submission.
#pragma once

#include <cstdint>

#include "core/predicate.h"
#include "core/status.h"
#include "vk/descriptors.h"
#include "vk/device.h"
#include "vk/memory.h"

namespace arenite::vk {

// The step and the value that a flag speaks of.
struct FlagOrigin {
  uint32_t step;
  uint32_t value;  // the operand with the indices
};

// A buffer of `count` flags, none of them set; left empty for none.
Status make_flags(const Device& device, uint32_t count, Buffer& flags);
uint32_t flag_count(const Buffer& flags);

// `flag` is less than flag_count(flags). What name_flag writes is flushed by the caller.
void name_flag(const Buffer& flags, uint32_t flag, const FlagOrigin& origin);
BufferRange flag_range(const Buffer& flags, uint32_t flag);

// kIndexOutOfRange with the step and the value of the first flag that is set by a step that the run
// needs; clears all. What set them has been waited for.
Status read_flags(const Device& device, const Buffer& flags, const PredicateTask& task);

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
