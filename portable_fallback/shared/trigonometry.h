// Sine, cosine and their kin in single precision: the same bits on every IEEE target.
#pragma once

namespace arenite {

// Within 2 ulp for every float, however large; NaN for infinities.
float sin_f32(float x);
float cos_f32(float x);
// Within 4 ulp.
float tan_f32(float x);

// Within 3 ulp. asin and acos give NaN outside [-1, 1].
float atan_f32(float x);
float asin_f32(float x);
float acos_f32(float x);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
