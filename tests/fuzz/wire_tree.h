// A protobuf message as a tree of fields, without its schema: what structure-aware mutation
// changes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tests/fuzz/campaign.h"

namespace arenite::fuzz {

struct WireField {
  uint32_t number = 0;
  uint32_t wire_type = 0;  // 0 varint, 1 64-bit, 2 length-delimited, 5 32-bit
  uint64_t varint = 0;
  Bytes bytes;                      // of fixed fields and of leaves with a length
  std::vector<WireField> children;  // of what reads as a message
  bool is_message = false;
};

// Nothing when the bytes are no sequence of fields.
std::optional<std::vector<WireField>> parse_wire(const Bytes& bytes, uint32_t depth = 0);
Bytes serialize_wire(const std::vector<WireField>& fields);

// Changes one field somewhere in the tree: a number, a text's bytes, or a field removed, doubled or
// moved to another place. Weights (leaves of more than 256 bytes) stay as they are.
void mutate_wire(std::vector<WireField>& fields, Random& random);

}  // namespace arenite::fuzz
// SPDX-License-Identifier: Apache-2.0
