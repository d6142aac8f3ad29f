// Errors of host programs: bad input, and output that could not be written.
#pragma once

#include <stdexcept>
#include <string>

namespace arenite {

// Bad usage or bad input: says what, where, expected and found. Exit status 2.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Output that was not written: where, and what the system says. Exit status 1.
struct OutputError : std::runtime_error {
  // `number` is errno's. A reader of our standard output may stop when it has seen enough: that
  // error is not reported.
  OutputError(const std::string& where, int number, bool standard_output = false);
  bool quiet = false;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
