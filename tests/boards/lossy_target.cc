// A board that is a process: the harness over standard input and output, on a line that damages,
// drops and repeats bytes of some frames, and with faults, hangs and noise on demand.
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "boards/harness/frame.h"
#include "boards/harness/serve.h"
#include "planner/board/board.h"
#include "portable_fallback/forms.h"
#include "tests/boards/noise.h"

namespace arenite::boards_test {
namespace {

struct Settings {
  std::string board = "mps2-an386";
  uint64_t seed = 1;
  double damage = 0;  // share of the frames of each direction
  // At the request of this number, from 0: what it does there.
  std::string trouble;  // "fault", "hang", "babble", "exit"
  uint64_t at = 0;
  std::string once;  // a file: trouble only where it does not exist, and then it does
};

class Board {
 public:
  explicit Board(const Settings& settings)
      : settings_(settings),
        incoming_(settings.seed * 2, settings.damage),
        outgoing_(settings.seed * 2 + 1, settings.damage) {
    if (settings.once.empty() || settings.trouble.empty()) return;
    if (std::filesystem::exists(settings.once)) {
      settings_.trouble.clear();
    }
  }

  bool read(std::span<uint8_t> to) {
    while (ready_.size() - taken_ < to.size()) {
      uint8_t buffer[4096];
      const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
      if (got <= 0) return false;
      for (ssize_t i = 0; i < got; ++i) take(buffer[i]);
    }
    std::memcpy(to.data(), ready_.data() + taken_, to.size());
    taken_ += to.size();
    if (taken_ == ready_.size()) {
      ready_.clear();
      taken_ = 0;
    }
    return true;
  }

  void write(std::span<const uint8_t> from) {
    std::vector<uint8_t> bytes;
    for (const uint8_t byte : from) outgoing_.pass(byte, bytes);
    send(bytes);
  }

 private:
  static void send(std::span<const uint8_t> bytes) {
    for (size_t sent = 0; sent < bytes.size();) {
      const ssize_t now = ::write(STDOUT_FILENO, bytes.data() + sent, bytes.size() - sent);
      if (now <= 0) std::_Exit(3);
      sent += static_cast<size_t>(now);
    }
  }

  void take(uint8_t byte) {
    if (incoming_.pass(byte, ready_) && incoming_.frames() == settings_.at + 1) make_trouble();
  }

  void make_trouble() {
    if (settings_.trouble.empty()) return;
    if (!settings_.once.empty()) std::fclose(std::fopen(settings_.once.c_str(), "w"));
    if (settings_.trouble == "fault") {
      constexpr char kText[] =
          "\nfault: pc 0x00001234 lr 0x00005679 cfsr 0x02000000 hfsr 0x40000000 dfsr 0x00000000 "
          "mmfar 0x00000000 bfar 0x00000000 sp 0x20003f00\n";
      send({reinterpret_cast<const uint8_t*>(kText), sizeof kText - 1});
      std::_Exit(99);
    }
    while (settings_.trouble == "hang") pause();
    while (settings_.trouble == "babble") {
      uint8_t noise[256];
      for (uint8_t& one : noise) one = static_cast<uint8_t>(random_());
      send(noise);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::_Exit(4);
  }

  Settings settings_;
  Noise incoming_, outgoing_;
  std::mt19937 random_{1};
  std::vector<uint8_t> ready_;
  size_t taken_ = 0;
};

uint64_t nanoseconds(void*) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

using Bytes = std::unique_ptr<std::byte, void (*)(void*)>;

// Zeroed memory is not touched until somebody writes to it.
std::span<std::byte> memory_of(uint64_t bytes, std::vector<Bytes>& all) {
  constexpr size_t kAlignment = 64;
  void* memory = std::calloc(bytes + kAlignment, 1);
  if (memory == nullptr) std::abort();
  all.emplace_back(static_cast<std::byte*>(memory), std::free);
  size_t space = bytes + kAlignment;
  return {static_cast<std::byte*>(std::align(kAlignment, bytes, memory, space)), bytes};
}

int serve(const Settings& settings) {
  const planner::Board board = planner::find_board(settings.board);
  std::vector<Bytes> all;
  std::vector<harness::Memory> memories;
  for (const planner::BoardMemory& memory : board.memories) {
    memories.push_back({memory.memory.name, memory_of(memory.full_bytes(), all)});
  }
  std::span<std::byte> store;
  for (const planner::ProgramMemory& memory : board.program_memories) {
    if (memory.image == "harness") store = memory_of(memory.bytes, all);
  }
  Board line(settings);
  harness::Port port;
  port.board = board.name;
  port.context = &line;
  port.read = [](void* context, std::span<uint8_t> to) {
    return static_cast<Board*>(context)->read(to);
  };
  port.write = [](void* context, std::span<const uint8_t> from) {
    static_cast<Board*>(context)->write(from);
  };
  port.nanoseconds = nanoseconds;
  port.memories = memories;
  port.store = store;
  // The end of the stream is the end of the conversation: a board goes on.
  static_cast<void>(harness::serve(port, all_ops()));
  return 0;
}

}  // namespace
}  // namespace arenite::boards_test

// OPTION VALUE ...
int main(int argc, char** argv) {
  arenite::boards_test::Settings settings;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i], value = argv[i + 1];
    if (option == "--board") settings.board = value;
    if (option == "--seed") settings.seed = std::strtoull(value.c_str(), nullptr, 10);
    if (option == "--damage") settings.damage = std::strtod(value.c_str(), nullptr);
    if (option == "--trouble") settings.trouble = value;
    if (option == "--at") settings.at = std::strtoull(value.c_str(), nullptr, 10);
    if (option == "--once") settings.once = value;
  }
  return arenite::boards_test::serve(settings);
}
// SPDX-License-Identifier: Apache-2.0
