// OneHot: everything off, then one place of each index on; none for an index that lies outside.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/index.h"
#include "portable_fallback/shared/move_elements.h"

namespace arenite {
namespace {

Status run_one_hot(const Step& step, const Platform& platform) {
  const Tensor indices = step.input(0);
  const Tensor values = step.input(1);
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  const uint32_t axis = step.attributes<OneHotAttributes>().axis;
  const auto bytes = static_cast<ptrdiff_t>(element_bytes(y.dtype()));
  Move off = {y.write<std::byte>(), values.read<std::byte>(), static_cast<uint32_t>(bytes), {}};
  NestedLoop each;  // operands y, indices
  for (uint32_t d = 0; d < y.rank(); ++d) {
    off.loop.add(y.dims[d], signed_stride(y, d), 0);
    if (d == axis) continue;
    each.add(y.dims[d], signed_stride(y, d), signed_stride(indices, d < axis ? d : d - 1));
  }
  move_elements(platform, off);
  each.merge();
  const NestedLoop one = {.rank = 1, .dims = {1}, .strides = {}};
  Src<std::byte> on = values.read<std::byte>() + signed_stride(values, 0) * bytes;
  const uint32_t count = each.size();
  RowCursor at(each, 1, 0);
  for (uint32_t i = 0; i < count; ++i, at.next()) {
    const uint32_t place = resolved_index(read_index(indices, at.offset(1)), y.dims[axis]);
    if (place == y.dims[axis]) continue;
    const ptrdiff_t to = at.offset(0) + static_cast<ptrdiff_t>(size_t{place} * y.strides[axis]);
    Move move = {y.write<std::byte>() + to * bytes, on, static_cast<uint32_t>(bytes), one};
    move_elements(platform, move);
  }
  return ok_status();
}

}  // namespace

constexpr Form kOneHotForm0 = make_form(Op::kOneHot, 0,
                                        {
                                            .parallel = true,
                                            .run = run_one_hot,
                                        });
ARENITE_FORM_CODE(OneHot, 0)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
