// A byte stream to a board: that of an emulator, a serial port, or a connection.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace arenite::tools {

class Line {
 public:
  Line() = default;
  virtual ~Line() = default;
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  // Takes the bytes; they go out while receive() waits, so that neither side blocks the other.
  virtual void write(std::span<const uint8_t> bytes) = 0;
  // Appends to `to` what comes within `limit`, or returns at once when something has. False when
  // the other side has closed.
  virtual bool receive(std::vector<uint8_t>& to, std::chrono::milliseconds limit) = 0;
  // The bytes that have gone out so far.
  virtual uint64_t sent_bytes() const = 0;
  // What is known of the end of the other side, once it has closed.
  virtual std::string how_it_ended() = 0;
};

// A line over a file descriptor, which is closed with it.
class DescriptorLine : public Line {
 public:
  DescriptorLine(std::string name, int descriptor, bool is_socket)
      : name_(std::move(name)), stream_(descriptor), is_socket_(is_socket) {}
  ~DescriptorLine() override;

  void write(std::span<const uint8_t> bytes) override;
  bool receive(std::vector<uint8_t>& to, std::chrono::milliseconds limit) override;
  uint64_t sent_bytes() const override { return sent_in_all_; }
  std::string how_it_ended() override { return name_ + " was closed"; }
  // For messages.
  const std::string& name() const { return name_; }

 protected:
  std::string name_;
  int stream_ = -1;
  bool is_socket_ = false;

 private:
  void send_some();

  std::vector<uint8_t> outgoing_;
  size_t sent_ = 0;  // of outgoing_
  uint64_t sent_in_all_ = 0;
};

// Opens a serial port ("/dev/ttyACM0"), raw, 8 bits, no parity, at `baud`; or "tcp:HOST:PORT".
// Throws InputError for what is neither, RunError where it cannot be opened.
std::unique_ptr<Line> open_port(const std::string& port, uint32_t baud);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
