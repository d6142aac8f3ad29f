// The forms of lookup whose kernels read tables of bytes by numbers of 8 bits.
#pragma once

#include "portable_fallback/fast/integer_lookup.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/map.h"

namespace arenite {

// Whether elements of x and of the table are bytes, and those of the table neighbors.
bool takes_integer_lookup(const Step& step);

// The safe distance of each input: the table is read to the end.
uint64_t integer_lookup_distance(const Step& step, uint32_t input);

ByteTable byte_table(const Step& step);

using LookupKernel = void (*)(const ByteTable&, Src<std::byte>, Dst<std::byte>, uint32_t);

template <LookupKernel kKernel>
void integer_lookup_row(const void* context, Src<std::byte> x, Dst<std::byte> y, uint32_t count) {
  kKernel(*static_cast<const ByteTable*>(context), x, y, count);
}

template <LookupKernel kKernel>
Status run_integer_lookup(const Step& step, const Platform& platform) {
  const ByteTable table = byte_table(step);
  return run_map(step, platform, {integer_lookup_row<kKernel>, &table, 4});
}

// The facts of hosts' forms by the number of the plainest kin, without what runs. Those that read
// more at once before they write keep the distance too.
constexpr Form neighbor_lookup_facts(uint8_t plainest) {
  return {.parallel = true,
          .kin = plainest,
          .safe_distance = integer_lookup_distance,
          .accepts = takes_integer_lookup};
}

template <LookupKernel kKernel>
constexpr Form integer_lookup_form(uint8_t number) {
  return make_form(Op::kLookup, number,
                   {.parallel = true,
                    .safe_distance = integer_lookup_distance,
                    .accepts = takes_integer_lookup,
                    .run = run_integer_lookup<kKernel>});
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
