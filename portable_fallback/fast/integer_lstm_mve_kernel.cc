// A time step by dot products of vectors, two rows of weights at a time, and cells of four units at
// once. Vectors beside the last unit compute with what lies there, and nothing is stored of it.
#include "portable_fallback/fast/integer_lstm_mve_kernel.h"

#include "portable_fallback/fast/integer_dot_mve.h"
#include "portable_fallback/fast/integer_lstm_cell.h"

namespace arenite {
namespace {

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

static_assert(kUnitsAtOnce % 4 == 0);

// The nearest numbers of 16 bits.
inline int32x4_t saturated_16(int32x4_t numbers) {
  return vshrq_n_s32(vqshlq_n_s32(numbers, 16), 16);
}

// Multiplies as TwiceRounded does.
class VectorFactor {
 public:
  explicit VectorFactor(const FactorNumbers& factor)
      : multiplier_(factor.multiplier),
        left_(factor.shift > 0 ? factor.shift : 0),
        right_(factor.shift > 0     ? 0
               : factor.shift < -31 ? 32
                                    : -factor.shift) {}

  int32x4_t operator()(int32x4_t sums) const {
    const int32x4_t product = vqrdmulhq_n_s32(vqshlq_r_s32(sums, left_), multiplier_);
    if (right_ == 0) return product;
    // Halves go away from zero: up, if negative numbers are one lower.
    return vrshlq_n_s32(vqaddq_s32(product, vshrq_n_s32(product, 31)), -right_);
  }

 private:
  int32_t multiplier_, left_, right_;
};

// As interpolated(), of four places whose entries the table has.
template <uint32_t kBits>
inline uint32x4_t interpolated_four(const uint16_t* table, uint32x4_t places, uint32x4_t entries) {
  const uint32x4_t low = vldrhq_gather_shifted_offset_u32(table, entries);
  const uint32x4_t high = vldrhq_gather_shifted_offset_u32(table + 1, entries);
  const uint32x4_t between = vandq_u32(places, vdupq_n_u32((1u << kBits) - 1));
  return vaddq_u32(vshlq_n_u32(low, kBits), vmulq_u32(between, vsubq_u32(high, low)));
}

// As logistic(). Three times a number of 16 bits lies before the last entry.
inline int32x4_t logistic_four(const uint16_t* table, int32x4_t x) {
  static_assert(3 * 32768 >> 9 < kLastPlace);
  const int32x4_t scaled = vmulq_n_s32(x, 3);
  const uint32x4_t places = vreinterpretq_u32_s32(vabsq_s32(scaled));
  const uint32x4_t result = interpolated_four<9>(table, places, vshrq_n_u32(places, 9));
  // 2^25 - 1 less the result where the number is negative.
  const int32x4_t sign = vshrq_n_s32(scaled, 31);
  const int32x4_t turned = vaddq_s32(veorq_s32(vreinterpretq_s32_u32(result), sign),
                                     vandq_s32(sign, vdupq_n_s32(1 << 25)));
  return vshrq_n_s32(vshlq_n_s32(vaddq_n_s32(turned, 1 << 9), 6), 16);
}

// As tanh_of_scaled().
inline int32x4_t tanh_of_four(const uint16_t* table, int32x4_t scaled) {
  const uint32x4_t places = vreinterpretq_u32_s32(vabsq_s32(scaled));
  const uint32x4_t entries = vshrq_n_u32(places, 8);
  const mve_pred16_t beyond = vcmphiq_n_u32(entries, kLastPlace - 1);
  const uint32x4_t inside =
      interpolated_four<8>(table, places, vminq_u32(entries, vdupq_n_u32(kLastPlace - 1)));
  const uint32x4_t result = vpselq_u32(vdupq_n_u32(0xffffu << 8), inside, beyond);
  const int32x4_t from_half = vsubq_n_s32(vreinterpretq_s32_u32(result), 1 << 23);
  const int32x4_t turned = veorq_s32(from_half, vshrq_n_s32(scaled, 31));
  return vshrq_n_s32(vshlq_n_s32(vaddq_n_s32(turned, 1 << 7), 8), 16);
}

struct FourCells {
  static void scale_gate(const IntegerLstm& lstm, uint32_t gate, const GateSums& from,
                         int16_t* to) {
    const VectorFactor input(lstm.w_factors[gate]), recurrent(lstm.r_factors[gate]);
    const uint32x4_t steps = vmulq_n_u32(vidupq_n_u32(0, 1), from.bias_unit);
    const int32_t* bias = from.bias;
    for (uint32_t j = 0; j < from.count; j += 4, bias += 4 * from.bias_unit) {
      const mve_pred16_t left = vctp32q(from.count - j);
      const int32x4_t biases = vldrwq_gather_shifted_offset_z_s32(bias, steps, left);
      const int32x4_t of_x = input(vaddq_s32(vldrwq_s32(from.of_x + j), biases));
      const int32x4_t of_h = recurrent(vldrwq_s32(from.of_h + j));
      const int32x4_t sums = vaddq_s32(saturated_16(of_x), saturated_16(of_h));
      vstrhq_s32(to + j, saturated_16(sums));
    }
  }

  static void finish_units(const IntegerLstm& lstm, const LstmGates& gates, uint32_t count,
                           int16_t* cell, int8_t* state) {
    const uint16_t* const table = lstm.table;
    const int32_t clip = lstm.cell_clip != 0 ? lstm.cell_clip : 32768;
    const auto shift = static_cast<int32_t>(lstm.tanh_shift);
    const int32_t zero_point = lstm.zero_point;
    const VectorFactor kept(lstm.kept), added(lstm.added), result(lstm.result);
    for (uint32_t j = 0; j < count; j += 4) {
      const mve_pred16_t left = vctp32q(count - j);
      const int32x4_t forget = logistic_four(table, vldrhq_s32(gates.sums[1] + j));
      const int32x4_t old = saturated_16(kept(vmulq_s32(forget, vldrhq_z_s32(cell + j, left))));
      const int32x4_t input = logistic_four(table, vldrhq_s32(gates.sums[0] + j));
      const int32x4_t next = tanh_of_four(table, vmulq_n_s32(vldrhq_s32(gates.sums[2] + j), 3));
      const int32x4_t more = saturated_16(added(vmulq_s32(input, next)));
      const int32x4_t sum = saturated_16(vaddq_s32(old, more));
      const int32x4_t limited = vminq_s32(vmaxq_s32(sum, vdupq_n_s32(-clip)), vdupq_n_s32(clip));
      vstrhq_p_s32(cell + j, limited, left);
      // The multiplier has 16 bits.
      const int32x4_t scaled = vrshlq_n_s32(vmulq_n_s32(limited, lstm.tanh_multiplier), -shift);
      const int32x4_t output = logistic_four(table, vldrhq_s32(gates.sums[3] + j));
      const int32x4_t number = result(vmulq_s32(tanh_of_four(table, scaled), output));
      const int32x4_t moved = vqaddq_n_s32(number, zero_point);
      vstrbq_p_s32(state + j,
                   vminq_s32(vmaxq_s32(moved, vdupq_n_s32(lstm.low)), vdupq_n_s32(lstm.high)),
                   left);
    }
  }
};

#else

using FourCells = EachCell;

#endif

}  // namespace

void step_lstm_mve(const IntegerLstm& lstm, const LstmMemory& memory, const LstmRow& row) {
  step_lstm<MveDot, FourCells>(lstm, memory, row);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
