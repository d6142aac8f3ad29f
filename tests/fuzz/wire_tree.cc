// Reads, writes and damages protobuf messages field by field.
#include "tests/fuzz/wire_tree.h"

namespace arenite::fuzz {
namespace {

constexpr uint32_t kMaxDepth = 12;
constexpr size_t kMaxLeaf = 256;

struct Cursor {
  const Bytes& bytes;
  size_t at = 0;

  bool varint(uint64_t& value) {
    value = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
      if (at == bytes.size()) return false;
      const auto byte = std::to_integer<uint64_t>(bytes[at++]);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }
  bool take(size_t count, Bytes& out) {
    if (count > bytes.size() - at) return false;
    const auto begin = bytes.begin() + static_cast<ptrdiff_t>(at);
    out.assign(begin, begin + static_cast<ptrdiff_t>(count));
    at += count;
    return true;
  }
};

void put_varint(Bytes& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<std::byte>(value | 0x80));
  out.push_back(static_cast<std::byte>(value));
}

// All fields of the tree, each with the list it is in.
struct Place {
  std::vector<WireField>* list;
  size_t index;
};

void collect(std::vector<WireField>& fields, std::vector<Place>& places) {
  for (size_t i = 0; i < fields.size(); ++i) {
    places.push_back({&fields, i});
    collect(fields[i].children, places);
  }
}

void mutate_leaf(WireField& field, Random& random) {
  if (field.wire_type == 0) {
    switch (random.below(4)) {
      case 0:
        field.varint = random.interesting();
        break;
      case 1:
        field.varint += 1;
        break;
      case 2:
        field.varint = ~uint64_t{0} - random.below(4);
        break;
      default:
        field.varint = random.below(24);
    }
  } else if (!field.bytes.empty() && field.bytes.size() <= kMaxLeaf) {
    const size_t at = random.below(field.bytes.size());
    field.bytes[at] = static_cast<std::byte>(random.below(256));
    if (field.wire_type == 2 && random.chance(3)) {
      field.bytes.resize(random.below(field.bytes.size() + 8));
    }
  }
}

}  // namespace

std::optional<std::vector<WireField>> parse_wire(const Bytes& bytes, uint32_t depth) {
  std::vector<WireField> fields;
  Cursor cursor{bytes};
  while (cursor.at < bytes.size()) {
    WireField field;
    uint64_t key = 0, length = 0;
    if (!cursor.varint(key) || key >> 3 == 0 || key >> 3 > 0xffff) return std::nullopt;
    field.number = static_cast<uint32_t>(key >> 3);
    field.wire_type = static_cast<uint32_t>(key & 7);
    bool ok = false;
    switch (field.wire_type) {
      case 0:
        ok = cursor.varint(field.varint);
        break;
      case 1:
        ok = cursor.take(8, field.bytes);
        break;
      case 2:
        ok = cursor.varint(length) && cursor.take(length, field.bytes);
        break;
      case 5:
        ok = cursor.take(4, field.bytes);
        break;
      default:
        break;
    }
    if (!ok) return std::nullopt;
    if (field.wire_type == 2 && !field.bytes.empty() && depth < kMaxDepth) {
      if (auto inner = parse_wire(field.bytes, depth + 1)) {
        field.children = std::move(*inner);
        field.is_message = true;
      }
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

Bytes serialize_wire(const std::vector<WireField>& fields) {
  Bytes out;
  for (const WireField& field : fields) {
    put_varint(out, uint64_t{field.number} << 3 | field.wire_type);
    if (field.wire_type == 0) {
      put_varint(out, field.varint);
      continue;
    }
    const Bytes payload = field.is_message ? serialize_wire(field.children) : field.bytes;
    if (field.wire_type == 2) put_varint(out, payload.size());
    out.insert(out.end(), payload.begin(), payload.end());
  }
  return out;
}

void mutate_wire(std::vector<WireField>& fields, Random& random) {
  std::vector<Place> places;
  collect(fields, places);
  if (places.empty()) return;
  const Place place = places[random.below(places.size())];
  WireField& field = (*place.list)[place.index];
  switch (random.below(6)) {
    case 0:
      place.list->erase(place.list->begin() + static_cast<ptrdiff_t>(place.index));
      break;
    case 1: {
      WireField copy = field;
      place.list->push_back(std::move(copy));
      break;
    }
    case 2: {
      // Copies the content of one place to another: an input's name, a shape, an attribute.
      const Place other = places[random.below(places.size())];
      const WireField copy = (*other.list)[other.index];
      if (copy.wire_type == field.wire_type) {
        const uint32_t number = field.number;
        field = copy;
        field.number = number;
      }
      break;
    }
    default:
      // A text may look like a message: then its bytes are mutated all the same.
      if (field.is_message && field.bytes.size() <= 16) field.is_message = false;
      mutate_leaf(field, random);
  }
}

}  // namespace arenite::fuzz
// SPDX-License-Identifier: Apache-2.0
