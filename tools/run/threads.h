// The host's threads as the runtime's parallel_for.
#pragma once

#include <cstdint>
#include <memory>

#include "core/platform.h"

struct pthreadpool;

namespace arenite::tools {

class Threads {
 public:
  // One thread means none but the caller's.
  explicit Threads(uint32_t count);
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  // Keeps a pointer to this.
  Platform platform();

 private:
  pthreadpool* pool_ = nullptr;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
