// Runs a child over a socket pair.
#include "tools/target/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
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

// Ends this process's group once nobody holds the other end of the pipe `alive`.
[[noreturn]] void watch(int alive) {
  // It has the command's name: who ends all processes of that name ends the command, and it stays
  // to end the group.
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) signal(number, SIG_IGN);
  dup2(alive, STDIN_FILENO);
  close_range(STDIN_FILENO + 1, ~0u, 0);  // also what keeps other children's pipes open
  char none;
  while (::read(STDIN_FILENO, &none, 1) < 0 && errno == EINTR) {
  }
  kill(0, SIGKILL);
  _exit(1);
}

// In the child: only calls that are safe after a fork. Tells what went wrong over `report`.
[[noreturn]] void become(char* const* words, int stream, int errors, int report, int alive) {
  // Neither an emulator nor what a shell starts outlives the command that started it, whatever ends
  // that.
  setpgid(0, 0);
  if (fork() == 0) watch(alive);
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

Child::Child(const std::vector<std::string>& command) : DescriptorLine(command.at(0), -1, true) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  int stream[2], errors[2], report[2], alive[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, stream) != 0) {
    fail(name_, "no stream", errno);
  }
  if (pipe2(errors, O_CLOEXEC) != 0 || pipe2(report, O_CLOEXEC) != 0 ||
      pipe2(alive, O_CLOEXEC) != 0) {
    fail(name_, "no pipe", errno);
  }
  pid_ = fork();
  if (pid_ == 0) {
    close(alive[1]);
    become(words.data(), stream[1], errors[1], report[1], alive[0]);
  }
  const int fork_error = errno;
  close(stream[1]);
  close(errors[1]);
  close(report[1]);
  close(alive[0]);
  stream_ = stream[0];
  alive_ = alive[1];
  errors_ = errors[0];
  fcntl(errors_, F_SETFL, O_NONBLOCK);
  int number = 0;
  const bool failed = pid_ > 0 && ::read(report[0], &number, sizeof number) == sizeof number;
  close(report[0]);
  if (pid_ > 0 && !failed) return;
  end_by_force();
  close(errors_);
  close(alive_);
  fail(name_, "cannot be started", failed ? number : fork_error);
}

Child::~Child() {
  end_by_force();
  close(errors_);
  close(alive_);
}

void Child::end_by_force() {
  if (pid_ <= 0) return;
  kill(-pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

// Keeps reading what it writes to standard error too: a full pipe would stop it.
bool Child::receive(std::vector<uint8_t>& to, std::chrono::milliseconds limit) {
  const bool open = DescriptorLine::receive(to, limit);
  read_errors();
  return open;
}

bool Child::read(std::span<uint8_t> to, std::chrono::milliseconds limit) {
  Clock::time_point last = Clock::now();
  while (incoming_.size() - taken_ < to.size()) {
    const uint64_t before = incoming_.size() + sent_bytes();
    if (!receive(incoming_, std::chrono::milliseconds(200))) return false;
    if (incoming_.size() + sent_bytes() != before) last = Clock::now();
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
      open = receive(incoming_, kPause);
    } else {
      poll(nullptr, 0, static_cast<int>(kPause.count()));
    }
  }
}

std::string Child::unread() const {
  return {incoming_.begin() + static_cast<ptrdiff_t>(taken_), incoming_.end()};
}

void Child::read_errors() {
  constexpr size_t kTextBytesMax = 4000;
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(errors_, buffer, sizeof buffer)) > 0;) {
    errors_text_.append(buffer, static_cast<size_t>(got));
    if (errors_text_.size() > kTextBytesMax) {
      errors_text_.erase(0, errors_text_.size() - kTextBytesMax);
    }
  }
}

std::string Child::errors() {
  read_errors();
  std::string text = errors_text_;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

std::string Child::how_it_ended() {
  std::string text =
      name() + " ended with status " + std::to_string(wait(std::chrono::seconds(10)));
  const std::string said = errors();
  return said.empty() ? text : text + ": " + said;
}

void Child::hang_up(std::chrono::milliseconds limit) {
  shutdown(stream_, SHUT_WR);
  try {
    static_cast<void>(wait(limit));
  } catch (const RunError&) {
    // It was ended by force.
  }
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
