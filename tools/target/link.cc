// Goes back to the oldest request without a reply where one of them was lost.
#include "tools/target/link.h"

#include <algorithm>
#include <random>

#include "core/crc32.h"
#include "support/printable.h"
#include "tools/run/runner.h"
#include "tools/target/fault.h"

namespace arenite::tools {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

constexpr size_t kSaidBytesMax = 2000;
constexpr milliseconds kAgainAfterMost(60000);
// Of a board that has said what its fault is, until its emulator ends.
constexpr milliseconds kFaultLimit(1000);
constexpr milliseconds kByeLimit(20000);

std::span<const uint8_t> as_uint8(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
}

bool works(harness::Verb verb) {
  return verb == arenite_schema_HarnessVerb_HARNESS_LOAD ||
         verb == arenite_schema_HarnessVerb_HARNESS_RUN ||
         verb == arenite_schema_HarnessVerb_HARNESS_SET_SYMBOLS;
}

std::string seconds_text(milliseconds time) {
  const auto count = time.count();
  std::string text = std::to_string(count / 1000);
  if (count % 1000 != 0) text += "." + std::to_string(1000 + count % 1000).substr(1);
  return text + " s";
}

}  // namespace

// Requests on their way.
struct TargetLink::Batch {
  std::span<const Asked> asked;
  std::vector<TargetReply> replies;
  std::vector<bool> answered;
  uint32_t first = 0;           // sequence
  size_t done = 0, sent = 0;    // all before have their replies; all before were sent
  bool went_back = false;       // to `done`, and nothing has come of that yet
  bool went_again = false;      // something was sent again since the last reply
  milliseconds again_after{0};  // for the next time
  Clock::time_point sent_at, progress_at;
};

std::string name_of(harness::Verb verb) {
  constexpr const char* kNames[] = {"HELLO",      "STORE",   "LOAD", "SET_INPUT",  "RUN",
                                    "GET_OUTPUT", "PROFILE", "BYE",  "SET_SYMBOLS"};
  const auto index = static_cast<size_t>(verb);
  return index < std::size(kNames) ? kNames[index] : "request " + std::to_string(index);
}

void TargetLink::send(const Asked& asked, uint32_t sequence) {
  harness::FrameBuffer buffer;
  harness::Request request = asked.request;
  request.sequence = sequence;
  harness::encode_frame(request, static_cast<uint32_t>(asked.payload.size()), buffer);
  line_.write(buffer.frame());
  if (asked.payload.empty()) return;
  line_.write(as_uint8(asked.payload));
  uint8_t checksum[harness::kChecksumBytes];
  harness::put_word(crc32(asked.payload), checksum);
  line_.write(checksum);
}

std::string TargetLink::last_words() const {
  std::string said;
  for (const char c : said_) said += c == '\n' || (c >= ' ' && c <= '~') ? c : '?';
  said.erase(0, said.find_first_not_of('\n'));
  while (said.ends_with('\n')) said.pop_back();
  return said;
}

void TargetLink::fail(const std::string& what) const {
  std::string message = options_.where + what;
  if (const std::string said = last_words(); !said.empty()) message += "; it said: " + said;
  if (const std::string fault = fault_text(said_, options_.image); !fault.empty()) {
    message += "; " + fault;
  }
  throw RunError(message);
}

// Goes past bytes that belong to no frame.
void TargetLink::skip(size_t bytes) {
  said_.append(reinterpret_cast<const char*>(incoming_.data()) + taken_, bytes);
  if (said_.size() > 2 * kSaidBytesMax) said_.erase(0, said_.size() - kSaidBytesMax);
  unframed_bytes_ += bytes;
  taken_ += bytes;
}

