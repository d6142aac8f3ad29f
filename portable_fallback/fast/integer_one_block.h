// For integer_columns.h on machines that make the columns of sixteen channels at a time.
#pragma once

#include <cstdint>

namespace arenite {
namespace {

// Calls visit<Blocks>() with the blocks by which so many channels are best made.
struct OneBlock;
template <typename Visit>
inline uint32_t with_blocks(uint32_t, const Visit& visit) {
  return visit.template operator()<OneBlock>();
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
