// The line that would have worked in place of one that failed.
#pragma once

#include <exception>
#include <string>
#include <vector>

namespace arenite {

// `words` with the one that `error` is about corrected; the first word is the program. Empty where
// nothing is known that would do.
std::vector<std::string> working_words(const std::vector<std::string>& words,
                                       const std::exception& error);

// "A line that works: arenite plan model.onnx\n", of words that are not empty.
std::string working_line_text(const std::vector<std::string>& words);

// Whether the message has a line of its own: "plan it first: arenite plan model.onnx".
bool names_a_command(const std::exception& error);

// "A line that works: arenite plan my.onnx": `command`, and the words that follow it in `example`
// with files that are here in the place of its own, one of `typed` with the same suffix, else the
// first of this folder. "An example: ", and the example as it is, where there are none that would
// do.
std::string example_text(const std::string& command, const std::vector<std::string>& example,
                         const std::vector<std::string>& typed);

// `words` with `found` replaced: a word, or a part of one at an '='. Empty where it is none.
std::vector<std::string> replaced(std::vector<std::string> words, const std::string& found,
                                  const std::string& instead);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
