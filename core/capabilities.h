// Names the abilities of a machine as numbers, which are compared with a variant's requirements.
#pragma once

#include <cstdint>

#include "core/cpu_features.h"

namespace arenite {

// Ids of RequirementRecord. A requirement holds when the machine's number is at least the stored
// one.
enum class Capability : uint32_t {
  kVulkanVersion = 1,           // major * 1000 + minor
  kWorkgroupInvocations = 2,    // maxComputeWorkGroupInvocations
  kWorkgroupSizeX = 3,          // maxComputeWorkGroupSize[0]
  kSharedMemoryBytes = 4,       // maxComputeSharedMemorySize
  kStorageBufferBytes = 5,      // maxStorageBufferRange
  kStorageBuffersPerStage = 6,  // maxPerStageDescriptorStorageBuffers
  kPushConstantBytes = 7,       // maxPushConstantsSize
  kWorkgroupCount = 8,          // least of maxComputeWorkGroupCount
  // A device may lack these altogether; a variant requires those that the shader of some step
  // needs.
  kSubgroupSize = 9,  // of compute shaders that do arithmetic across a subgroup; 0: they can't
  kShaderInt16 = 10,  // the others: 1 or 0
  kShaderInt64 = 11,
  kStorage16Bit = 12,  // elements of storage buffers
  kIntegerDot = 13,    // inner products of four int8 in a word
};
inline constexpr uint32_t kCapabilityCount = 14;
inline constexpr uint32_t kFirstOptionalCapability = 9;

// A requirement of id kFirstCpuFeatureId + n is CPU feature n, the machine's number of which is 1
// or 0.
inline constexpr uint32_t kFirstCpuFeatureId = 64;

// Numbers by Capability; all 0 on a machine without Vulkan.
struct Capabilities {
  uint32_t numbers[kCapabilityCount] = {};
  CpuFeatures cpu_features = 0;

  // Whether a requirement holds; one of an id that this runtime does not know never does.
  constexpr bool meets(uint32_t id, uint32_t minimum) const {
    if (id < kCapabilityCount) {
      return numbers[id] >= minimum;
    }
    const uint32_t feature = id - kFirstCpuFeatureId;
    return id >= kFirstCpuFeatureId && feature < 32 && (cpu_features >> feature & 1u) >= minimum;
  }
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
