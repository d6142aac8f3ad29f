// Adds a value of scratch to a step's tables.
#include "tests/ops/with_scratch.h"

#include <algorithm>

namespace arenite::ops_test {
namespace {

constexpr size_t kGuardBytes = 64;
constexpr std::byte kFill{0xff};  // NaN, where a form adds what it has not written

}  // namespace

WithScratch::WithScratch(const Step& step, const Form& form, uint32_t threads)
    : bindings_(step.bindings()), record_(step.record()), index_(step.index()) {
  if (form.scratch == nullptr) return;
  bytes_ = scratch_bytes(form.scratch(step), threads);
  scratch_.resize(bytes_ + kGuardBytes, kFill);
  operands_.assign(step.operand_words(), step.operand_words() + step.operand_count());
  uint32_t values = 0, places = 0;
  for (const uint32_t operand : operands_) {
    if (operand != kNoIndex) values = std::max(values, operand + 1);
  }
  values_.assign(bindings_.values, bindings_.values + values);
  for (const format::ValueRecord& value : values_) places = std::max(places, value.place + 1u);
  if (bindings_.arenas != nullptr) {
    arenas_.assign(bindings_.arenas, bindings_.arenas + places);
    arenas_.push_back(scratch_.data());
    bindings_.arenas = arenas_.data();
  }
  format::ValueRecord value{};
  value.dtype = static_cast<uint8_t>(DType::kUint8);
  value.place = static_cast<uint8_t>(places);
  value.bytes = static_cast<uint32_t>(bytes_);
  values_.push_back(value);
  operands_.push_back(values);
  bindings_.values = values_.data();
  bindings_.operands = operands_.data();
  record_.operand_first = 0;
  record_.scratch_count = 1;
}

Status WithScratch::run(const Form& form, const Platform& platform) const {
  ARENITE_TRY(form.run(step(), platform));
  const bool whole = std::all_of(scratch_.begin() + static_cast<std::ptrdiff_t>(bytes_),
                                 scratch_.end(), [](std::byte b) { return b == kFill; });
  return whole ? ok_status() : error(Code::kBadScratch);
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
