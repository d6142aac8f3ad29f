// The forms of max_pool whose kernels compare all channels of a window at once.
#pragma once

#include "portable_fallback/fast/integer_max_pool.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/max_pool_rows.h"
#include "portable_fallback/shared/split.h"

namespace arenite {

using MaxPoolKernel = void (*)(const MaxPoolRun&);

// Rows [first, last).
void max_pool_rows(const MaxPoolRows& pool, uint32_t first, uint32_t last, MaxPoolKernel kernel);

// Whether elements are bytes whose channels are neighbors, and no places of maxima are asked for.
bool takes_integer_max_pool(const Step& step);

// The safe distance of x: each output reads its window and then writes, 16 channels at a time.
uint64_t integer_max_pool_distance(const Step& step, uint32_t input);

template <MaxPoolKernel kKernel>
void integer_max_pool_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  max_pool_rows(*static_cast<const MaxPoolRows*>(argument), first, last, kKernel);
}

template <MaxPoolKernel kKernel>
Status run_integer_max_pool(const Step& step, const Platform& platform) {
  MaxPoolRows pool(step);
  split(platform, pool.rows, pool.work, integer_max_pool_items<kKernel>, &pool);
  return ok_status();
}

template <MaxPoolKernel kKernel>
constexpr Form integer_max_pool_form(uint8_t number) {
  return make_form(Op::kMaxPool, number,
                   {.parallel = true,
                    .safe_distance = integer_max_pool_distance,
                    .accepts = takes_integer_max_pool,
                    .run = run_integer_max_pool<kKernel>});
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
