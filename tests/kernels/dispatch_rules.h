// Rules that every dispatch must obey, whatever the step: limits, agreement with the shader table.
#pragma once

#include <string>
#include <vector>

#include "kernels/dispatch/dispatch.h"

namespace arenite::test {

// The limits that Vulkan 1.1 guarantees, with buffers of up to `storage_buffer_bytes`.
Capabilities plain_device(uint32_t storage_buffer_bytes = UINT32_MAX);

// A step in one of the ways in which shaders do it, with the scratch that this takes. Must not
// move.
class CarriedOut {
 public:
  // The scratch lies at `scratch_offset` of arena 0.
  CarriedOut(const Step& step, const DispatchPlan& plan, uint32_t scratch_offset = 0);
  CarriedOut(const CarriedOut&) = delete;
  CarriedOut& operator=(const CarriedOut&) = delete;
  Step step() const { return {bindings_, record_, index_}; }

 private:
  std::vector<format::ValueRecord> values_;
  std::vector<uint32_t> operands_;
  Bindings bindings_;
  format::StepRecord record_;
  uint32_t index_;
};

// Every form with every choice that does the step on a device, in the order of the rows.
std::vector<DispatchPlan> ways_of(const Step& step, const Capabilities& device);

// All dispatches of a step as it says; throws std::runtime_error where emit_dispatches fails.
std::vector<Dispatch> dispatches_of(const Step& step);

// The first thing wrong with any of them, in words; empty when nothing is.
std::string fault_of(const Step& step, const std::vector<Dispatch>& dispatches);

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
