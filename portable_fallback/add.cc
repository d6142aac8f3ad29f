// Elementwise sum; integers wrap.
#include "core/kernel.h"
#include "portable_fallback/binary.h"
#include "portable_fallback/kernels.h"

namespace arenite {
namespace {

struct Add {
  static constexpr bool kSigned = false;

  template <typename T>
  static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return a + b;
    } else {
      return static_cast<T>(Modular<T>{a} + Modular<T>{b});
    }
  }
};

Status check_add(const Step& step) { return check_binary(step); }

Status run_add(const Step& step, const Platform& platform) {
  return run_binary<Add>(step, platform);
}

}  // namespace

constexpr Kernel kAddKernel = {
    .op = Op::kAdd,
    .check = check_add,
    .run = run_add,
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
