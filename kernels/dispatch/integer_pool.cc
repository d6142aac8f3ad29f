// The dispatch of integer_pool.comp: an invocation for each element, or for as many as a word
// holds.
#include "kernels/dispatch/integer_pool.h"

#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/spatial_loops.h"

namespace arenite {
namespace {

constexpr uint32_t kAxes = 3;

}  // namespace

Status emit_integer_pool(const Step& step, const IntegerPool& pool, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  const bool counted = pool.result == WindowResult::kCounted;
  const Operand multipliers = counted ? input_operand(step, 1) : x;
  const Requantisation& output = pool.output;
  const uint32_t axes[kAxes] = {2, 3, 4};
  const Loops loops = spatial_loops(x, y, axes);
  const Stores stores = stores_of(y, loops, 1, y.skip);
  DispatchBuilder builder(Shader::kIntegerPool);
  builder.buffer(x).buffer(multipliers).buffer(y);
  builder.spec(stores.kind).spec(integer_type(x)).spec(static_cast<uint32_t>(output.rounding));
  builder.spec(static_cast<uint32_t>(pool.result));
  builder.push(static_cast<uint32_t>(loops.count())).push(y.skip);
  builder.parameter(loops.rank).parameter(x.skip);
  for (const int32_t number : {pool.x_zero_point, pool.multiplier, pool.shift, output.zero_point,
                               output.low, output.high}) {
    builder.parameter(static_cast<uint32_t>(number));
  }
  builder.parameter(multipliers.skip).parameter(counted ? multipliers.strides[0] : 0);
  for (uint32_t d = 0; d < kAxes; ++d) {
    builder.parameter(x.dims[2 + d]).parameter(x.strides[2 + d]).parameter(pool.kernel[d]);
    builder.parameter(pool.stride[d]).parameter(pool.dilation[d]).parameter(pool.pad_begin[d]);
  }
  builder.parameter_loops(loops, 3).fill_parameters();
  return builder.run_invocations(sink, stores.invocations);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
