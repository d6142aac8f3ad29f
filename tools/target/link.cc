// Frames requests and finds replies on the stream.
#include "tools/target/link.h"

#include <algorithm>

#include "core/crc32.h"
#include "tools/run/runner.h"

namespace arenite::tools {
namespace {

constexpr size_t kSaidBytesMax = 2000;
constexpr uint32_t kPayloadBytesMax = 1u << 30;

std::span<const uint8_t> as_uint8(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
}

}  // namespace

void TargetLink::begin() {
  constexpr uint8_t kIdle[8] = {};
  child_.write(kIdle);
}

void TargetLink::send(const harness::Request& request, std::span<const std::byte> payload) {
  harness::FrameBuffer buffer;
  harness::encode_frame(request, static_cast<uint32_t>(payload.size()), buffer);
  child_.write(buffer.frame());
  if (payload.empty()) return;
  child_.write(as_uint8(payload));
  uint8_t checksum[harness::kChecksumBytes];
  harness::put_word(crc32(payload), checksum);
  child_.write(checksum);
}

void TargetLink::fail(const std::string& what) {
  std::string message = what;
  std::string said;
  for (const char c : said_) said += c == '\n' || (c >= ' ' && c <= '~') ? c : '?';
  said.erase(0, said.find_first_not_of('\n'));
  while (said.ends_with('\n')) said.pop_back();
  if (!said.empty()) message += "; it said: " + said;
  throw RunError(message);
}

void TargetLink::read(std::span<uint8_t> to, std::chrono::milliseconds limit) {
  if (child_.read(to, limit)) return;
  std::string what = "the board stopped (its emulator ended with status ";
  what += std::to_string(child_.wait(std::chrono::seconds(10))) + ")";
  const std::string errors = child_.errors();
  if (!errors.empty()) what += ": " + errors;
  // The rest of its last words has been read byte by byte while looking for a frame.
  fail(what);
}

TargetReply TargetLink::receive(std::chrono::milliseconds limit) {
  harness::FrameBuffer buffer;
  const std::span<uint8_t, harness::kFrameHeadBytes> head_bytes(buffer.bytes,
                                                                harness::kFrameHeadBytes);
  for (size_t have = 0; have < 4 || harness::get_word(buffer.bytes) != harness::kFrameSync;) {
    if (have == 4) {
      if (said_.size() < kSaidBytesMax) said_ += static_cast<char>(buffer.bytes[0]);
      std::copy(buffer.bytes + 1, buffer.bytes + 4, buffer.bytes);
      --have;
    }
    uint8_t byte = 0;
    if (!child_.read({&byte, 1}, limit)) {
      said_.append(reinterpret_cast<const char*>(buffer.bytes), have);
      read({&byte, 1}, limit);
    }
    buffer.bytes[have++] = byte;
  }
  read(head_bytes.subspan(4), limit);
  harness::FrameHead head;
  if (!harness::decode_head(head_bytes, head) || head.payload_bytes > kPayloadBytesMax) {
    fail("the board sent a damaged frame");
  }
  const size_t rest = head.message_bytes + harness::kChecksumBytes;
  read({buffer.bytes + harness::kFrameHeadBytes, rest}, limit);
  buffer.size = harness::kFrameHeadBytes + rest;
  TargetReply reply{arenite_schema_HarnessReply_init_zero, {}};
  if (!harness::decode_frame(buffer.frame(), reply.message)) fail("the board sent a damaged frame");
  if (head.payload_bytes == 0) return reply;
  reply.payload.resize(head.payload_bytes);
  read({reinterpret_cast<uint8_t*>(reply.payload.data()), reply.payload.size()}, limit);
  uint8_t checksum[harness::kChecksumBytes];
  read(checksum, limit);
  if (crc32(reply.payload) != harness::get_word(checksum)) fail("the board sent damaged bytes");
  return reply;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
