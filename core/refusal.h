// A note of why a check fails. The parts of the check each answer yes or no in a register and leave
// the reason here, which keeps the code of checks small.
#pragma once

#include "core/status.h"

namespace arenite {

class Refusal {
 public:
  const Status& status() const { return status_; }

 protected:
  // Returns false, always.
  bool refuse(Code code, uint32_t value = kNoIndex) {
    note(code, value);
    return false;
  }
  bool refuse(const Status& status) { return refuse(status.code, status.value); }

  Status status_;

 private:
  void note(Code code, uint32_t value);
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
