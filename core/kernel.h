// The record of one kernel form: what the planner, the loader and the executor know of it.
#pragma once

#include <cstdint>
#include <span>

#include "core/platform.h"
#include "core/step.h"

namespace arenite {

// The lead of an input that output 0 must not overlap at any distance.
inline constexpr uint64_t kNoOverlap = UINT64_MAX;

// An element is then written by who has read it, and nobody reads it later.
enum class InPlace : uint8_t {
  kNever,
  kCpu,       // in this kernel
  kAnywhere,  // and in the op's shader
};

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
  // How far reads of an input lead the writes: the least D with which a step that is flagged
  // kSerial is right wherever the input's data starts at least D bytes behind the start of output
  // 0. It is the greatest distance by which the bytes written at some time reach beyond the lowest
  // byte of the input still to be read, or 0. Null: kNoOverlap for all. The step has been checked.
  uint64_t (*lead_bytes)(const Step& step, uint32_t input) = nullptr;
  // Where the step is right, on any number of threads, with an input of the form of output 0 (type,
  // dims, strides) in its very place.
  InPlace in_place = InPlace::kNever;
};

// What a program may use. The planner writes one for each firmware; the host has all of them.
using KernelTable = std::span<const Kernel* const>;

// The first kernel for `op`, or null.
const Kernel* find_kernel(KernelTable table, Op op);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
