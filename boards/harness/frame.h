// Frames of the harness protocol: how a message and its payload lie on a byte stream.
//
// A frame is: the word kFrameSync; the bytes of the message; the bytes of the payload; the message;
// the CRC-32 of all before; and, when there is a payload, the payload and its own CRC-32. Words are
// 32 bits, little-endian. The message is checked before the payload is read, since it says where
// the payload goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "schema/harness.pb.h"

namespace arenite::harness {

inline constexpr uint32_t kProtocolVersion = 4;
inline constexpr uint32_t kFrameSync = 0x484e5241;  // "ARNH"
inline constexpr size_t kFrameHeadBytes = 12;
inline constexpr size_t kChecksumBytes = 4;
inline constexpr size_t kMessageBytesMax = 192;
inline constexpr uint32_t kPayloadBytesMax = 1u << 30;  // a head that says more is damaged
// The requests that may be on their way before a reply is read: of so many the board remembers how
// it answered.
inline constexpr uint32_t kRequestsAheadMax = 32;

using Request = arenite_schema_HarnessRequest;
using Reply = arenite_schema_HarnessReply;
using Verb = arenite_schema_HarnessVerb;
using Error = arenite_schema_HarnessError;

static_assert(arenite_schema_HarnessRequest_size <= kMessageBytesMax);
static_assert(arenite_schema_HarnessReply_size <= kMessageBytesMax);

// A frame up to its payload.
struct FrameBuffer {
  uint8_t bytes[kFrameHeadBytes + kMessageBytesMax + kChecksumBytes];
  size_t size = 0;

  std::span<const uint8_t> frame() const { return {bytes, size}; }
};

void encode_frame(const Request& request, uint32_t payload_bytes, FrameBuffer& to);
void encode_frame(const Reply& reply, uint32_t payload_bytes, FrameBuffer& to);

struct FrameHead {
  uint32_t message_bytes = 0;
  uint32_t payload_bytes = 0;
};

// The sizes in the first kFrameHeadBytes of a frame; false when they can't be a frame's.
bool decode_head(std::span<const uint8_t, kFrameHeadBytes> head, FrameHead& to);

// `frame` is head, message and checksum. False when the checksum is wrong or the message no such
// message.
bool decode_frame(std::span<const uint8_t> frame, Request& to);
bool decode_frame(std::span<const uint8_t> frame, Reply& to);

void put_word(uint32_t word, uint8_t* to);
uint32_t get_word(const uint8_t* from);

}  // namespace arenite::harness
// SPDX-License-Identifier: Apache-2.0
