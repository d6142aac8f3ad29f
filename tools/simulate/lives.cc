// Sweeps over the values in the order of their first steps.
#include "tools/simulate/lives.h"

#include <algorithm>

namespace arenite::tools {

Lives::Lives(const Program& program, const format::VariantRecord& variant)
    : values_(program.values_of(variant).data()),
      last_step_(variant.step_count == 0 ? 0 : variant.step_count - 1) {
  for (uint32_t i = 0; i < variant.value_count; ++i) {
    if (format::owns_bytes(value(i))) by_birth_.push_back(i);
  }
  std::ranges::stable_sort(by_birth_, {}, [this](uint32_t i) { return value(i).first_step; });
}

void Lives::restart() {
  born_ = 0;
  alive_.clear();
}

ByteRange Lives::bytes_of(uint32_t index) const {
  return {value(index).offset, uint64_t{value(index).offset} + value(index).bytes};
}

void Lives::advance(uint32_t step,
                    const std::function<void(uint32_t arena, ByteRange bytes)>& dies) {
  const auto be_born = [&](uint32_t first_step_end) {
    for (; born_ < by_birth_.size() && value(by_birth_[born_]).first_step < first_step_end;
         ++born_) {
      alive_.push_back(by_birth_[born_]);
    }
  };
  be_born(step);
  // What lives to the end holds results.
  const auto is_dead = [&](uint32_t i) {
    return value(i).last_step < step && value(i).last_step < last_step_;
  };
  const auto dead =
      std::stable_partition(alive_.begin(), alive_.end(), [&](uint32_t i) { return !is_dead(i); });
  for (auto at = dead; at != alive_.end(); ++at) {
    std::vector<ByteRange> kept;
    for (auto other = alive_.begin(); other != dead; ++other) {
      if (value(*other).place == value(*at).place) kept.push_back(bytes_of(*other));
    }
    for (const ByteRange& range : subtract(bytes_of(*at), std::move(kept))) {
      dies(value(*at).place, range);
    }
  }
  alive_.erase(dead, alive_.end());
  be_born(step + 1);
}

uint32_t Lives::owner(uint32_t arena, uint64_t byte) const {
  for (size_t i = alive_.size(); i-- > 0;) {
    const ByteRange bytes = bytes_of(alive_[i]);
    if (value(alive_[i]).place == arena && byte >= bytes.begin && byte < bytes.end) {
      return alive_[i];
    }
  }
  return kNoIndex;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
