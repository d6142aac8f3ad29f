// Slices of the data picked along an axis by indices that are known only at run time.
#include "core/attributes.h"
#include "core/kernel.h"
#include "portable_fallback/check.h"
#include "portable_fallback/kernels.h"
#include "portable_fallback/move.h"

namespace arenite {
namespace {

Status check_gather(const Step& step) {
  ARENITE_TRY(check_attributes<GatherAttributes>(step));
  ARENITE_TRY(check_operands(step, {.min_inputs = 2, .max_inputs = 2, .max_outputs = 1}));
  const Tensor data = step.input(0);
  const Tensor indices = step.input(1);
  const OutTensor y = step.output(0);
  if (data.dtype != y.dtype) return output_error(step, Code::kBadType);
  if (indices.dtype != DType::kInt32 && indices.dtype != DType::kInt64) {
    return input_error(step, Code::kBadType, 1);
  }
  const uint32_t axis = step.attributes<GatherAttributes>().axis;
  if (axis >= data.rank) return error(Code::kBadAttribute);
  bool fits = uint32_t{y.rank} + 1 == uint32_t{data.rank} + indices.rank;
  for (uint32_t d = 0; fits && d < y.rank; ++d) {
    const uint32_t dim = d < axis                  ? data.dims[d]
                         : d < axis + indices.rank ? indices.dims[d - axis]
                                                   : data.dims[d - indices.rank + 1];
    fits = y.dims[d] == dim;
  }
  return fits ? ok_status() : output_error(step, Code::kBadShape);
}

int64_t read_index(const Tensor& indices, ptrdiff_t offset) {
  return indices.dtype == DType::kInt32 ? indices.read<int32_t>()[offset]
                                        : indices.read<int64_t>()[offset];
}

Status run_gather(const Step& step, const Platform& platform) {
  const Tensor data = step.input(0);
  const Tensor indices = step.input(1);
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  const uint32_t axis = step.attributes<GatherAttributes>().axis;
  NestedLoop picks;  // operands y, indices
  for (uint32_t d = 0; d < indices.rank; ++d) {
    picks.add(indices.dims[d], signed_stride(y, axis + d), signed_stride(indices, d));
  }
  picks.merge();
  NestedLoop slice;  // operands y, data
  for (uint32_t d = 0; d < data.rank; ++d) {
    const uint32_t y_d = d < axis ? d : d + indices.rank - 1;
    if (d != axis) slice.add(data.dims[d], signed_stride(y, y_d), signed_stride(data, d));
  }
  const uint32_t bytes = element_bytes(y.dtype);
  const uint32_t count = picks.size();
  RowCursor at(picks, 1, 0);
  for (uint32_t i = 0; i < count; ++i, at.next()) {
    // Read once: what is checked is what is used.
    int64_t index = read_index(indices, at.offset(1));
    if (index < 0) index += data.dims[axis];
    if (index < 0 || index >= data.dims[axis]) {
      return {Code::kIndexOutOfRange, step.index(), step.input_value(1)};
    }
    Move move = {y.write<std::byte>() + at.offset(0) * static_cast<ptrdiff_t>(bytes),
                 data.read<std::byte>() + static_cast<size_t>(index) * data.strides[axis] * bytes,
                 bytes, slice};
    move_elements(platform, move);
  }
  return ok_status();
}

}  // namespace

constexpr Kernel kGatherKernel = {
    .op = Op::kGather,
    .check = check_gather,
    .run = run_gather,
    .scratch_bytes = nullptr,
    .weight_layouts = 1u << static_cast<uint32_t>(Layout::kStrided),
    .alignment = 1,
    .tail_bytes = 0,
    .parallel = true,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
