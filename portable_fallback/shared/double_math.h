// Functions of double precision of our own: the same bits on every IEEE target, and no libm.
#pragma once

namespace arenite {

// Within 1 ulp; NaN for NaN.
double exp_f64(double x);

// The natural logarithm within 1 ulp; -infinity for 0, NaN below.
double log_f64(double x);

// Rounded to the nearest; NaN below 0.
double sqrt_f64(double x);

// x^y within 1 ulp; special cases as in IEEE 754's pow: x^0 and 1^y are 1 even for NaN, a negative
// x has powers for whole y only, zeros and infinities by sign and parity.
double pow_f64(double x, double y);
// The same where whether y is odd was known before it was rounded to a double.
double pow_f64(double x, double y, bool whole, bool odd);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
