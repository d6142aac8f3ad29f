// One compute dispatch: the shader, the buffers and the words that vkCmdDispatch runs with, and
// what receives it.
#pragma once

#include <cstdint>

#include "core/step.h"

namespace arenite {

// Shaders, numbered and named as in kernels/shaders.def; the runtime's SPIR-V table is indexed by
// it.
enum class Shader : uint32_t {
#define ARENITE_SHADER(number, name, Type, buffers) k##Type = number,
#include "kernels/shaders.def"
};

inline constexpr uint32_t kMaxBuffers = 4;           // the guaranteed storage buffers of a stage
inline constexpr uint32_t kMaxUniforms = 3;          // uniform buffers behind the parameter block
inline constexpr uint32_t kMaxUniformBytes = 16384;  // the guaranteed range of one
inline constexpr uint32_t kMaxPushWords = 32;        // the guaranteed 128 bytes
inline constexpr uint32_t kMaxParameterWords = 128;
inline constexpr uint32_t kMaxSpecWords = 10;
inline constexpr uint32_t kWorkgroupSize = 64;  // invocations; <= the guaranteed 128
inline constexpr uint32_t kMaxGroups = 65535;   // the guaranteed workgroup count of each dimension
inline constexpr uint32_t kBufferAlignment =
    256;  // the largest minStorageBufferOffsetAlignment allowed

// Stands in place of an operand word for the dispatch's flag: a word of its own, 0 before it runs.
// A flag that is not 0 afterwards says that an index in the data lies outside (index_check.h).
inline constexpr uint32_t kFlagOperand = kNoIndex;

// Pipelines that a variant whose dims follow from symbols may keep for each of its dispatches:
// which it needs differs from size to size.
inline constexpr uint32_t kPipelinesADispatchMax = 4;

// One vkCmdDispatch. Buffer k is bound to the bytes of `values[k]`, an operand word, its start
// rounded down to kBufferAlignment (of its offset in the arena or in the constant); what
// was rounded off is in the push words, in elements (binding.h).
struct Dispatch {
  Shader shader;
  uint32_t buffer_count;
  uint32_t uniform_count;  // operands bound as uniform buffers, behind the parameter block
  uint32_t values[kMaxBuffers + kMaxUniforms];  // the buffers, then the uniforms
  uint32_t spec[kMaxSpecWords];                 // specialization constants 0, 1, ...
  uint32_t spec_count;
  uint32_t push[kMaxPushWords];
  uint32_t push_count;
  // Words beyond the push constants: the shader's parameter block, a uniform buffer of its own
  // behind the storage buffers. None: the shader has no such block.
  uint32_t parameters[kMaxParameterWords];
  uint32_t parameter_count;
  uint32_t groups[3];
  bool barrier_before;  // an earlier dispatch of the same step must be finished and visible first
};

// The layout of a descriptor set as programs store it (format::DescriptorSetRecord): `buffers`
// storage buffers, then the parameter block, then uniform buffers.
constexpr uint32_t layout_word(uint32_t buffers, bool parameters, uint32_t uniforms = 0) {
  uint32_t layout = 0;
  for (uint32_t i = 0; i < buffers; ++i) {
    layout |= static_cast<uint32_t>(format::Binding::kStorageBuffer) << 4 * i;
  }
  const uint32_t behind = (parameters ? 1u : 0u) + uniforms;
  for (uint32_t i = buffers; i < buffers + behind; ++i) {
    layout |= static_cast<uint32_t>(format::Binding::kUniformBuffer) << 4 * i;
  }
  return layout;
}

// Bytes that a parameter block takes in the buffer of all of them.
constexpr uint32_t parameter_block_bytes(uint32_t words) {
  return (words * 4 + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
}

// Receives the dispatches of a step one after another.
struct DispatchSink {
  void* context;
  Status (*add)(void* context, const Dispatch& dispatch);
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
