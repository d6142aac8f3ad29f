// Counts of a test's repetitions: campaigns raise them, slow drivers lower them.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace arenite::test {

// The decimal number that an environment variable holds, or `otherwise` where it is not set.
inline uint32_t environment_count(const char* variable, uint32_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : static_cast<uint32_t>(std::strtoul(text, nullptr, 10));
}

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
