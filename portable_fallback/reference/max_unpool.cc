// Elements of any type put where their indices, known only at run time, say; zeros everywhere else.
// If elements have the same index, the last in the order of x's dims stays.
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/loop.h"
#include "portable_fallback/shared/move_elements.h"

namespace arenite {
namespace {

void fill_with_zeros(const OutTensor& y, const Platform& platform) {
  uint64_t zero = 0;  // aligned for elements of any size
  NestedLoop loop;
  for (uint32_t d = 0; d < y.rank(); ++d) loop.add(y.dims[d], signed_stride(y, d), 0);
  Move move = {y.write<std::byte>(), Src<std::byte>(reinterpret_cast<std::byte*>(&zero)),
               element_bytes(y.dtype()), loop};
  move_elements(platform, move);
}

// Elements from y's start to that at a place counted row-major.
size_t offset_of(const OutTensor& y, uint32_t place) {
  size_t offset = 0;
  for (uint32_t d = y.rank(); d-- > 0;) {
    offset += size_t{place % y.dims[d]} * y.strides[d];
    place /= y.dims[d];
  }
  return offset;
}

Status run_max_unpool(const Step& step, const Platform& platform) {
  const Tensor x = step.input(0);
  const Tensor indices = step.input(1);
  const OutTensor y = step.output(0);
  const uint64_t places = element_count(y);
  if (places != 0) fill_with_zeros(y, platform);
  if (is_empty(x)) return ok_status();
  NestedLoop loop;  // operands x, indices
  for (uint32_t d = 0; d < x.rank(); ++d) {
    loop.add(x.dims[d], signed_stride(x, d), signed_stride(indices, d));
  }
  loop.merge();
  const uint32_t bytes = element_bytes(x.dtype());
  const uint32_t count = loop.size();
  RowCursor at(loop, 1, 0);
  for (uint32_t i = 0; i < count; ++i, at.next()) {
    // Read once: what is checked is what is used.
    const int64_t place = indices.read<int64_t>()[at.offset(1)];
    if (place < 0 || static_cast<uint64_t>(place) >= places) {
      return {Code::kIndexOutOfRange, step.index(), step.input_value(1)};
    }
    std::byte element[8];
    take(element, x.read<std::byte>() + at.offset(0) * static_cast<ptrdiff_t>(bytes), bytes);
    put(y.write<std::byte>() + offset_of(y, static_cast<uint32_t>(place)) * bytes, element, bytes);
  }
  return ok_status();
}

}  // namespace

constexpr Form kMaxUnpoolForm0 = make_form(Op::kMaxUnpool, 0,
                                           {
                                               .parallel = true,
                                               .run = run_max_unpool,
                                           });
ARENITE_FORM_CODE(MaxUnpool, 0)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
