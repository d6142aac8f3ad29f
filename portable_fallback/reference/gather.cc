// Slices of the data picked along an axis by indices that are known only at run time.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/index.h"
#include "portable_fallback/shared/move_elements.h"

namespace arenite {
namespace {

Status run_gather(const Step& step, const Platform& platform) {
  const Tensor data = step.input(0);
  const Tensor indices = step.input(1);
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  const uint32_t axis = step.attributes<GatherAttributes>().axis;
  NestedLoop picks;  // operands y, indices
  for (uint32_t d = 0; d < indices.rank(); ++d) {
    picks.add(indices.dims[d], signed_stride(y, axis + d), signed_stride(indices, d));
  }
  picks.merge();
  NestedLoop slice;  // operands y, data
  for (uint32_t d = 0; d < data.rank(); ++d) {
    const uint32_t y_d = d < axis ? d : d + indices.rank() - 1;
    if (d != axis) slice.add(data.dims[d], signed_stride(y, y_d), signed_stride(data, d));
  }
  const uint32_t bytes = element_bytes(y.dtype());
  const uint32_t count = picks.size();
  // What all slices have in common is found once.
  Move move = {y.write<std::byte>(), data.read<std::byte>(), bytes, slice};
  simplify_move(move);
  const Dst<std::byte> to = move.to;
  const Src<std::byte> from = move.from;
  RowCursor at(picks, 1, 0);
  for (uint32_t i = 0; i < count; ++i, at.next()) {
    // Read once: what is checked is what is used.
    const uint32_t index = resolved_index(read_index(indices, at.offset(1)), data.dims[axis]);
    if (index == data.dims[axis]) {
      return {Code::kIndexOutOfRange, step.index(), step.input_value(1)};
    }
    move.to = to + at.offset(0) * static_cast<ptrdiff_t>(bytes);
    move.from = from + size_t{index} * data.strides[axis] * bytes;
    run_simplified(platform, move);
  }
  return ok_status();
}

}  // namespace

constexpr Form kGatherForm0 = make_form(Op::kGather, 0,
                                        {
                                            .parallel = true,
                                            .run = run_gather,
                                        });
ARENITE_FORM_CODE(Gather, 0)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
