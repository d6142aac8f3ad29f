// Family pool: windows of up to three spatial dims, through pool.comp, the greatest of integers
// through integer_pool.comp; a second output (indices) is left to the CPU.
#include "kernels/shaders/pool.h"

#include "core/contract.h"
#include "kernels/dispatch/integer_pool.h"
#include "kernels/dispatch/row_files.h"
#include "ops/requantization.h"

namespace arenite {
namespace {

bool accepts_pool(const Step& step) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  if (step.output_count() != 1 || y.rank != 5) return false;
  const auto attributes = step.attributes<PoolAttributes>();
  for (uint32_t d = 0; d < 3; ++d) {
    if (!fits_half(attributes.kernel[d]) || !fits_half(attributes.stride[d]) ||
        !fits_half(attributes.dilation[d]) || !fits_half(attributes.pad_begin[d])) {
      return false;
    }
    // Positions are int32 in the shader.
    if (uint64_t{x.dims[2 + d]} + attributes.pad_end[d] > 0x7fffffffu) return false;
  }
  return true;
}

Status emit_pool(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  const auto a = step.attributes<PoolAttributes>();
  const auto kernel_stride = [&](uint32_t d) { return a.kernel[d] | a.stride[d] << 16; };
  const auto dilation_pad = [&](uint32_t d) { return a.dilation[d] | a.pad_begin[d] << 16; };
  const auto padded_end = [&](uint32_t d) { return x.dims[2 + d] + a.pad_end[d]; };
  DispatchBuilder builder(
      shaders::Pool{.spec = {.op = step.op(), .count_padding = a.count_include_pad != 0, .p = a.p},
                    .push = {.count = static_cast<uint32_t>(y.count()),
                             .channels = y.dims[1],
                             .size = shaders::first_of(x.dims + 2),
                             .out_size = shaders::first_of(y.dims + 2),
                             .kernel_stride = kernel_stride,
                             .dilation_pad = dilation_pad,
                             .padded_end = padded_end,
                             .x_skip = x.skip,
                             .y_skip = y.skip,
                             .x_strides = shaders::first_of(x.strides),
                             .y_strides = shaders::first_of(y.strides)}});
  builder.buffer(x).buffer(y);
  return builder.run_invocations(sink, y.count());
}

bool accepts_pool_any(const Step& step) { return step.output_count() == 1; }

Status emit_pool_any(const Step& step, const DispatchSink& sink) {
  const auto a = step.attributes<PoolAttributes>();
  const IntegerRange range = range_of(output_operand(step, 0).dtype);
  return emit_integer_pool(step,
                           {.result = WindowResult::kGreatest,
                            .kernel = a.kernel,
                            .stride = a.stride,
                            .dilation = a.dilation,
                            .pad_begin = a.pad_begin,
                            .output = {Rounding::kTfliteDouble, 0, range.low, range.high}},
                           sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kPool,
     .types = types::kFloat32,
     .accepts = accepts_pool,
     .emit = emit_pool},
    {.form = 1,
     .shader = Shader::kIntegerPool,
     .types = types::kQuantizedFactor,
     .accepts = accepts_pool_any,
     .emit = emit_pool_any},
};

}  // namespace

std::span<const DispatchRow> pool_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
