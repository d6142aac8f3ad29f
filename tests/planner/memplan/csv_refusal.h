// A text in CSV that is refused, and what the error says.
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace arenite::memory {

struct Refusal {
  std::string name;
  std::string text;
  std::vector<std::string> expected;
};

inline void expect_parts(const std::string& message, const Refusal& refusal) {
  for (const std::string& part : refusal.expected) {
    EXPECT_THAT(message, testing::HasSubstr(part));
  }
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
