// A child process whose standard input and output are a byte stream to talk over.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace arenite::tools {

class Child {
 public:
  // Starts the command. Throws RunError when it can't be.
  explicit Child(const std::vector<std::string>& command);
  // Ends it by force when it still runs.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Takes the bytes; they go out while read() waits, so that neither side blocks the other.
  void write(std::span<const uint8_t> bytes);
  // Waits for as many bytes as `to` holds. False when the child has closed its side; throws
  // RunError when nothing has come for `limit`.
  bool read(std::span<uint8_t> to, std::chrono::milliseconds limit);
  // Waits for the end; the exit status, or 128 + the signal that ended it. Ends it by force, and
  // throws RunError, when it takes longer than `limit`.
  int wait(std::chrono::milliseconds limit);
  // Its command's first word.
  const std::string& name() const { return name_; }
  // What has come and was not read, when it has closed its side.
  std::string unread() const;
  // The text that it has written to standard error.
  std::string errors();

 private:
  bool pump(std::chrono::milliseconds limit);
  void end_by_force();

  std::string name_;
  pid_t pid_ = -1;
  int stream_ = -1, errors_ = -1;  // file descriptors
  std::vector<uint8_t> outgoing_, incoming_;
  size_t sent_ = 0, taken_ = 0;  // of outgoing_ and incoming_
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
