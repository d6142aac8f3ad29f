// The bytes of a text.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace arenite::tests {

inline std::span<const std::byte> text_bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
