// Aligns rows, and reads a convolution's geometry from its step.
#include "portable_fallback/shared/integer_rows.h"

#include "ops/attributes.h"

namespace arenite {

uint32_t* rows_of(const Step& step) {
  const auto address = reinterpret_cast<uintptr_t>(step.scratch().out);
  const uintptr_t aligned = (address + alignof(uint32_t) - 1) & ~uintptr_t{alignof(uint32_t) - 1};
  return reinterpret_cast<uint32_t*>(aligned);
}

void set_numbers(const Step& step, int32_t zero_point, int32_t outside, IntegerProducts& p) {
  const bool is_unsigned = step.input(0).dtype() == DType::kUint8;
  p.flip = is_unsigned ? 0x80808080 : 0;
  p.added = (is_unsigned ? 128 : 0) - zero_point;
  p.outside = outside - zero_point;
}

IntegerProducts conv_products(const Step& step) {
  const auto attributes = step.attributes<QuantizedConvAttributes>();
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  IntegerProducts p = {};
  p.x = x.read<std::byte>();
  p.w = w.data;
  p.y = y.write<int8_t>();
  p.rows = rows_of(step);
  p.x_c = x.strides[1];
  p.x_h = x.strides[2];
  p.x_w = x.strides[3];
  p.y_c = y.strides[1];
  p.y_h = y.strides[2];
  p.y_w = y.strides[3];
  p.in_h = x.dims[2];
  p.in_w = x.dims[3];
  p.out_w = y.dims[3];
  p.kernel_h = w.dims[2];
  p.kernel_w = w.dims[3];
  p.stride_h = attributes.stride[0];
  p.stride_w = attributes.stride[1];
  p.dilation_h = attributes.dilation[0];
  p.dilation_w = attributes.dilation[1];
  p.pad_h = attributes.pad_begin[0];
  p.pad_w = attributes.pad_begin[1];
  p.channels = w.dims[1];
  p.columns = w.dims[0];
  p.joined = p.dilation_w * p.x_w == p.channels * p.x_c;
  set_numbers(step, attributes.x_zero_point, attributes.outside, p);
  return p;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
