// The interface of backends, which execute the steps that the CPU does not: a table of functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/program.h"

namespace arenite {

// All a backend needs to know of the variant it is to execute.
struct BackendTask {
  const Program* program = nullptr;
  const format::VariantRecord* variant = nullptr;
  const Bindings* bindings = nullptr;  // arenas[] of device kinds are filled by `attach`
  uint32_t method = 0;
};

struct Backend;
class Instance;

// Steps [first, last) of a variant.
struct StepRange {
  uint32_t first = 0, last = 0;
};

// No more stretches than that are given to a backend at once.
inline constexpr uint32_t kStretchesAtOnce = 64;

// The runtime's own part in running steps on a device, reached by a pointer: firmware that gives no
// backend links none of it.
struct DeviceFunctions {
  // Lets the backend attach, and checks the addresses it gives. If it returns an error, the backend
  // is detached again. Errors: the backend's; kArenaMissing, kBadAlignment (value = the arena).
  Status (*attach)(const Backend& backend, const BackendTask& task, std::span<std::byte*> arenas);
  // Runs stretches of device steps from step `first` on, those left out that no run with such
  // conditions needs: up to a step on the CPU, or to a stretch whose condition they compute. `end`
  // is where the run goes on.
  Status (*run)(Instance& instance, uint32_t first, uint32_t& end);
};

// Constant where it is defined.
// NOLINTNEXTLINE(bugprone-dynamic-static-initializers)
extern const DeviceFunctions kDeviceFunctions;

// The functions of a backend; `context` is the backend's own state, owned by the caller.
struct Backend {
  void* context = nullptr;
  // Creates everything the task needs (memory, pipelines, descriptor sets, recorded commands). For
  // each arena of the variant whose kind is not kHost, stores its CPU address in arenas[i], or null
  // when the CPU can't reach it.
  Status (*attach)(void* context, const BackendTask& task, std::span<std::byte*> arenas) = nullptr;
  // Executes the Vulkan and transfer steps of these stretches in their order, and waits for them.
  // There is at least one and at most kStretchesAtOnce, no CPU step is between two of them, and
  // each is whole: it begins with the first device step of the task, after a CPU step or at one
  // that begins a stretch, and ends at device_stretch_end.
  Status (*run)(void* context, std::span<const StepRange> stretches) = nullptr;
  // Gives back what `attach` made.
  void (*detach)(void* context) = nullptr;
  // Dims, strides, places of views or attributes in the task's bindings have changed, to others of
  // the plan's range: makes ready to run with these. Arenas stay where they are. After an error the
  // task cannot run until a resize succeeds. Null: the backend runs tasks of fixed dims alone.
  Status (*resize)(void* context) = nullptr;
  const DeviceFunctions* functions = &kDeviceFunctions;
};

// The end of the stretch of device steps (views between them included) that begins at `first`: a
// CPU step ends it, and a step that begins another. Equal to `first` when a CPU step comes before
// any device step.
uint32_t device_stretch_end(Records<format::StepRecord> steps, uint32_t first);

// A backend that runs nothing: attach and run fail with kUnsupported.
Backend null_backend();

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
