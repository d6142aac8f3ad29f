// The same elements in other strides.
#include "core/kernel.h"
#include "portable_fallback/check.h"
#include "portable_fallback/kernels.h"
#include "portable_fallback/move.h"
#include "portable_fallback/unary.h"

namespace arenite {
namespace {

Status check_copy(const Step& step) { return check_unary(step, 1); }

Status run_copy(const Step& step, const Platform& platform) {
  const OutTensor y = step.output(0);
  Move move = {y.out, step.input(0).data, element_bytes(y.dtype), unary_loop(step)};
  if (move.loop.rank != 0) move_elements(platform, move);
  return ok_status();
}

}  // namespace

constexpr Kernel kCopyKernel = {
    .op = Op::kCopy,
    .check = check_copy,
    .run = run_copy,
    .scratch_bytes = nullptr,
    .weight_layouts = 1u << static_cast<uint32_t>(Layout::kStrided),
    .alignment = 1,
    .tail_bytes = 0,
    .parallel = true,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
