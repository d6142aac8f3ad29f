// Runs a child over a socket pair.
#include "tools/target/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "tools/run/runner.h"

namespace arenite::tools {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const std::string& name, const char* what, int number) {
  throw RunError(name + ": " + what + ": " + std::strerror(number));
}

// In the child: only calls that are safe after a fork. Tells what went wrong over `report`.
[[noreturn]] void become(char* const* words, int stream, int errors, int report) {
  // No emulator outlives the command that started it.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGPIPE, SIG_DFL);
  if (dup2(stream, STDIN_FILENO) >= 0 && dup2(stream, STDOUT_FILENO) >= 0 &&
      dup2(errors, STDERR_FILENO) >= 0) {
    execvp(words[0], words);
  }
  const int number = errno;
  static_cast<void>(!::write(report, &number, sizeof number));
  _exit(127);
}

}  // namespace

Child::Child(const std::vector<std::string>& command) : name_(command.at(0)) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  int stream[2], errors[2], report[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, stream) != 0) {
    fail(name_, "no stream", errno);
  }
  if (pipe2(errors, O_CLOEXEC) != 0 || pipe2(report, O_CLOEXEC) != 0) {
    fail(name_, "no pipe", errno);
  }
  pid_ = fork();
  if (pid_ == 0) become(words.data(), stream[1], errors[1], report[1]);
  const int fork_error = errno;
  close(stream[1]);
  close(errors[1]);
  close(report[1]);
  stream_ = stream[0];
  errors_ = errors[0];
  int number = 0;
  const bool failed = pid_ > 0 && ::read(report[0], &number, sizeof number) == sizeof number;
  close(report[0]);
  if (pid_ > 0 && !failed) return;
  end_by_force();
  close(stream_);
  close(errors_);
  fail(name_, "cannot be started", failed ? number : fork_error);
}

Child::~Child() {
  end_by_force();
  close(stream_);
  close(errors_);
}

void Child::end_by_force() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

void Child::write(std::span<const uint8_t> bytes) {
  outgoing_.insert(outgoing_.end(), bytes.begin(), bytes.end());
}

// Moves what can be moved, waiting at most `limit` for anything. False when the stream is closed.
bool Child::pump(std::chrono::milliseconds limit) {
  pollfd waiting{stream_, POLLIN, 0};
  if (sent_ < outgoing_.size()) waiting.events |= POLLOUT;
  const int ready = poll(&waiting, 1, static_cast<int>(limit.count()));
  if (ready < 0 && errno != EINTR) fail(name_, "cannot be waited for", errno);
  if (ready <= 0) return true;
  if ((waiting.revents & POLLOUT) != 0) {
    const ssize_t sent = send(stream_, outgoing_.data() + sent_, outgoing_.size() - sent_,
                              MSG_NOSIGNAL | MSG_DONTWAIT);
    // A child that is gone takes nothing; what it said last is still read.
    sent_ = sent < 0 && errno != EAGAIN ? outgoing_.size()
                                        : sent_ + static_cast<size_t>(std::max<ssize_t>(sent, 0));
    if (sent_ == outgoing_.size()) {
      outgoing_.clear();
      sent_ = 0;
    }
  }
  if ((waiting.revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
    uint8_t buffer[16384];
    const ssize_t got = recv(stream_, buffer, sizeof buffer, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return false;
    if (got > 0) incoming_.insert(incoming_.end(), buffer, buffer + got);
  }
  return true;
}

bool Child::read(std::span<uint8_t> to, std::chrono::milliseconds limit) {
  Clock::time_point last = Clock::now();
  while (incoming_.size() - taken_ < to.size()) {
    const size_t before = incoming_.size() + sent_;
    if (!pump(std::chrono::milliseconds(200))) return false;
    if (incoming_.size() + sent_ != before) last = Clock::now();
    if (Clock::now() - last > limit) {
      throw RunError(name_ + ": no answer within " + std::to_string(limit.count() / 1000) + " s");
    }
  }
  std::copy_n(incoming_.begin() + static_cast<ptrdiff_t>(taken_), to.size(), to.begin());
  taken_ += to.size();
  if (taken_ == incoming_.size()) {
    incoming_.clear();
    taken_ = 0;
  }
  return true;
}

int Child::wait(std::chrono::milliseconds limit) {
  const Clock::time_point end = Clock::now() + limit;
  bool open = true;
  while (true) {
    int status = 0;
    const pid_t done = waitpid(pid_, &status, WNOHANG);
    if (done == pid_) {
      pid_ = -1;
      return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    if (done < 0) fail(name_, "cannot be waited for", errno);
    if (Clock::now() > end) {
      end_by_force();
      throw RunError(name_ + ": did not end within " + std::to_string(limit.count() / 1000) + " s");
    }
    constexpr std::chrono::milliseconds kPause(5);
    if (open) {
      open = pump(kPause);
    } else {
      poll(nullptr, 0, static_cast<int>(kPause.count()));
    }
  }
}

std::string Child::unread() const {
  return {incoming_.begin() + static_cast<ptrdiff_t>(taken_), incoming_.end()};
}

std::string Child::errors() {
  std::string text;
  char buffer[4096];
  fcntl(errors_, F_SETFL, O_NONBLOCK);
  for (ssize_t got = 0; (got = ::read(errors_, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<size_t>(got));
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
