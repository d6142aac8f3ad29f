// Makes identifiers and literals.
#include "planner/program/cc_names.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace arenite::planner {
namespace {

// Keywords of C++20 and C, and macros that headers of C libraries define.
constexpr std::string_view kWords[] = {
    "alignas",     "alignof",      "and",       "and_eq",
    "asm",         "auto",         "bitand",    "bitor",
    "bool",        "break",        "case",      "catch",
    "char",        "char16_t",     "char32_t",  "char8_t",
    "class",       "co_await",     "co_return", "co_yield",
    "compl",       "concept",      "const",     "const_cast",
    "consteval",   "constexpr",    "constinit", "continue",
    "decltype",    "default",      "delete",    "do",
    "double",      "dynamic_cast", "else",      "enum",
    "explicit",    "export",       "extern",    "false",
    "float",       "for",          "friend",    "goto",
    "if",          "inline",       "int",       "linux",
    "long",        "mutable",      "namespace", "new",
    "noexcept",    "not",          "not_eq",    "nullptr",
    "operator",    "or",           "or_eq",     "private",
    "protected",   "public",       "register",  "reinterpret_cast",
    "requires",    "restrict",     "return",    "short",
    "signed",      "sizeof",       "static",    "static_assert",
    "static_cast", "struct",       "switch",    "template",
    "this",        "thread_local", "throw",     "true",
    "try",         "typedef",      "typeid",    "typename",
    "union",       "unix",         "unsigned",  "using",
    "virtual",     "void",         "volatile",  "wchar_t",
    "while",       "xor",          "xor_eq",    "errno",
    "stdin",       "stdout",       "stderr",    "assert",
    "arenite",     "std",
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_word(std::string_view text) {
  return std::find(std::begin(kWords), std::end(kWords), text) != std::end(kWords);
}

}  // namespace

bool is_identifier(std::string_view text) { return !text.empty() && identifier(text) == text; }

std::string identifier(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (is_letter(c) || is_digit(c)) {
      result += c;
    } else if (!result.empty() && result.back() != '_') {
      result += '_';
    }
  }
  if (!result.empty() && result.back() == '_') result.pop_back();
  if (result.empty() || is_digit(result.front())) result.insert(result.begin(), 't');
  return is_word(result) ? result + "_t" : result;
}

std::string new_identifier(std::string_view text, std::set<std::string>& taken) {
  const std::string base = identifier(text);
  std::string result = base;
  for (int n = 2; !taken.insert(result).second; ++n) result = base + "_" + std::to_string(n);
  return result;
}

std::string literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte > '~' || c == '"' || c == '\\' || c == '?') {
      // In octal, which always ends after three digits.
      char escaped[8];
      std::snprintf(escaped, sizeof(escaped), "\\%03o", byte);
      result += escaped;
    } else {
      result += c;
    }
  }
  return result + "\"";
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
