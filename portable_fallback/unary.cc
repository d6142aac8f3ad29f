// Family unary: y = f(x) for each element. A member is a struct of the operator's Type with
// apply(attributes, x) -> y, a template over the element type where it takes others than float32.
#include "ops/attributes.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/map.h"
#include "portable_fallback/math.h"
#include "portable_fallback/typed.h"

namespace arenite {
namespace {

struct Sigmoid {
  static float apply(const UnaryAttributes&, float x) { return 1.0f / (1.0f + exp_f32(-x)); }
};

struct HardSigmoid {
  static float apply(const UnaryAttributes& a, float x) {
    const float v = a.alpha * x + a.beta;
    const float low = v > 1.0f ? 1.0f : v;
    return low < 0.0f ? 0.0f : low;  // NaN passes both
  }
};

template <typename Member, typename T>
void unary_row(const void* context, Src<std::byte> from, Dst<std::byte> to, uint32_t count) {
  const auto attributes = *static_cast<const UnaryAttributes*>(context);
  Src<T> x = as<T>(from);
  Dst<T> y = as<T>(to);
  for (uint32_t i = 0; i < count; ++i) y[i] = Member::apply(attributes, static_cast<T>(x[i]));
}

template <typename Member, TypeSet kTypes>
Status run_unary(const Step& step, const Platform& platform) {
  const auto attributes = step.attributes<UnaryAttributes>();
  Map map = {nullptr, &attributes};
  for_type<kTypes>(step.output(0).dtype, [&]<typename T>() { map.row = unary_row<Member, T>; });
  return run_map(step, platform, map);
}

template <typename Member, TypeSet kTypes>
constexpr Form unary_form(Op op, uint8_t number) {
  return {.op = op,
          .number = number,
          .parallel = true,
          .types = kTypes,
          .safe_distance = map_distance,
          .run = run_unary<Member, kTypes>};
}

}  // namespace

#define ARENITE_OP_unary(number, name, Type, set) ARENITE_REFERENCE_FORMS(Type, Type, unary_form)
#include "schema/ops.def"

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
