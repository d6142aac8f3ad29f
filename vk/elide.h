// Finds transfers that gain nothing, and lets shaders use the other end directly: on unified
// memory, uploads where the upload arena is the device's own, and small results of a discrete GPU.
#pragma once

#include "vk/state.h"
#include "vk/task.h"

namespace arenite::vk {

// For each transfer that can be left out with the same result, marks its value in a device arena as
// moved (State::moved) to the value in the upload or readback arena at the transfer's other end. It
// can be left out when
//   - the step is the only writer (upload) or reads the only copy (readback) of the bytes, and the
//     two values are whole, of one size, and at offsets equal modulo kBufferAlignment (the
//     offsets below that, which shaders get as words, stay true);
//   - no CPU step touches the device's value;
//   - no other value ever shares a byte with the value that stands in, and no step writes it
//     after the transfer.
// Only looks at the first 64 transfers, so that a plan cannot make it slow.
void elide_transfers(const Device& device, const Task& task, State& state);

// Whether the transfer was left out: it would copy bytes onto themselves.
bool is_elided(const State& state, const Step& transfer);

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
