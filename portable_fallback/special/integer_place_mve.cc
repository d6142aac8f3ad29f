// Depthwise convolution of 8-bit integers to lines of one place with Arm's MVE.
#include "portable_fallback/fast/integer_place_mve_kernel.h"

#include "portable_fallback/shared/place_products.h"

namespace arenite {
namespace {

void find_vectors(IntegerResults& results, uint32_t outputs, uint32_t) {
  results.rounds_twice = results.rounds_twice && only_divides(results, outputs);
}

struct Kernel {
  static constexpr bool kRoundsOnce = false;
  static constexpr uint32_t kColumns = kPlaceMveColumns;
  static constexpr auto& compute = add_place_mve;
  static constexpr auto& find_outputs = find_vectors;
};

struct OnceKernel {
  static constexpr bool kRoundsOnce = true;
  static constexpr uint32_t kColumns = kPlaceMveColumns;
  static constexpr auto& compute = add_place_once_mve;
  static constexpr auto& find_outputs = find_vectors;
};

}  // namespace

constexpr Form kQuantizedConvForm36 = PlaceForm<Kernel>::form(36);
ARENITE_FORM_CODE(QuantizedConv, 36)
constexpr Form kQuantizedConvForm37 = PlaceForm<OnceKernel>::form(37);
ARENITE_FORM_CODE(QuantizedConv, 37)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
