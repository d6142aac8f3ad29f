// y = min(max(x, low), high), with bounds from operands or attributes; NaN stays.
#include <limits>
#include <type_traits>

#include "ops/attributes.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/map.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

template <typename T>
struct Bounds {
  T low, high;
};

// The bound in operand `i`, or the attribute; integers have no bound without an operand.
template <typename T>
Computed<T> bound(const Step& step, uint32_t i, float attribute, Computed<T> none) {
  if (step.has_input(i)) return static_cast<Computed<T>>(T(*step.input(i).read<T>()));
  return std::is_floating_point_v<Computed<T>> ? static_cast<Computed<T>>(attribute) : none;
}

template <typename T>
void clip_row(const void* context, Src<std::byte> from, Dst<std::byte> to, uint32_t count) {
  using V = Computed<T>;
  const Bounds<V> bounds = *static_cast<const Bounds<V>*>(context);
  Src<T> x = as<T>(from);
  Dst<T> y = as<T>(to);
  for (uint32_t i = 0; i < count; ++i) {
    const V v = static_cast<V>(T(x[i]));
    const V above = v < bounds.low ? bounds.low : v;
    y[i] = above > bounds.high ? bounds.high : above;
  }
}

template <typename Member, TypeSet kTypes>
Status run_clip(const Step& step, const Platform& platform) {
  Status status;
  for_number<kTypes>(step.output(0).dtype(), [&]<typename T>() {
    using Limits = std::numeric_limits<Computed<T>>;
    const auto attributes = step.attributes<ClipAttributes>();
    const Bounds<Computed<T>> bounds = {bound<T>(step, 1, attributes.min, Limits::lowest()),
                                        bound<T>(step, 2, attributes.max, Limits::max())};
    status = run_map(step, platform, {clip_row<T>, &bounds});
  });
  return status;
}

struct Clip;

template <typename Member, TypeSet kTypes>
constexpr Form clip_form(Op op, uint8_t number) {
  return make_form(
      op, number,
      {.parallel = true, .safe_distance = map_distance, .run = run_clip<Member, kTypes>});
}

}  // namespace

ARENITE_REFERENCE_FORMS(Clip, Clip, clip_form)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
