// The table of dispatch rules: every member of a family, and operators of their own that are
// listed.
#include "kernels/dispatch/rules.h"

#include <algorithm>
#include <array>

namespace arenite {
namespace {

constexpr auto kRules = std::to_array<DispatchRule>({
#define ARENITE_OP_unary(number, name, Type, set) {Op::k##Type, supports_unary, emit_unary},
#define ARENITE_OP_binary(number, name, Type, set) {Op::k##Type, supports_binary, emit_binary},
#define ARENITE_OP_reduce(number, name, Type, set) {Op::k##Type, supports_reduce, emit_reduce},
#define ARENITE_OP_pool(number, name, Type, set) {Op::k##Type, supports_pool, emit_pool},
#define ARENITE_OP_move(number, name, Type, set) {Op::k##Type, supports_move, emit_move, true},
#include "schema/ops.def"
    {Op::kBatchNormalization, supports_batch_normalization, emit_batch_normalization},
    {Op::kCast, supports_cast, emit_cast},
    {Op::kClip, supports_clip, emit_clip},
    {Op::kConv, supports_conv, emit_conv},
    {Op::kGather, supports_gather, emit_gather},
    {Op::kMatMul, supports_matmul, emit_matmul},
    {Op::kSoftmax, supports_softmax, emit_softmax},
});

}  // namespace

const DispatchRule* find_rule(Op op) {
  const auto* rule = std::find_if(kRules.begin(), kRules.end(),
                                  [op](const DispatchRule& r) { return r.op == op; });
  return rule == kRules.end() ? nullptr : rule;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
