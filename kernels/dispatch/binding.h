// Where the bytes of a step's operands begin, and where the buffers that shaders see them by begin.
#pragma once

#include <cstdint>

#include "core/step.h"

namespace arenite {

// Byte offset of an operand in its arena, or in its constant.
uint32_t storage_offset(const Bindings& bindings, uint32_t operand);
// Elements between the bound start of a value's buffer and its first element.
uint32_t buffer_skip(const Bindings& bindings, uint32_t operand);
// Whether a device that binds ranges of `storage_buffer_bytes` can bind the value.
bool is_bindable(const Bindings& bindings, uint32_t value, uint64_t storage_buffer_bytes);
// Whether any device can bind the value as a uniform buffer.
bool is_uniform(const Bindings& bindings, uint32_t operand);
// Bytes of the range that binds `bytes` from a bound start on: whole vectors of four words.
constexpr uint64_t uniform_range(uint64_t bytes) { return (bytes + 15) / 16 * 16; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
