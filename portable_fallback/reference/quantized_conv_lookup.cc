// Quantized convolution, whose results a table replaces: a channel of a place at a time.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/requantization.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/conv_results.h"
#include "portable_fallback/shared/conv_with_ends.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

struct QuantizedConvLookup {
  explicit QuantizedConvLookup(const Step& step)
      : conv(step, step.attributes<QuantizedConvAttributes>()),
        table(step.input(kJoinedInput)),
        lowest(range_of(conv.y.dtype()).low) {}

  ConvWithEnds conv;
  Tensor table;
  int32_t lowest;
};

void compute_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& of = *static_cast<const QuantizedConvLookup*>(argument);
  Src<uint8_t> numbers = of.table.read<uint8_t>();
  store_conv_results(of.conv, first, last, [&](const ConvItem& at, uint32_t o, uint32_t ow) {
    const auto place = static_cast<size_t>(of.conv.result(at, o, ow) - of.lowest);
    return uint8_t(numbers[place * of.table.strides[0]]);
  });
}

Status run(const Step& step, const Platform& platform) {
  if (is_empty(step.output(0))) return ok_status();
  QuantizedConvLookup conv_lookup(step);
  split(platform, conv_lookup.conv.items(), conv_lookup.conv.work(), compute_items, &conv_lookup);
  return ok_status();
}

}  // namespace

constexpr Form kQuantizedConvLookupForm1 =
    make_form(Op::kQuantizedConvLookup, 1, {.parallel = true, .run = run});
ARENITE_FORM_CODE(QuantizedConvLookup, 1)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
