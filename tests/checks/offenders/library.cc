// Calls the maths library, which an image may lack.
extern "C" float tanhf(float);

float offend(float x) { return tanhf(x); }
// SPDX-License-Identifier: Apache-2.0
