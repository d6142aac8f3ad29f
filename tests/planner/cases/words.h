// Reads a line of a `.cases` file word by word.
//
// A word ends at a blank or at one of ( ) [ ] { } = , : ". Every function first steps over blanks,
// and throws InputError, without a place, where it does not find what it is asked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/errors.h"
#include "tests/planner/cases/case.h"

namespace arenite::planner::cases {

// The line up to its comment, which a # outside quotes begins, without blanks at its ends.
std::string_view without_comment(std::string_view line);

class Words {
 public:
  explicit Words(std::string_view line) : text_(line) {}

  bool done();
  // Whether `c` comes next.
  bool at(char c);
  // Whether `c` comes next; steps over it then.
  bool take(char c);
  // Whether this word comes next; steps over it then.
  bool take(std::string_view word);
  void expect(char c);
  std::string word();
  std::string quoted();
  // All that is left; not empty.
  std::string rest();
  // The text of a value: up to a comma or a closing bracket that belongs to what is around it.
  std::string value();
  // NAME: VALUE, ...: up to the end or to what closes the list.
  std::vector<Field> fields();

 private:
  void skip_blanks();
  std::string_view peek_word();
  std::string found();  // for messages: what comes next

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace arenite::planner::cases
// SPDX-License-Identifier: Apache-2.0
