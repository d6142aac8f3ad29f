// x^y in single precision: the same bits on every IEEE target.
#pragma once

namespace arenite {

// Within 1 ulp; special cases as in IEEE 754's pow: x^0 and 1^y are 1 even for NaN, a negative x
// has powers for whole y only, zeros and infinities by sign and parity.
float pow_f32(float x, float y);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
