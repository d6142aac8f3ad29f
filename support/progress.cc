// Draws a line ten times a second from a thread of its own, so that the work need not look at the
// clock, nor come back in time.
#include "support/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <thread>

namespace arenite {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kSilence(500), kPause(100);

bool can_draw() {
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return !dumb && ::isatty(STDERR_FILENO) == 1;
}

size_t terminal_columns() {
  winsize size = {};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

struct Progress::State {
  explicit State(const std::string& what_name) : name(what_name) {}

  std::string line() const {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start);
    std::string text = name;
    if (!what.empty()) text += ": " + what;
    if (total != 0) text += " " + std::to_string(done) + "/" + std::to_string(total);
    const std::string time = "  " + std::to_string(seconds.count()) + " s";
    const size_t columns = terminal_columns() - 1;  // a full line would move the cursor on
    text.resize(std::min(text.size(), columns - std::min(columns, time.size())));
    return text + time;
  }

  void draw() {
    std::unique_lock lock(mutex);
    std::string drawn;
    for (milliseconds wait = kSilence; !stopped.wait_for(lock, wait, [this] { return over; });
         wait = kPause) {
      std::string now = line();
      if (now != drawn) std::fprintf(stderr, "\r%s\033[K", now.c_str());
      drawn = std::move(now);
    }
    if (!drawn.empty()) std::fprintf(stderr, "\r\033[K");
  }

  const std::string name;
  const Clock::time_point start = Clock::now();
  std::mutex mutex;
  std::condition_variable stopped;
  std::string what;
  uint64_t done = 0, total = 0;
  bool over = false;
  std::thread thread;
};

Progress::Progress(const std::string& name, uint64_t total) {
  if (!can_draw()) return;
  state_ = std::make_unique<State>(name);
  state_->total = total;
  state_->thread = std::thread([this] { state_->draw(); });
}

Progress::~Progress() {
  if (state_ == nullptr) return;
  {
    const std::lock_guard lock(state_->mutex);
    state_->over = true;
  }
  state_->stopped.notify_one();
  state_->thread.join();
}

void Progress::advance() {
  if (state_ == nullptr) return;
  const std::lock_guard lock(state_->mutex);
  ++state_->done;
}

void Progress::show(const std::string& what, uint64_t done, uint64_t total) {
  if (state_ == nullptr) return;
  const std::lock_guard lock(state_->mutex);
  state_->what = what;
  state_->done = done;
  state_->total = total;
}

ProgressHook Progress::hook() {
  if (state_ == nullptr) return {};
  return
      [this](const std::string& what, uint64_t done, uint64_t total) { show(what, done, total); };
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
