// The host's side of the harness protocol: sends requests, and again where they are lost.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "boards/harness/frame.h"
#include "tools/target/elf.h"
#include "tools/target/line.h"

namespace arenite::tools {

struct TargetReply {
  harness::Reply message;
  std::vector<std::byte> payload;
};

struct LinkOptions {
  // Requests on their way before the first of their replies; 1 for a board whose port takes
  // nothing while it works.
  uint32_t requests_ahead = 16;
  // Silence after which requests are sent again; doubled each time.
  std::chrono::milliseconds again_after{5000};
  // The longest silence of a board that loads or runs, and of one that does neither.
  std::chrono::milliseconds work_limit{3600000}, answer_limit{60000};
  // A damaged request may leave the board waiting for so many bytes.
  size_t piece_bytes = size_t{64} * 1024;
  // Of the conversation; nothing: one that nobody can guess.
  std::optional<uint32_t> first_sequence;
  std::string where;                // what messages begin with
  const ElfImage* image = nullptr;  // names functions where the board faults; may be null
};

// What a line has done to a conversation.
struct LinkCounts {
  uint64_t requests = 0;    // each counted once
  uint64_t sent_again = 0;  // requests
  uint64_t damaged = 0;     // frames of replies
};

// A request and its payload, which outlives the exchange.
struct Asked {
  harness::Request request;
  std::span<const std::byte> payload;
};

class TargetLink {
 public:
  TargetLink(Line& line, const LinkOptions& options) : line_(line), options_(options) {}

  // Begins a conversation, whatever went over the line before. The board's hello.
  harness::Reply greet();
  // Sends the requests and collects their replies, whatever these say. Only the last may change
  // what others before it read: of a lost reply the request is sent again, and reads again. Throws
  // RunError when the board stops, faults, or gives no answer for too long: with what it and its
  // emulator have said.
  std::vector<TargetReply> exchange(std::span<const Asked> asked);
  // The same without waiting for long: a board that ends may not answer.
  void say_bye();

  const LinkCounts& counts() const { return counts_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Batch;

  void send(const Asked& asked, uint32_t sequence);
  std::optional<TargetReply> next_reply();
  void skip(size_t bytes);
  bool wait(std::chrono::milliseconds limit);
  void take(Batch& batch, TargetReply reply);
  void send_again(Batch& batch);
  void check(const Batch& batch);
  std::string last_words() const;
  [[noreturn]] void fail(const std::string& what) const;

  Line& line_;
  const LinkOptions options_;
  LinkCounts counts_;
  uint32_t first_ = 0, next_ = 0;  // sequences: of the conversation's hello, of the next request
  std::vector<uint8_t> incoming_;
  size_t taken_ = 0;             // of incoming_
  bool awaits_payload_ = false;  // of a good frame, part of which has come
  std::string said_;  // the end of what belongs to no frame: the board's words on a fault
  uint64_t unframed_bytes_ = 0;  // since the last good frame
  Clock::time_point faulted_{};  // when the board said so
};

// The name of a request: "RUN".
std::string name_of(harness::Verb verb);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
