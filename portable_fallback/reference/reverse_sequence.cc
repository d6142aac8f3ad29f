// ReverseSequence: slices along the time axis in reverse, up to where each sequence ends.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/index.h"
#include "portable_fallback/shared/move_elements.h"

namespace arenite {
namespace {

Status run_reverse_sequence(const Step& step, const Platform& platform) {
  const Tensor x = step.input(0);
  const Tensor lengths = step.input(1);
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  const auto attributes = step.attributes<ReverseSequenceAttributes>();
  const uint32_t batch = attributes.batch_axis, time = attributes.time_axis;
  const uint32_t bytes = element_bytes(y.dtype());
  NestedLoop rest;
  for (uint32_t d = 0; d < y.rank(); ++d) {
    if (d != batch && d != time) rest.add(y.dims[d], signed_stride(y, d), signed_stride(x, d));
  }
  // The part of a sequence that begins at `first`, and at `from` in x, from where it goes by
  // `sign`.
  const auto copy = [&](uint32_t b, uint32_t first, uint32_t from, uint32_t count, ptrdiff_t sign) {
    if (count == 0) return;
    const size_t to_at = b * size_t{y.strides[batch]} + first * size_t{y.strides[time]};
    const size_t from_at = b * size_t{x.strides[batch]} + from * size_t{x.strides[time]};
    Move move = {y.write<std::byte>() + to_at * bytes, x.read<std::byte>() + from_at * bytes, bytes,
                 rest};
    move.loop.add(count, signed_stride(y, time), sign * signed_stride(x, time));
    move_elements(platform, move);
  };
  for (uint32_t b = 0; b < y.dims[batch]; ++b) {
    const int64_t given =
        read_index(lengths, static_cast<ptrdiff_t>(b * size_t{lengths.strides[0]}));
    if (given < 0 || given > y.dims[time]) {
      return {Code::kIndexOutOfRange, step.index(), step.input_value(1)};
    }
    const auto length = static_cast<uint32_t>(given);
    copy(b, 0, length == 0 ? 0 : length - 1, length, -1);
    copy(b, length, length, y.dims[time] - length, 1);
  }
  return ok_status();
}

}  // namespace

constexpr Form kReverseSequenceForm0 = make_form(Op::kReverseSequence, 0,
                                                 {
                                                     .parallel = true,
                                                     .run = run_reverse_sequence,
                                                 });
ARENITE_FORM_CODE(ReverseSequence, 0)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
