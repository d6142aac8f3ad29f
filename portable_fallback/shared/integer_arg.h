// The forms of ArgMax and ArgMin whose kernels search bytes.
#pragma once

#include "portable_fallback/fast/integer_arg.h"
#include "portable_fallback/forms.h"

namespace arenite {

bool takes_integer_arg(const Step& step);

uint64_t integer_arg_distance(const Step& step, uint32_t input);

// Looks at `count` bytes, `step` apart, the first of which is at `place`.
using BestKernel = void (*)(const ByteOrder& order, Src<std::byte> x, ptrdiff_t step,
                            uint32_t place, uint32_t count, BestByte& best);

Status run_integer_arg(const Step& step, const Platform& platform, BestKernel kernel);

template <BestKernel kKernel>
constexpr Form integer_arg_form(Op op, uint8_t number) {
  return make_form(op, number,
                   {.parallel = true,
                    .safe_distance = integer_arg_distance,
                    .accepts = takes_integer_arg,
                    .run = [](const Step& step, const Platform& platform) {
                      return run_integer_arg(step, platform, kKernel);
                    }});
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
