// Names the machines that run a program's steps, and counts the steps of each.
#pragma once

#include <cstdint>

#include "core/format.h"

namespace arenite {

// "cpu", "vulkan", "view" or "transfer"; null for a number that stands for none.
constexpr const char* text_of(format::Where where) {
  switch (where) {
    case format::Where::kCpu:
      return "cpu";
    case format::Where::kVulkan:
      return "vulkan";
    case format::Where::kView:
      return "view";
    case format::Where::kTransfer:
      return "transfer";
  }
  return nullptr;
}

struct StepCounts {
  uint32_t cpu = 0, vulkan = 0, views = 0, transfers = 0;

  constexpr void add(format::Where where) {
    switch (where) {
      case format::Where::kCpu:
        ++cpu;
        break;
      case format::Where::kVulkan:
        ++vulkan;
        break;
      case format::Where::kView:
        ++views;
        break;
      case format::Where::kTransfer:
        ++transfers;
        break;
    }
  }

  // Steps that run a kernel.
  constexpr uint32_t kernels() const { return cpu + vulkan; }
  // Steps that the model asks for: transfers are the plan's.
  constexpr uint32_t of_model() const { return kernels() + views; }
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
