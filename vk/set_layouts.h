// The layouts that descriptor sets of our shaders have: storage buffers, then perhaps a uniform
// buffer with parameters or of an operand, then perhaps uniform buffers of operands.
#pragma once

#include <cstdint>

#include "core/format.h"
#include "kernels/dispatch/dispatch.h"
#include "vk/functions.h"

namespace arenite::vk {

struct SetLayout {
  uint32_t buffers = 0;  // 1 to kMaxBuffers
  bool parameters = false;
  uint32_t uniforms = 0;  // 0 or, behind parameters, up to kMaxUniforms

  uint32_t bindings() const { return buffers + (parameters ? 1 : 0) + uniforms; }
  VkDescriptorType type(uint32_t binding) const {
    return binding < buffers ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
                             : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  }
};

// All there are, numbered from 0 on.
inline constexpr uint32_t kSetLayouts = 2 * kMaxBuffers + kMaxUniforms;
inline constexpr uint32_t kMaxBindings = kMaxBuffers + 1 + kMaxUniforms;

constexpr SetLayout set_layout(uint32_t index) {
  if (index >= 2 * kMaxBuffers) return {kMaxBuffers, true, index - 2 * kMaxBuffers + 1};
  return {index % kMaxBuffers + 1, index >= kMaxBuffers};
}
constexpr uint32_t set_layout_index(uint32_t buffers, bool parameters, uint32_t uniforms) {
  // A uniform buffer of an operand alone is bound as parameters are.
  if (parameters && uniforms != 0) return 2 * kMaxBuffers + uniforms - 1;
  return buffers - 1 + (parameters || uniforms != 0 ? kMaxBuffers : 0);
}
// Whether there is a layout of so many bindings of each kind.
constexpr bool has_set_layout(uint32_t buffers, bool parameters, uint32_t uniforms) {
  return buffers >= 1 && buffers <= kMaxBuffers &&
         (uniforms == 0 || (buffers == kMaxBuffers && uniforms <= (parameters ? kMaxUniforms : 1)));
}
// The layout of a program's record; kSetLayouts for one that no shader has.
constexpr uint32_t find_set_layout(uint32_t layout) {
  for (uint32_t i = 0; i < kSetLayouts; ++i) {
    const SetLayout at = set_layout(i);
    if (layout_word(at.buffers, at.parameters, at.uniforms) == layout) {
      return i;
    }
  }
  return kSetLayouts;
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
