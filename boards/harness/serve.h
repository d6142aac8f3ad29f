// The harness itself: answers a host's requests until it says bye.
#pragma once

#include "boards/harness/port.h"
#include "core/form.h"
#include "schema/harness_store.h"

namespace arenite::harness {

// Returns true after bye, false when the stream ended before.
bool serve(const Port& port, OpTable ops);

}  // namespace arenite::harness

// Every run lies between calls of these two; instruction counters look for their names.
extern "C" void arenite_run_begin();
extern "C" void arenite_run_end();
// SPDX-License-Identifier: Apache-2.0
