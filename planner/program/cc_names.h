// Names and literals of C++ source from text that may hold anything.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace arenite::planner {

// Whether the text is an identifier that anybody may use: letters, digits and single underscores,
// with a letter first and no underscore last, and no word of the language.
bool is_identifier(std::string_view text);

// The nearest identifier: "/conv1/Conv_output_0" is conv1_Conv_output_0, "12" is t12, "int" is
// int_t.
std::string identifier(std::string_view text);

// identifier(text), numbered where `taken` has it already; and taken from now on.
std::string new_identifier(std::string_view text, std::set<std::string>& taken);

// Writes a C string: all but plain characters are escaped.
std::string literal(std::string_view text);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
