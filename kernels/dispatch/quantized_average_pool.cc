// Means of windows of integers, through quantized_average_pool.comp.
#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/rules.h"
#include "kernels/dispatch/spatial_loops.h"

namespace arenite {
namespace {

constexpr uint32_t kAxes = 3;

// kScaling of the shader.
uint32_t scaling_of(const Step& step, int32_t multiplier) {
  return step.has_input(1) ? 2u : multiplier != 0 ? 1u : 0u;
}

}  // namespace

bool supports_quantized_average_pool(const Step&) { return true; }

Status emit_quantized_average_pool(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  const bool counted = step.has_input(1);
  const Operand multipliers = counted ? input_operand(step, 1) : x;
  const auto attributes = step.attributes<QuantizedAveragePoolAttributes>();
  const Requantisation& output = attributes.output;
  const uint32_t axes[kAxes] = {2, 3, 4};
  const Loops loops = spatial_loops(x, y, axes);
  const Stores stores = stores_of(y, loops, 1, y.skip);
  DispatchBuilder builder(Shader::kQuantizedAveragePool);
  builder.buffer(x).buffer(multipliers).buffer(y);
  builder.spec(stores.kind).spec(integer_type(x)).spec(static_cast<uint32_t>(output.rounding));
  builder.spec(scaling_of(step, attributes.multiplier));
  builder.push(static_cast<uint32_t>(loops.count())).push(y.skip);
  builder.parameter(loops.rank).parameter(x.skip);
  for (const int32_t number : {attributes.x_zero_point, attributes.multiplier, attributes.shift,
                               output.zero_point, output.low, output.high}) {
    builder.parameter(static_cast<uint32_t>(number));
  }
  builder.parameter(multipliers.skip).parameter(counted ? multipliers.strides[0] : 0);
  for (uint32_t d = 0; d < kAxes; ++d) {
    builder.parameter(x.dims[2 + d]).parameter(x.strides[2 + d]).parameter(attributes.kernel[d]);
    builder.parameter(attributes.stride[d]).parameter(attributes.dilation[d]);
    builder.parameter(attributes.pad_begin[d]);
  }
  builder.parameter_loops(loops, 3).fill_parameters();
  return builder.run_invocations(sink, stores.invocations);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
