// Draws the counter at most ten times a second.
#include "tools/arenite/progress.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace arenite::tools {
namespace {

int64_t now_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace

Progress::Progress(std::string what, uint64_t total)
    : what_(std::move(what)), total_(total), shown_ms_(now_ms()), terminal_(::isatty(2) == 1) {}

Progress::~Progress() {
  if (visible_) std::fprintf(stderr, "\r\033[K");
}

void Progress::advance() {
  ++done_;
  if (!terminal_ || now_ms() - shown_ms_ < 100) return;
  shown_ms_ = now_ms();
  visible_ = true;
  std::fprintf(stderr, "\r%s %llu/%llu", what_.c_str(), static_cast<unsigned long long>(done_),
               static_cast<unsigned long long>(total_));
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
