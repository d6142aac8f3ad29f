// The layouts that descriptor sets of our shaders have: storage buffers, then perhaps a uniform
// buffer with parameters.
#pragma once

#include <cstdint>

#include "core/format.h"
#include "kernels/dispatch/dispatch.h"
#include "vk/functions.h"

namespace arenite::vk {

struct SetLayout {
  uint32_t buffers = 0;  // 1 to kMaxBuffers
  bool parameters = false;

  uint32_t bindings() const { return buffers + (parameters ? 1 : 0); }
  VkDescriptorType type(uint32_t binding) const {
    return binding < buffers ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
                             : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  }
};

// All there are, numbered from 0 on.
inline constexpr uint32_t kSetLayouts = 2 * kMaxBuffers;
inline constexpr uint32_t kMaxBindings = kMaxBuffers + 1;

constexpr SetLayout set_layout(uint32_t index) {
  return {index % kMaxBuffers + 1, index >= kMaxBuffers};
}
constexpr uint32_t set_layout_index(uint32_t buffers, bool parameters) {
  return buffers - 1 + (parameters ? kMaxBuffers : 0);
}
// The layout of a program's record; kSetLayouts for one that no shader has.
constexpr uint32_t find_set_layout(uint32_t layout) {
  for (uint32_t i = 0; i < kSetLayouts; ++i) {
    const SetLayout at = set_layout(i);
    if (layout_word(at.buffers, at.parameters) == layout) {
      return i;
    }
  }
  return kSetLayouts;
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
