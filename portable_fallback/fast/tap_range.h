// Finds the taps of a window's axis that lie inside its input.
#pragma once

#include <cstdint>

namespace arenite {
namespace {

// The taps [begin, end) of an axis that lie inside x for a place, and where the first one lies.
struct TapRange {
  TapRange(uint32_t place, uint32_t stride, uint32_t pad, uint32_t dilation, uint32_t kernel,
           uint32_t size) {
    const auto start = static_cast<int32_t>(place * stride) - static_cast<int32_t>(pad);
    int32_t at = start;
    for (; begin < kernel && at < 0; ++begin) at += static_cast<int32_t>(dilation);
    first = static_cast<uint32_t>(at);
    for (end = begin; end < kernel && at < static_cast<int32_t>(size); ++end) {
      at += static_cast<int32_t>(dilation);
    }
  }
  uint32_t begin = 0, end = 0, first = 0;
};

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
