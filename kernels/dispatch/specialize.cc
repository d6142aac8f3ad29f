// Turns OpSpecConstant into OpConstant, leaves out the SpecId decorations, and computes each
// OpSpecConstantOp whose operands are then constants.
#include "kernels/dispatch/specialize.h"

#include <algorithm>

#include "core/assert.h"
#include "kernels/dispatch/command.h"

namespace arenite {
namespace {

// Numbers of SPIR-V's specification, sections 2.3 and 3.
constexpr uint32_t kHeaderWords = 5;
constexpr uint32_t kOpConstantTrue = 41, kOpConstantFalse = 42, kOpConstant = 43;
constexpr uint32_t kOpSpecConstantTrue = 48, kOpSpecConstantFalse = 49, kOpSpecConstant = 50;
constexpr uint32_t kOpSpecConstantOp = 52;
constexpr uint32_t kOpDecorate = 71;
constexpr uint32_t kDecorationSpecId = 1;

constexpr uint32_t kVendorOfSwiftShader = 0x1AE0;  // Google's

// The operations that our shaders have among specialization constants.
enum class Operation : uint32_t {
  kISub = 130,
  kIMul = 132,
  kUDiv = 134,
  kLogicalOr = 166,
  kLogicalAnd = 167,
  kLogicalNot = 168,
  kSelect = 169,
  kIEqual = 170,
  kINotEqual = 171,
  kUGreaterThan = 172,
  kBitwiseAnd = 199,
};

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

// A scalar constant: 0 or 1 of a bool, else 32 bits.
struct Constant {
  bool known = false, is_bool = false;
  uint32_t bits = 0;
};

Constant find_constant(std::span<const uint32_t> written, uint32_t id) {
  for (size_t at = kHeaderWords; at < written.size(); at += written[at] >> 16) {
    const uint32_t op = written[at] & 0xffff;
    if (op >= kOpConstantTrue && op <= kOpConstant && written[at + 2] == id) {
      const bool is_bool = op != kOpConstant;
      return {true, is_bool, is_bool ? uint32_t{op == kOpConstantTrue} : written[at + 3]};
    }
  }
  return {};
}

Constant compute(Operation operation, const Constant (&of)[3]) {
  const uint32_t a = of[0].bits, b = of[1].bits;
  switch (operation) {
    case Operation::kISub:
      return {true, false, a - b};
    case Operation::kIMul:
      return {true, false, a * b};
    case Operation::kUDiv:
      return {b != 0, false, b != 0 ? a / b : 0};
    case Operation::kLogicalOr:
      return {true, true, a | b};
    case Operation::kLogicalAnd:
      return {true, true, a & b};
    case Operation::kLogicalNot:
      return {true, true, a ^ 1u};
    case Operation::kSelect:
      return a != 0 ? of[1] : of[2];
    case Operation::kIEqual:
      return {true, true, a == b};
    case Operation::kINotEqual:
      return {true, true, a != b};
    case Operation::kUGreaterThan:
      return {true, true, a > b};
    case Operation::kBitwiseAnd:
      return {true, false, a & b};
  }
  return {};
}

// Writes the result of a copied OpSpecConstantOp over it, where that can be computed from what was
// written before. Returns where the instruction ends.
uint32_t* write_result(std::span<const uint32_t> before, uint32_t* instruction) {
  const uint32_t count = instruction[0] >> 16;
  const uint32_t operands = count - 4;
  if ((instruction[0] & 0xffff) != kOpSpecConstantOp || operands > 3) {
    return instruction + count;
  }
  Constant of[3];
  for (uint32_t i = 0; i < operands; ++i) {
    of[i] = find_constant(before, instruction[4 + i]);
    if (!of[i].known) return instruction + count;
  }
  const Constant result = compute(static_cast<Operation>(instruction[3]), of);
  if (!result.known) {
    return instruction + count;
  }
  if (result.is_bool) {
    instruction[0] = 3u << 16 | (result.bits != 0 ? kOpConstantTrue : kOpConstantFalse);
  } else {
    instruction[0] = 4u << 16 | kOpConstant;
    instruction[3] = result.bits;
  }
  return instruction + (instruction[0] >> 16);
}

}  // namespace

bool drops_dead_code(uint32_t vendor_id) { return vendor_id != kVendorOfSwiftShader; }

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
    std::copy_n(instruction, count, copy);
    write_constant(ids, spec, copy);
    end = write_result({written, copy}, copy);
  }
  return static_cast<uint32_t>(end - written);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
