// Elementwise quotient; integers truncate, wrap, and give 0 for a divisor of 0.
#include "core/kernel.h"
#include "portable_fallback/binary.h"
#include "portable_fallback/kernels.h"

namespace arenite {
namespace {

struct Div {
  static constexpr bool kSigned = true;

  template <typename T>
  static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return a / b;
    } else {
      if (b == 0) return 0;
      if constexpr (std::is_signed_v<T>) {
        // The lowest number has no positive counterpart: negation wraps.
        if (b == -1) return static_cast<T>(Modular<T>{0} - static_cast<Modular<T>>(a));
      }
      return static_cast<T>(a / b);
    }
  }
};

Status check_div(const Step& step) { return check_binary(step); }

Status run_div(const Step& step, const Platform& platform) {
  return run_binary<Div>(step, platform);
}

}  // namespace

constexpr Kernel kDivKernel = {
    .op = Op::kDiv,
    .check = check_div,
    .run = run_div,
    .scratch_bytes = nullptr,
    .weight_layouts = 1u << static_cast<uint32_t>(Layout::kStrided),
    .alignment = 1,
    .tail_bytes = 0,
    .parallel = true,
    .lead_bytes = binary_lead,
    .in_place = InPlace::kAnywhere,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
