// A child process whose standard input and output are a byte stream to talk over.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tools/target/line.h"

namespace arenite::tools {

class Child : public DescriptorLine {
 public:
  // Starts the command. Throws RunError when it can't be.
  explicit Child(const std::vector<std::string>& command);
  // Ends it, and what it has started, by force when they still run.
  ~Child() override;

  bool receive(std::vector<uint8_t>& to, std::chrono::milliseconds limit) override;
  // Its exit status, and what it has written to standard error.
  std::string how_it_ended() override;
  // Waits for as many bytes as `to` holds. False when the child has closed its side; throws
  // RunError when nothing has come for `limit`.
  bool read(std::span<uint8_t> to, std::chrono::milliseconds limit);
  // Waits for the end; the exit status, or 128 + the signal that ended it. Ends it by force, and
  // throws RunError, when it takes longer than `limit`.
  int wait(std::chrono::milliseconds limit);
  // Tells it that no more will be sent, and waits for its end, which is forced after `limit`.
  void hang_up(std::chrono::milliseconds limit);
  // What has come and was not read, when it has closed its side.
  std::string unread() const;
  // The text that it has written to standard error; of much, the end.
  std::string errors();

 private:
  void read_errors();
  void end_by_force();

  pid_t pid_ = -1;
  int errors_ = -1;  // a file descriptor
  int alive_ = -1;   // another: while it is open, the child and what it has started live
  std::string errors_text_;
  std::vector<uint8_t> incoming_;
  size_t taken_ = 0;  // of incoming_
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
