// Walks the results of a search along axes, and hands each one's bytes to a kernel, run by run.
#include "portable_fallback/shared/integer_arg.h"

#include "ops/attributes.h"
#include "portable_fallback/shared/reduce.h"

namespace arenite {
namespace {

struct ArgWork {
  Reduction reduction;
  ByteOrder order;
  BestKernel kernel;
};

uint32_t place_of_best(const ArgWork& work, Src<std::byte> x) {
  const NestedLoop& reduced = work.reduction.reduced;
  const ptrdiff_t step = reduced.inner_stride(1);
  BestByte best;
  if (reduced.rank == 1) {
    work.kernel(work.order, x, step, 0, reduced.dims[0], best);
    return best.place;
  }
  uint32_t place = 0;
  for_rows(reduced, [&](const RowCursor& row) {
    work.kernel(work.order, x + row.offset(1), step, place, row.count(), best);
    place += row.count();
  });
  return best.place;
}

// Each block of results reads all of its input, then writes, as other reductions do.
void arg_blocks(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& work = *static_cast<const ArgWork*>(argument);
  const NestedLoop& kept = work.reduction.kept;
  RowCursor at(kept, kBlock, first);
  for (; first < last; ++first, at.next()) {
    uint32_t places[kBlock] = {};
    if (!work.reduction.empty) {
      Src<std::byte> x = work.reduction.x + at.offset(1);
      for (uint32_t j = 0; j < at.count(); ++j, x += kept.inner_stride(1)) {
        places[j] = place_of_best(work, x);
      }
    }
    Dst<int64_t> y = as<int64_t>(work.reduction.y) + at.offset(0);
    for (uint32_t j = 0; j < at.count(); ++j, y += kept.inner_stride(0)) *y = places[j];
  }
}

}  // namespace

bool takes_integer_arg(const Step& step) {
  return step.dtype(0) == DType::kInt8 || step.dtype(0) == DType::kUint8;
}

uint64_t integer_arg_distance(const Step& step, uint32_t) {
  return reduction_distance(step, step.attributes<ArgAttributes>().axes);
}

Status run_integer_arg(const Step& step, const Platform& platform, BestKernel kernel) {
  const auto attributes = step.attributes<ArgAttributes>();
  const uint32_t sign = step.dtype(0) == DType::kInt8 ? 0x80 : 0;
  const uint32_t least = step.op() == Op::kArgMin ? 0xff : 0;
  ArgWork work = {Reduction(step, attributes.axes),
                  {.flip = sign ^ least, .last = attributes.select_last != 0},
                  kernel};
  run_reduction(work.reduction, platform, arg_blocks, &work);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
