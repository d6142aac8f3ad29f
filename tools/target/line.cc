// Moves bytes by poll(); opens serial ports and connections.
#include "tools/target/line.h"

#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "support/printable.h"
#include "tools/run/runner.h"

namespace arenite::tools {
namespace {

[[noreturn]] void fail_line(const std::string& name, const char* what, int number) {
  throw RunError(name + ": " + what + ": " + std::strerror(number));
}

struct Speed {
  uint32_t baud;
  speed_t code;
};

constexpr Speed kSpeeds[] = {
    {9600, B9600},       {19200, B19200},     {38400, B38400},     {57600, B57600},
    {115200, B115200},   {230400, B230400},   {460800, B460800},   {500000, B500000},
    {576000, B576000},   {921600, B921600},   {1000000, B1000000}, {1500000, B1500000},
    {2000000, B2000000}, {3000000, B3000000}, {4000000, B4000000},
};

speed_t speed_of(uint32_t baud) {
  std::string known;
  for (const Speed& speed : kSpeeds) {
    if (speed.baud == baud) return speed.code;
    known += (known.empty() ? "" : ", ") + std::to_string(speed.baud);
  }
  throw InputError("--baud: expected one of " + known + ", found " + std::to_string(baud));
}

std::unique_ptr<Line> open_serial(const std::string& path, uint32_t baud) {
  const speed_t speed = speed_of(baud);
  const int descriptor = open(path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) fail_line(path, "cannot be opened", errno);
  auto line = std::make_unique<DescriptorLine>(path, descriptor, false);
  termios settings{};
  if (tcgetattr(descriptor, &settings) != 0) fail_line(path, "is no serial port", errno);
  cfmakeraw(&settings);
  settings.c_cflag |= CLOCAL | CREAD;
  settings.c_cflag &= ~static_cast<tcflag_t>(CSTOPB | CRTSCTS);
  cfsetispeed(&settings, speed);
  cfsetospeed(&settings, speed);
  if (tcsetattr(descriptor, TCSANOW, &settings) != 0) fail_line(path, "cannot be set up", errno);
  // What an earlier conversation has left.
  tcflush(descriptor, TCIOFLUSH);
  return line;
}

std::unique_ptr<Line> open_connection(const std::string& port) {
  const size_t host_at = port.find(':') + 1, colon = port.rfind(':');
  if (colon < host_at || colon == host_at || colon + 1 == port.size()) {
    throw InputError("--port: expected tcp:HOST:PORT, found " + quote(port));
  }
  const std::string host = port.substr(host_at, colon - host_at), number = port.substr(colon + 1);
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int problem = getaddrinfo(host.c_str(), number.c_str(), &hints, &found); problem != 0) {
    throw RunError(port + ": cannot be found: " + gai_strerror(problem));
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> addresses(found, freeaddrinfo);
  int error = 0;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    const int descriptor =
        socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC, one->ai_protocol);
    if (descriptor < 0) continue;
    if (connect(descriptor, one->ai_addr, one->ai_addrlen) == 0) {
      fcntl(descriptor, F_SETFL, O_NONBLOCK);
      return std::make_unique<DescriptorLine>(port, descriptor, true);
    }
    error = errno;
    close(descriptor);
  }
  fail_line(port, "cannot be connected to", error);
}

}  // namespace

DescriptorLine::~DescriptorLine() {
  if (stream_ >= 0) close(stream_);
}

void DescriptorLine::write(std::span<const uint8_t> bytes) {
  outgoing_.insert(outgoing_.end(), bytes.begin(), bytes.end());
}

// A reader that is gone takes nothing; what it said last is still read.
void DescriptorLine::send_some() {
  const uint8_t* from = outgoing_.data() + sent_;
  const size_t left = outgoing_.size() - sent_;
  const ssize_t now = is_socket_ ? send(stream_, from, left, MSG_NOSIGNAL | MSG_DONTWAIT)
                                 : ::write(stream_, from, left);
  if (now < 0 && errno != EAGAIN && errno != EINTR) {
    sent_ = outgoing_.size();
  } else {
    sent_ += static_cast<size_t>(std::max<ssize_t>(now, 0));
    sent_in_all_ += static_cast<uint64_t>(std::max<ssize_t>(now, 0));
  }
  if (sent_ < outgoing_.size()) return;
  outgoing_.clear();
  sent_ = 0;
}

bool DescriptorLine::receive(std::vector<uint8_t>& to, std::chrono::milliseconds limit) {
  pollfd waiting{stream_, POLLIN, 0};
  if (sent_ < outgoing_.size()) waiting.events |= POLLOUT;
  const int ready = poll(&waiting, 1, static_cast<int>(limit.count()));
  if (ready < 0 && errno != EINTR) fail_line(name_, "cannot be waited for", errno);
  if (ready <= 0) return true;
  if ((waiting.revents & POLLOUT) != 0) send_some();
  if ((waiting.revents & (POLLIN | POLLHUP | POLLERR)) == 0) return true;
  uint8_t buffer[16384];
  const ssize_t got = ::read(stream_, buffer, sizeof buffer);
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return false;
  if (got > 0) to.insert(to.end(), buffer, buffer + got);
  return true;
}

std::unique_ptr<Line> open_port(const std::string& port, uint32_t baud) {
  return port.starts_with("tcp:") ? open_connection(port) : open_serial(port, baud);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
