// The host's side of the harness protocol: sends requests, collects replies in order.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "boards/harness/frame.h"
#include "tools/target/child.h"

namespace arenite::tools {

struct TargetReply {
  harness::Reply message;
  std::vector<std::byte> payload;
};

class TargetLink {
 public:
  explicit TargetLink(Child& child) : child_(child) {}

  // Bytes that mean nothing: a serial port drops what arrives while it is being switched on, and a
  // frame must not be what it drops. Before the first request.
  void begin();
  // Queues a request; any number may be on their way before their replies are read.
  void send(const harness::Request& request, std::span<const std::byte> payload = {});
  // The next reply, whatever it says. Throws RunError when none comes for `limit` of silence, or
  // the board stops: with what it and its emulator have said.
  TargetReply receive(std::chrono::milliseconds limit);

 private:
  [[noreturn]] void fail(const std::string& what);
  void read(std::span<uint8_t> to, std::chrono::milliseconds limit);

  Child& child_;
  std::string said_;  // bytes that belong to no frame: the board's words on a fault
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
