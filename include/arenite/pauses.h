// Pauses: calls that a run makes inside its steps, to feed a watchdog, to let another task run, or
// to end the run.
//
// C++17, no library; compiles without exceptions and RTTI.
#pragma once

#include <cstdint>

namespace arenite {

// The runtime's part, reached by a pointer: an image without Pauses links none of it. Constant
// where it is defined.
struct PauseFunctions;
// NOLINTNEXTLINE(bugprone-dynamic-static-initializers)
extern const PauseFunctions kPauseFunctions;

// Says which function runs call, and how often. Instances that take turns may share one; it lives
// as long as they use it.
struct Pauses {
  // Called by the thread that runs the instance, between two pieces of a step's work. Returns
  // whether the run goes on; else it ends with Code::kCancelled. Must not use the instance.
  bool (*call)(void* context) = nullptr;
  void* context = nullptr;
  // The most operations (multiply-adds, comparisons...) from one call to the next. A step whose
  // form cannot be cut, and the least piece of one that can, are not cut further.
  std::uint32_t operations = 0;

  // The runtime's own; begin as they are here.
  std::uint32_t done = 0;  // operations since the last call
  bool was_cut = false;    // the step under way counts its operations itself
  bool cancelled = false;  // the run under way
  const PauseFunctions* functions = &kPauseFunctions;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
