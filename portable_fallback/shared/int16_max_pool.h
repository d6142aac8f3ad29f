// The forms of max_pool of 16-bit integers whose kernels compare all channels of a window at once.
#pragma once

#include "portable_fallback/fast/int16_pool.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/max_pool_rows.h"
#include "portable_fallback/shared/split.h"

namespace arenite {

using Int16MaxPoolKernel = void (*)(const Int16MaxPoolRun&);

// Rows [first, last).
void max_pool_int16_rows(const MaxPoolRows& pool, uint32_t first, uint32_t last,
                         Int16MaxPoolKernel kernel);

// Whether channels of int16 are neighbors, and no places of maxima are asked for.
bool takes_int16_max_pool(const Step& step);

// The safe distance of x: each output reads its window and then writes, 8 channels at a time.
uint64_t int16_max_pool_distance(const Step& step, uint32_t input);

template <Int16MaxPoolKernel kKernel>
void int16_max_pool_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  max_pool_int16_rows(*static_cast<const MaxPoolRows*>(argument), first, last, kKernel);
}

template <Int16MaxPoolKernel kKernel>
Status run_int16_max_pool(const Step& step, const Platform& platform) {
  MaxPoolRows pool(step);
  split(platform, pool.rows, pool.work, int16_max_pool_items<kKernel>, &pool);
  return ok_status();
}

template <Int16MaxPoolKernel kKernel>
constexpr Form int16_max_pool_form(uint8_t number) {
  return make_form(Op::kMaxPool, number,
                   {.parallel = true,
                    .safe_distance = int16_max_pool_distance,
                    .accepts = takes_int16_max_pool,
                    .run = run_int16_max_pool<kKernel>});
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
