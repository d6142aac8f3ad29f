// Dims that models and callers write as expressions of others: "past_length + length", "width / 2".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace arenite::planner {

// The value of whole numbers and names joined by + - * / (rounded down) and parentheses. Nothing
// where the text is no such expression, a name has no number, a divisor is 0, or what comes out is
// less than 0 or does not fit.
std::optional<uint32_t> dim_of(const std::string& text,
                               const std::map<std::string, uint32_t>& numbers);

// The names in it; none where it is no such expression, or is a name alone.
std::set<std::string> names_in_dim(const std::string& text);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