// The next whole frame of what has come. A damaged one may hide another behind its first byte.
std::optional<TargetReply> TargetLink::next_reply() {
  awaits_payload_ = false;
  while (true) {
    const auto rest = std::span(incoming_).subspan(taken_);
    if (rest.size() < harness::kFrameHeadBytes) return std::nullopt;
    harness::FrameHead head;
    if (harness::get_word(rest.data()) != harness::kFrameSync) {
      size_t none = 1;
      while (none < rest.size() && rest[none] != (harness::kFrameSync & 0xff)) ++none;
      skip(none);
      continue;
    }
    if (!harness::decode_head(rest.first<harness::kFrameHeadBytes>(), head)) {
      ++counts_.damaged;
      skip(1);
      continue;
    }
    const size_t frame = harness::kFrameHeadBytes + head.message_bytes + harness::kChecksumBytes;
    if (rest.size() < frame) return std::nullopt;
    TargetReply reply{arenite_schema_HarnessReply_init_zero, {}};
    if (!harness::decode_frame(rest.first(frame), reply.message)) {
      ++counts_.damaged;
      skip(1);
      continue;
    }
    size_t whole = frame;
    if (head.payload_bytes != 0) {
      whole += head.payload_bytes + harness::kChecksumBytes;
      if (rest.size() < whole) {
        awaits_payload_ = true;
        return std::nullopt;
      }
      const auto payload = std::as_bytes(rest.subspan(frame, head.payload_bytes));
      if (crc32(payload) != harness::get_word(rest.data() + frame + head.payload_bytes)) {
        ++counts_.damaged;
        skip(1);
        continue;
      }
      reply.payload.assign(payload.begin(), payload.end());
    }
    taken_ += whole;
    unframed_bytes_ = 0;
    return reply;
  }
}

// Waits for more bytes. False when the board has stopped.
bool TargetLink::wait(milliseconds limit) {
  constexpr size_t kKeptBytes = 1 << 16;
  if (taken_ > kKeptBytes || taken_ == incoming_.size()) {
    incoming_.erase(incoming_.begin(), incoming_.begin() + static_cast<ptrdiff_t>(taken_));
    taken_ = 0;
  }
  return line_.receive(incoming_, limit);
}

void TargetLink::send_again(Batch& batch) {
  for (size_t i = batch.done; i < batch.sent; ++i) {
    if (batch.answered[i]) continue;
    send(batch.asked[i], batch.first + static_cast<uint32_t>(i));
    ++counts_.sent_again;
  }
  batch.sent_at = Clock::now();
  batch.went_again = true;
}

// A reply, or the board's word that it misses a request.
void TargetLink::take(Batch& batch, TargetReply reply) {
  const harness::Reply& message = reply.message;
  const bool misses = message.error == arenite_schema_HarnessError_HARNESS_BAD_FRAME ||
                      message.error == arenite_schema_HarnessError_HARNESS_OUT_OF_ORDER;
  if (misses && message.value - first_ > next_ - first_) {
    fail("the board has started anew: it expects request " + std::to_string(message.value) +
         ", this conversation has those from " + std::to_string(first_) + " to " +
         std::to_string(next_));
  }
  const uint32_t index = (misses ? message.value : message.sequence) - batch.first;
  if (index >= batch.sent) return;  // of what is over
  if (!misses && !batch.answered[index]) {
    batch.answered[index] = true;
    batch.replies[index] = std::move(reply);
    batch.progress_at = Clock::now();
    batch.again_after = options_.again_after;
    batch.went_again = false;
    const size_t before = batch.done;
    while (batch.done < batch.sent && batch.answered[batch.done]) ++batch.done;
    if (batch.done != before) {
      batch.went_back = false;
      batch.sent_at = Clock::now();
    }
    if (index < batch.done) return;
  } else if (!misses) {
    return;  // it comes twice
  }
  // Replies come in order: that of `done` is lost, or the request.
  if (batch.went_back) return;
  batch.went_back = true;
  send_again(batch);
}

// Ends what leads nowhere.
void TargetLink::check(const Batch& batch) {
  const harness::Verb verb = batch.asked[batch.done].request.verb;
  const Clock::time_point now = Clock::now();
  if (faulted_ == Clock::time_point{} && has_fault(said_)) faulted_ = now;
  if (faulted_ != Clock::time_point{} && now - faulted_ > kFaultLimit) {
    fail("the board faulted at " + name_of(verb));
  }
  const milliseconds limit = works(verb) ? options_.work_limit : options_.answer_limit;
  if (now - batch.progress_at <= limit) return;
  std::string what = "expected an answer to " + name_of(verb) + " within " + seconds_text(limit);
  if (unframed_bytes_ + (incoming_.size() - taken_) == 0) {
    what += ", found silence";
  } else {
    what += ", found " + std::to_string(unframed_bytes_ + (incoming_.size() - taken_)) +
            " bytes that are no frame";
  }
  fail(what);
}

