// Copies columns whose numbers are neighbors one by one; of others, whose rows are, eight numbers
// of a row at once.
#include "portable_fallback/fast/integer_matrices_mve_kernel.h"

#include "portable_fallback/fast/mve.h"

namespace arenite {
namespace {

// Copies rows of neighbors to columns that lie `depth` apart, if offsets of 16 bits reach them.
bool turn_rows([[maybe_unused]] const IntegerMatrix& m, [[maybe_unused]] uint8_t* to) {
#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)
  constexpr uint32_t kLanes = 8;
  if (m.n_step != 1 || m.depth > UINT16_MAX / kLanes) return false;
  const uint16x8_t offsets = vmulq_n_u16(vidupq_n_u16(0, 1), static_cast<uint16_t>(m.depth));
  const uint16x8_t flip = vdupq_n_u16(static_cast<uint16_t>(m.flip & 0xff));
  for (uint32_t column = 0; column < m.columns; column += kLanes) {
    const mve_pred16_t lanes = vctp16q(m.columns - column);
    const auto* from = static_cast<const uint8_t*>(static_cast<const void*>(m.b)) + column;
    uint8_t* at = to + size_t{column} * m.depth;
    for (uint32_t left = m.depth; left != 0; --left, from += m.k_step, ++at) {
      vstrbq_scatter_offset_p_u16(at, offsets, veorq_u16(vldrbq_z_u16(from, lanes), flip), lanes);
    }
  }
  return true;
#else
  return false;
#endif
}

}  // namespace

void copy_matrix_mve(const IntegerMatrix& m, uint32_t* words) {
  auto* to = static_cast<int8_t*>(static_cast<void*>(words));
  if (m.k_step != 1 && turn_rows(m, static_cast<uint8_t*>(static_cast<void*>(words)))) return;
  for (uint32_t column = 0; column < m.columns; ++column, to += m.depth) {
    Src<std::byte> from = m.b + column * m.n_step;
    if (m.k_step == 1) {
      mve::copy_bytes(to, from, m.depth);
      if (m.flip != 0) mve::flip_bytes(to, m.depth);
      continue;
    }
    for (uint32_t k = 0; k < m.depth; ++k, from += m.k_step) {
      to[k] = static_cast<int8_t>(static_cast<uint32_t>(*from) ^ (m.flip & 0xff));
    }
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
