// The runtime's part in pauses: cuts the loops of forms, and tells the executor of a cancel.
#pragma once

#include <cstdint>

#include "core/platform.h"
#include "core/status.h"
#include "include/arenite/pauses.h"

namespace arenite {

struct PauseFunctions {
  // Runs task over [0, items) as parallel_for does, `work` operations in all, in pieces between
  // which the platform's pauses are called. After a cancel the rest is left out.
  void (*cut)(const Platform& platform, uint32_t items, uint64_t work, PieceFunction task,
              void* argument);
  // Behind a step, or a stretch of device steps, that ended with `status`: calls if it was not cut,
  // and makes a cancel its status.
  void (*end_step)(Pauses& pauses, Status& status);
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
