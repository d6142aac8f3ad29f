// A counter on a terminal's standard error, for work that takes long; silent elsewhere.
#pragma once

#include <cstdint>
#include <string>

namespace arenite::tools {

class Progress {
 public:
  Progress(std::string what, uint64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance();

 private:
  std::string what_;
  uint64_t total_, done_ = 0;
  int64_t shown_ms_ = 0;
  bool terminal_, visible_ = false;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
