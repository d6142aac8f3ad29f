/* A seven, the first test image of examples/digits: 8 rows of 8 pixels, paper 0 and ink 1. */
#pragma once

// A row of the image a line.
// clang-format off
static const float kImage[64] = {
    0.0f, 0.0f, 0.125f, 0.8125f, 1.0f, 0.5625f, 0.0f, 0.0f,
    0.0f, 0.0f, 0.75f, 0.75f, 0.4375f, 1.0f, 0.1875f, 0.0f,
    0.0f, 0.0625f, 0.875f, 0.1875f, 0.0f, 1.0f, 0.25f, 0.0f,
    0.0f, 0.0f, 0.0f, 0.25f, 0.625f, 1.0f, 0.375f, 0.0f,
    0.0f, 0.0f, 0.0f, 0.8125f, 1.0f, 1.0f, 0.5625f, 0.0f,
    0.0f, 0.0f, 0.0f, 0.3125f, 0.8125f, 0.0625f, 0.0f, 0.0f,
    0.0f, 0.0f, 0.0f, 0.6875f, 0.5625f, 0.0f, 0.0f, 0.0f,
    0.0f, 0.0f, 0.0625f, 1.0f, 0.25f, 0.0f, 0.0f, 0.0f,
};
// clang-format on
/* SPDX-License-Identifier: Apache-2.0 */
