// Expects a call to have ended with an error about a value.
#pragma once

#include <gtest/gtest.h>

#include "core/status.h"

namespace arenite::tests {

inline void expect_error(const Status& status, Code code, uint32_t value = kNoIndex) {
  EXPECT_EQ(status.code, code) << text_of(status.code);
  EXPECT_EQ(status.value, value);
}

}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