std::vector<TargetReply> TargetLink::exchange(std::span<const Asked> asked) {
  Batch batch;
  batch.asked = asked;
  batch.replies.resize(asked.size());
  batch.answered.resize(asked.size());
  batch.first = next_;
  batch.again_after = options_.again_after;
  batch.sent_at = batch.progress_at = Clock::now();
  next_ += static_cast<uint32_t>(asked.size());
  counts_.requests += asked.size();
  uint64_t gone = line_.sent_bytes();
  while (true) {
    while (auto reply = next_reply()) take(batch, std::move(*reply));
    if (batch.done == asked.size()) return std::move(batch.replies);
    while (batch.sent < asked.size() && batch.sent - batch.done < options_.requests_ahead) {
      send(asked[batch.sent], batch.first + static_cast<uint32_t>(batch.sent));
      ++batch.sent;
      batch.sent_at = Clock::now();
    }
    check(batch);
    const size_t had = incoming_.size() - taken_;
    const auto until = batch.sent_at + batch.again_after - Clock::now();
    const milliseconds limit =
        std::clamp(duration_cast<milliseconds>(until), milliseconds(1), milliseconds(200));
    if (!wait(limit)) {
      while (auto reply = next_reply()) take(batch, std::move(*reply));
      if (batch.done == asked.size()) return std::move(batch.replies);
      skip(incoming_.size() - taken_);
      fail("the board stopped at " + name_of(asked[batch.done].request.verb) + " (" +
           line_.how_it_ended() + ")");
    }
    // A long payload is no silence, nor is a slow line that takes what is sent.
    const bool moved = line_.sent_bytes() != gone;
    const bool arrives = awaits_payload_ && incoming_.size() - taken_ > had;
    gone = line_.sent_bytes();
    if (moved || arrives) batch.sent_at = Clock::now();
    if (arrives || (moved && !batch.went_again)) batch.progress_at = batch.sent_at;
    if (Clock::now() - batch.sent_at > batch.again_after) {
      batch.again_after = std::min(2 * batch.again_after, kAgainAfterMost);
      batch.went_back = false;
      send_again(batch);
    }
  }
}

// The number of a conversation is anybody's guess, lest a board takes what an earlier one left on
// the line for this one's.
harness::Reply TargetLink::greet() {
  // A serial port drops what arrives while it is being switched on, and a frame must not be what it
  // drops.
  constexpr uint8_t kIdle[8] = {};
  line_.write(kIdle);
  Asked hello{arenite_schema_HarnessRequest_init_zero, {}};
  hello.request.verb = arenite_schema_HarnessVerb_HARNESS_HELLO;
  first_ = next_ =
      options_.first_sequence.value_or(std::random_device{}() | 1u);  // a board begins with 0
  Batch batch;
  batch.asked = {&hello, 1};
  batch.sent_at = batch.progress_at = Clock::now();
  batch.again_after = std::min(options_.again_after, milliseconds(1000));
  send(hello, next_);
  ++counts_.requests;
  while (true) {
    while (auto reply = next_reply()) {
      const harness::Reply& message = reply->message;
      const bool old = message.protocol != 0 && message.protocol != harness::kProtocolVersion;
      if (message.sequence != next_ && !old) continue;
      ++next_;
      return message;
    }
    check(batch);
    const auto until = batch.sent_at + batch.again_after - Clock::now();
    if (!wait(std::clamp(duration_cast<milliseconds>(until), milliseconds(1), milliseconds(200)))) {
      skip(incoming_.size() - taken_);
      fail("the board stopped at HELLO (" + line_.how_it_ended() + ")");
    }
    if (Clock::now() - batch.sent_at <= batch.again_after) continue;
    // An earlier conversation may have ended in the middle of a payload.
    line_.write(std::vector<uint8_t>(options_.piece_bytes + harness::kChecksumBytes));
    send(hello, next_);
    ++counts_.sent_again;
    batch.sent_at = Clock::now();
    batch.again_after = std::min(2 * batch.again_after, kAgainAfterMost);
  }
}

void TargetLink::say_bye() {
  Asked bye{arenite_schema_HarnessRequest_init_zero, {}};
  bye.request.verb = arenite_schema_HarnessVerb_HARNESS_BYE;
  const Clock::time_point end = Clock::now() + kByeLimit;
  milliseconds again_after = options_.again_after;
  const uint32_t sequence = next_++;
  while (Clock::now() < end) {
    send(bye, sequence);
    const Clock::time_point again = Clock::now() + again_after;
    while (Clock::now() < std::min(again, end)) {
      const auto until = duration_cast<milliseconds>(again - Clock::now());
      const bool open = wait(std::clamp(until, milliseconds(1), milliseconds(200)));
      while (auto reply = next_reply()) {
        if (reply->message.sequence == sequence) return;
      }
      if (!open) return;
    }
    again_after *= 2;
  }
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
