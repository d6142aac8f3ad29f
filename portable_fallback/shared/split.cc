// One copy for all forms: each would else hold the three ways in which its pieces may run.
#include "portable_fallback/shared/split.h"

#include "core/pauses.h"

namespace arenite {

void split(const Platform& platform, uint32_t items, uint64_t work, PieceFunction task,
           void* argument) {
  if (platform.pauses != nullptr) {
    platform.pauses->functions->cut(platform, items, work, task, argument);
  } else if (platform.parallel_for != nullptr && is_worth_splitting(items, work)) {
    platform.parallel_for(platform.context, items, platform.threads, task, argument);
  } else {
    task(argument, 0, items, 0);
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
