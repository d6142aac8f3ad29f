// The same elements in other strides.
#include "core/kernel.h"
#include "portable_fallback/check.h"
#include "portable_fallback/kernels.h"
#include "portable_fallback/lead.h"
#include "portable_fallback/move.h"
#include "portable_fallback/unary.h"

namespace arenite {
namespace {

Status check_copy(const Step& step) { return check_unary(step, 1); }

Status run_copy(const Step& step, const Platform& platform) {
  const OutTensor y = step.output(0);
  Move move = {y.write<std::byte>(), step.input(0).read<std::byte>(), element_bytes(y.dtype),
               unary_loop(step)};
  if (move.loop.rank != 0) move_elements(platform, move);
  return ok_status();
}

uint64_t copy_lead(const Step& step, uint32_t) {
  const NestedLoop loop = unary_loop(step);
  LeadWalk walk;
  if (loop.rank != 0) walk_move(walk, loop, element_bytes(step.output(0).dtype), {0, 0});
  return walk.lead_bytes();
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
    .lead_bytes = copy_lead,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
