// Names the abilities of a machine as numbers, which are compared with a variant's requirements.
#pragma once

#include <cstdint>

#include "core/cpu_features.h"

namespace arenite {

// Ids of RequirementRecord. A requirement holds when the machine's number is at least the stored
// one.
enum class Capability : uint32_t {
#define ARENITE_CAPABILITY(number, name, Name, optional, words) k##Name = number,
#include "schema/capabilities.def"
};
inline constexpr uint32_t kCapabilityCount = 1
#define ARENITE_CAPABILITY(number, name, Name, optional, words) +1
#include "schema/capabilities.def"
    ;
inline constexpr uint32_t kFirstOptionalCapability = 1
#define ARENITE_CAPABILITY(number, name, Name, optional, words) +(optional ? 0 : 1)
#include "schema/capabilities.def"
    ;

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
