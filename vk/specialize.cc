// Turns OpSpecConstant into OpConstant and leaves out the SpecId decorations; OpSpecConstantOp
// stays, since constants are all that its operands then are.
#include "vk/specialize.h"

#include <algorithm>

#include "core/assert.h"
#include "kernels/dispatch/command.h"

namespace arenite::vk {
namespace {

// Numbers of SPIR-V's specification, sections 2.3 and 3.
constexpr uint32_t kHeaderWords = 5;
constexpr uint32_t kOpConstantTrue = 41, kOpConstantFalse = 42, kOpConstant = 43;
constexpr uint32_t kOpSpecConstantTrue = 48, kOpSpecConstantFalse = 49, kOpSpecConstant = 50;
constexpr uint32_t kOpDecorate = 71;
constexpr uint32_t kDecorationSpecId = 1;

constexpr uint32_t kVendorOfSwiftShader = 0x1AE0;  // Google's

// The ids that are specialization constants, by their numbers; 0 is no id.
struct Ids {
  uint32_t at[kMaxSpecWords] = {};

  // The number of an id's constant; kMaxSpecWords where it has none.
  uint32_t find(uint32_t id) const {
    return static_cast<uint32_t>(std::find(at, at + kMaxSpecWords, id) - at);
  }
};

// Changes a copied instruction, if it is a specialization constant.
void write_constant(const Ids& ids, std::span<const uint32_t> spec, uint32_t* instruction) {
  const uint32_t op = instruction[0] & 0xffff, length = instruction[0] & 0xffff0000;
  if (op != kOpSpecConstant && op != kOpSpecConstantTrue && op != kOpSpecConstantFalse) {
    return;
  }
  const uint32_t number = ids.find(instruction[2]);
  if (op == kOpSpecConstant) {
    instruction[0] = length | kOpConstant;
    if (number < spec.size()) {
      instruction[3] = spec[number];
    }
  } else {
    const bool value = number < spec.size() ? spec[number] != 0 : op == kOpSpecConstantTrue;
    instruction[0] = length | (value ? kOpConstantTrue : kOpConstantFalse);
  }
}

}  // namespace

bool drops_dead_code(const DeviceInfo& info) {
  return !is_software(info) || info.vendor_id != kVendorOfSwiftShader;
}

uint32_t write_specialized(std::span<const uint32_t> words, std::span<const uint32_t> spec,
                           uint32_t* written) {
  Ids ids;
  uint32_t* end = std::copy_n(words.data(), kHeaderWords, written);
  for (size_t at = kHeaderWords; at < words.size();) {
    const uint32_t* const instruction = &words[at];
    const uint32_t count = instruction[0] >> 16;
    ARENITE_ASSERT(count != 0 && count <= words.size() - at);
    at += count;
    if ((instruction[0] & 0xffff) == kOpDecorate && instruction[2] == kDecorationSpecId) {
      ARENITE_ASSERT(instruction[3] < kMaxSpecWords);
      ids.at[instruction[3]] = instruction[1];
      continue;
    }
    uint32_t* const copy = end;
    end = std::copy_n(instruction, count, copy);
    write_constant(ids, spec, copy);
  }
  return static_cast<uint32_t>(end - written);
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
