// Standard output, checked: what a command prints arrives, or the command fails.
#pragma once

#include <string>
#include <string_view>

#include "support/errors.h"

namespace arenite {

// Like printf; names from files may hold anything, so control characters are written as \xNN. All
// three functions throw OutputError.
[[gnu::format(printf, 1, 2)]] void print(const char* format, ...);
void print_text(std::string_view text);  // as it is
// Writes all output that is still held back. Every command ends with it.
void finish_output();

// "name: message" on standard error, control characters but line breaks as \xNN.
void print_error(std::string_view name, std::string_view message);

// While it lives, it keeps what this thread prints, instead of the standard streams. One a thread.
class KeptOutput {
 public:
  KeptOutput();
  ~KeptOutput();
  KeptOutput(const KeptOutput&) = delete;
  KeptOutput& operator=(const KeptOutput&) = delete;

  std::string printed;
  std::string errors;  // of print_error(), a line each
};

// Before anything is opened: standard streams that are closed become ones that fail, lest the next
// file takes their number and is written to; and a reader who leaves is an error, not our end.
void prepare_standard_streams();

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
