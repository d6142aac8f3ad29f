// Encodes and decodes frames with nanopb.
#include "boards/harness/frame.h"

#include <pb_decode.h>
#include <pb_encode.h>

#include <bit>
#include <cstring>

#include "core/crc32.h"

namespace arenite::harness {
namespace {

void encode(const pb_msgdesc_t* fields, const void* message, uint32_t payload_bytes,
            FrameBuffer& to) {
  pb_ostream_t stream = pb_ostream_from_buffer(to.bytes + kFrameHeadBytes, kMessageBytesMax);
  // Can't fail: kMessageBytesMax holds the largest message, and our strings end.
  const bool encoded = pb_encode(&stream, fields, message);
  const size_t message_bytes = encoded ? stream.bytes_written : 0;
  put_word(kFrameSync, to.bytes);
  put_word(static_cast<uint32_t>(message_bytes), to.bytes + 4);
  put_word(payload_bytes, to.bytes + 8);
  const size_t end = kFrameHeadBytes + message_bytes;
  put_word(crc32(std::as_bytes(std::span(to.bytes).first(end))), to.bytes + end);
  to.size = end + kChecksumBytes;
}

bool decode(std::span<const uint8_t> frame, const pb_msgdesc_t* fields, void* to) {
  if (frame.size() < kFrameHeadBytes + kChecksumBytes) return false;
  const auto checked = frame.first(frame.size() - kChecksumBytes);
  if (crc32(std::as_bytes(checked)) != get_word(frame.data() + checked.size())) return false;
  const auto message = checked.subspan(kFrameHeadBytes);
  pb_istream_t stream = pb_istream_from_buffer(message.data(), message.size());
  return pb_decode(&stream, fields, to);
}

// Whether what was decoded is one of an enumeration's values; none other may be read as one.
template <typename Enum>
bool is_one(const Enum& decoded, Enum last) {
  static_assert(sizeof(Enum) <= sizeof(uint32_t) && std::endian::native == std::endian::little);
  uint32_t number = 0;
  std::memcpy(&number, &decoded, sizeof decoded);
  return number <= static_cast<uint32_t>(last);
}

}  // namespace

void put_word(uint32_t word, uint8_t* to) {
  for (int i = 0; i < 4; ++i) to[i] = static_cast<uint8_t>(word >> (8 * i));
}

uint32_t get_word(const uint8_t* from) {
  uint32_t word = 0;
  for (int i = 0; i < 4; ++i) word |= uint32_t{from[i]} << (8 * i);
  return word;
}

bool decode_head(std::span<const uint8_t, kFrameHeadBytes> head, FrameHead& to) {
  to = {get_word(head.data() + 4), get_word(head.data() + 8)};
  return get_word(head.data()) == kFrameSync && to.message_bytes <= kMessageBytesMax &&
         to.payload_bytes <= kPayloadBytesMax;
}

void encode_frame(const Request& request, uint32_t payload_bytes, FrameBuffer& to) {
  encode(arenite_schema_HarnessRequest_fields, &request, payload_bytes, to);
}

void encode_frame(const Reply& reply, uint32_t payload_bytes, FrameBuffer& to) {
  encode(arenite_schema_HarnessReply_fields, &reply, payload_bytes, to);
}

bool decode_frame(std::span<const uint8_t> frame, Request& to) {
  return decode(frame, arenite_schema_HarnessRequest_fields, &to) &&
         is_one(to.verb, _arenite_schema_HarnessVerb_MAX);
}

bool decode_frame(std::span<const uint8_t> frame, Reply& to) {
  return decode(frame, arenite_schema_HarnessReply_fields, &to) &&
         is_one(to.error, _arenite_schema_HarnessError_MAX);
}

}  // namespace arenite::harness
// SPDX-License-Identifier: Apache-2.0
