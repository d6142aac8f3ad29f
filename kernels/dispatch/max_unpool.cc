// Two passes of max_unpool.comp: zeros everywhere, then the elements where their indices say.
#include "kernels/dispatch/elements.h"
#include "kernels/dispatch/index_check.h"
#include "kernels/dispatch/rules.h"

namespace arenite {
namespace {

// The dims of y, innermost first as its places count, and its strides.
void add_places(DispatchBuilder& builder, const Operand& y) {
  builder.parameter(y.rank);
  for (uint32_t d = 0; d < kMaxRank; ++d) {
    builder.parameter(d < y.rank ? y.dims[y.rank - 1 - d] : 1);
  }
  for (uint32_t d = 0; d < kMaxRank; ++d) {
    builder.parameter(d < y.rank ? y.strides[y.rank - 1 - d] * words_each(y) : 0);
  }
}

Status emit_pass(const Step& step, bool fill, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand indices = input_operand(step, 1);
  const Operand y = output_operand(step, 0);
  const uint32_t words = words_each(y);
  Loops loops;  // operands x, indices
  for (uint32_t d = 0; d < x.rank; ++d) {
    loops.add(x.dims[d], x.strides[d] * words, indices.strides[d] * 2);
  }
  loops.add(words, 1, 0, 1);
  const uint64_t count = fill ? y.count() * words : loops.count();
  DispatchBuilder builder(Shader::kMaxUnpool);
  builder.buffer(x).buffer(indices).buffer(y);
  builder.spec(element_type(y)).spec(fill).spec(words == 2);
  builder.push(static_cast<uint32_t>(count)).push(skip_of(x)).push(skip_of(indices));
  builder.push(skip_of(y)).push(static_cast<uint32_t>(y.count()));
  add_places(builder, y);
  builder.parameter(loops.rank);
  for (uint32_t d = 0; d < Loops::kDims; ++d) builder.parameter(d < loops.rank ? loops.dims[d] : 1);
  for (uint32_t k = 0; k < 3; ++k) {
    for (uint32_t d = 0; d < Loops::kDims; ++d) {
      builder.parameter(d < loops.rank ? loops.strides[k][d] : 0);
    }
  }
  builder.fill_parameters();
  return builder.run_invocations(sink, count);
}

}  // namespace

bool supports_max_unpool(const Step& step) {
  const Operand y = output_operand(step, 0);
  return y.count() * words_each(y) < kMaxInvocations;
}

// The indices count the elements of y.
Status check_max_unpool(const Step& step, const DispatchSink& sink) {
  const auto places = static_cast<uint32_t>(output_operand(step, 0).count());
  return emit_index_check({.indices = input_operand(step, 1), .sizes = {places}}, sink);
}

Status emit_max_unpool(const Step& step, const DispatchSink& sink) {
  ARENITE_TRY(emit_pass(step, true, sink));
  return emit_pass(step, false, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
