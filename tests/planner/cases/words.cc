// Splits a line at blanks and punctuation; brackets and quotes hold values together.
#include "tests/planner/cases/words.h"

#include "support/printable.h"

namespace arenite::planner::cases {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kEnds = " \t\r()[]{}=,:\"";

// The place behind the quoted text that begins at `from`.
size_t after_quoted(std::string_view text, size_t from) {
  for (size_t i = from + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  throw InputError("a quoted text does not end");
}

}  // namespace

std::string_view without_comment(std::string_view line) {
  size_t end = 0;
  while (end < line.size() && line[end] != '#') {
    end = line[end] == '"' ? after_quoted(line, end) : end + 1;
  }
  line = line.substr(0, end);
  const size_t last = line.find_last_not_of(kBlanks);
  return line.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

void Words::skip_blanks() {
  while (at_ < text_.size() && kBlanks.find(text_[at_]) != std::string_view::npos) ++at_;
}

std::string_view Words::peek_word() {
  skip_blanks();
  const size_t end = std::min(text_.find_first_of(kEnds, at_), text_.size());
  return text_.substr(at_, end - at_);
}

std::string Words::found() {
  if (done()) return "the end of the line";
  const std::string_view word = peek_word();
  return quote(word.empty() ? text_.substr(at_, 1) : word);
}

bool Words::done() {
  skip_blanks();
  return at_ >= text_.size();
}

bool Words::at(char c) {
  skip_blanks();
  return at_ < text_.size() && text_[at_] == c;
}

bool Words::take(char c) {
  if (!at(c)) return false;
  ++at_;
  return true;
}

bool Words::take(std::string_view word) {
  if (peek_word() != word) return false;
  at_ += word.size();
  return true;
}

void Words::expect(char c) {
  if (!take(c)) throw InputError("expected '" + std::string(1, c) + "', found " + found());
}

std::string Words::word() {
  const std::string_view word = peek_word();
  if (word.empty()) throw InputError("expected a word, found " + found());
  at_ += word.size();
  return std::string(word);
}

std::string Words::quoted() {
  if (!at('"')) throw InputError("expected a quoted text, found " + found());
  const size_t end = after_quoted(text_, at_);
  std::string text;
  for (size_t i = at_ + 1; i + 1 < end; ++i) {
    if (text_[i] == '\\') ++i;
    text += text_[i];
  }
  at_ = end;
  return text;
}

std::string Words::rest() {
  if (done()) throw InputError("expected a name, found the end of the line");
  const size_t from = at_;
  at_ = text_.size();
  return std::string(text_.substr(from));
}

std::string Words::value() {
  skip_blanks();
  const size_t from = at_;
  int depth = 0;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '"') {
      at_ = after_quoted(text_, at_);
      continue;
    }
    const bool closes = c == ')' || c == ']' || c == '}';
    if (depth == 0 && (closes || c == ',')) break;
    depth += closes ? -1 : c == '(' || c == '[' || c == '{' ? 1 : 0;
    ++at_;
  }
  if (depth != 0) throw InputError("a bracket is not closed");
  if (at_ == from) throw InputError("expected a value, found " + found());
  return std::string(without_comment(text_.substr(from, at_ - from)));
}

std::vector<Field> Words::fields() {
  std::vector<Field> fields;
  while (!done() && !at('}')) {
    Field field;
    field.name = word();
    expect(':');
    field.text = value();
    fields.push_back(std::move(field));
    if (!take(',')) break;
  }
  return fields;
}

}  // namespace arenite::planner::cases
// SPDX-License-Identifier: Apache-2.0
