// Finds what somebody may have meant who mistyped a word.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace arenite {

// The candidate that is near enough to `word` to be meant; null: none.
const std::string* nearest(std::string_view word, std::span<const std::string> candidates);

// "; did you mean 'plan'?" where a candidate is near enough to `word`, else "".
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

// "a, b or c".
std::string listed(std::span<const std::string> words);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
