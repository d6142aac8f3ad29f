// Appends bytes behind zeros up to the next boundary.
#include "planner/program/constants_section.h"

#include <algorithm>

#include "planner/graph/graph.h"

namespace arenite::planner {

uint32_t ConstantsSection::add(std::span<const std::byte> bytes, uint32_t zeros) {
  constexpr uint64_t kAlignment = format::kSegmentAlignment;
  const uint64_t begin = (bytes_.size() + kAlignment - 1) / kAlignment * kAlignment;
  const uint64_t size = uint64_t{bytes.size()} + zeros;
  if (begin + size > UINT32_MAX) throw InputError("the constants take more than 4 GiB");
  bytes_.resize(begin + size);
  std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(begin));
  any_ = true;
  return static_cast<uint32_t>(begin);
}

void ConstantsSection::finish() {
  if (!any_) return;
  tables_.sections.push_back({format::SectionKind::kConstants, std::move(bytes_)});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
