// The record of one kernel form: what the planner, the loader and the executor know of it.
#pragma once

#include <cstdint>
#include <span>

#include "core/platform.h"
#include "core/step.h"

namespace arenite {

struct Kernel {
  Op op;
  // Refuses every step that `run` could not carry out inside its values' bytes: operand counts,
  // types, ranks, dims, attribute ranges, layouts, scratch bytes. Reads no tensor data. The loader
  // has proved before that each value lies in its storage and that each strided element it can
  // address does too.
  Status (*check)(const Step& step);
  Status (*run)(const Step& step, const Platform& platform);
  // Bytes of scratch the step needs; null when it needs none.
  uint32_t (*scratch_bytes)(const Step& step, uint32_t threads);
  // Facts.
  uint32_t weight_layouts;  // bit per Layout accepted for operand 1
  uint32_t alignment;   // bytes every operand's data must be aligned to (beyond its element size)
  uint32_t tail_bytes;  // bytes past a value's last element that the kernel may touch; they must
                        // belong to it
  bool parallel;        // splits its work over Platform::parallel_for
};

// What a program may use. The planner writes one for each firmware; the host has all of them.
using KernelTable = std::span<const Kernel* const>;

// The first kernel for `op`, or null.
const Kernel* find_kernel(KernelTable table, Op op);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
