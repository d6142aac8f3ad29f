// The parts of opening a device and of loading a program, for a caller who times them: the runtime
// reads no clock.
#pragma once

#include <cstdint>

namespace arenite::vk {

enum class Phase : uint32_t {
  kInstance,   // the loader, its instance, and the list of its devices
  kDevice,     // the logical device, its layouts, and the pipeline cache
  kUpload,     // arenas, and constants that the device did not have
  kPipelines,  // modules and pipelines
  kCommands,   // descriptor sets and command buffers
};
inline constexpr uint32_t kPhaseCount = 5;

// Who is told; null: nobody. Each phase begins where the one before ends, the first ones of a
// device and of a program where open_device and attach are called.
struct PhaseListener {
  void* context = nullptr;
  void (*ended)(void* context, Phase phase) = nullptr;

  void tell(Phase phase) const {
    if (ended != nullptr) ended(context, phase);
  }
};

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
