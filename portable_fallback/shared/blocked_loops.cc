// The loops over weights in blocks of any size.
#include "portable_fallback/shared/blocked_rows.h"
#include "portable_fallback/shared/integer_loops.h"

namespace arenite {
namespace {

using integer_loops::kLoops;

// Weights in rows that are product.w_n long.
struct Blocked {
  using Partial = int64_t;
  static BlockedRows<int32_t> at(const IntegerWeights& w, const IntegerProduct& product) {
    const auto how = static_cast<uint32_t>(w.how);
    return {w.data, blocks_of_word(how), static_cast<DType>(how >> 24),
            static_cast<uint32_t>(product.w_n), w.at};
  }
};

}  // namespace

template <>
IntegerLoops<uint32_t> blocked_loops(const Step& step) {
  return step.input(0).dtype() == DType::kInt8 ? kLoops<uint32_t, int8_t, Blocked>
                                               : kLoops<uint32_t, uint8_t, Blocked>;
}

template <>
IntegerLoops<uint64_t> blocked_loops(const Step&) {
  return kLoops<uint64_t, int16_t, Blocked>;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
