// Computes a row of log-mel energies: window, Fourier transform, energy in triangular bands,
// logarithm.
//
// 1. The last kWindow samples are multiplied by a Hann window.
// 2. They are read as kWindow / 2 complex numbers. The fast transform (Cooley and Tukey, 1965;
// radix 2, decimation in
//    time) of these is taken apart into the spectrum of the real samples.
// 3. A band's energy is the sum of |bin|^2 times a triangle's height there.
// 4. log2 of it: the exponent, and a parabola through log2(1 + f) at 0, 1/2 and 1, at most 0.01
// off.
//
// Magnitudes: a bin is at most 2^15 * kWindow / 2 = 2^23, its square 2^46, with a height of 2^8 and
// 64 bins 2^60.
#include "features.h"

namespace features {
namespace {

constexpr int kHalf = kWindow / 2;

// sin(2 pi turn) of 0 <= turn <= 1/4 by Taylor's series, while compiling.
constexpr double quarter_sine(double turn) {
  const double x = turn * 6.283185307179586;
  double term = x, sum = x;
  for (int n = 1; n < 12; ++n) sum += term *= -x * x / ((2 * n) * (2 * n + 1));
  return sum;
}

// A quarter of a sine wave of kWindow points, 1 is 2^15: the window and all twiddles follow from
// it.
struct Sines {
  std::int32_t of[kWindow / 4 + 1];
};
constexpr Sines make_sines() {
  Sines sines{};
  for (int i = 0; i <= kWindow / 4; ++i) {
    sines.of[i] = static_cast<std::int32_t>(quarter_sine(double(i) / kWindow) * 32768 + 0.5);
  }
  return sines;
}
constexpr Sines kSines = make_sines();

// cos and sin of 2 pi i / kWindow, 0 <= i <= kWindow / 2.
std::int32_t cosine(int i) {
  return i <= kWindow / 4 ? kSines.of[kWindow / 4 - i] : -kSines.of[i - kWindow / 4];
}
std::int32_t sine(int i) { return i <= kWindow / 4 ? kSines.of[i] : kSines.of[kWindow / 2 - i]; }

// Bands begin, peak and end at these, in sixteenths of a bin: 34 points from 60 Hz to 7600 Hz at
// equal distances of 2595 log10(1 + f / 700 Hz).
constexpr std::int16_t kEdges[kBands + 2] = {31,   60,   91,   125,  162,  201,  243,  288,  336,
                                             388,  445,  505,  570,  640,  715,  795,  882,  975,
                                             1075, 1183, 1299, 1423, 1557, 1701, 1856, 2022, 2201,
                                             2393, 2600, 2822, 3061, 3318, 3594, 3891};

// a * b / 2^15, rounded; b is a sine.
std::int32_t scaled(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>((std::int64_t{a} * b + (1 << 14)) >> 15);
}

void transform(std::int32_t* z) {
  for (int i = 1, j = 0; i < kHalf; ++i) {  // j is i with its bits reversed
    int bit = kHalf / 2;
    for (; (j & bit) != 0; bit /= 2) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    for (int part = 0; part < 2; ++part) {
      const std::int32_t kept = z[2 * i + part];
      z[2 * i + part] = z[2 * j + part];
      z[2 * j + part] = kept;
    }
  }
  for (int half = 1; half < kHalf; half *= 2) {
    for (int k = 0; k < half; ++k) {
      const std::int32_t c = cosine(k * (kHalf / half)), s = sine(k * (kHalf / half));
      for (int i = k; i < kHalf; i += 2 * half) {
        std::int32_t* a = z + 2 * i;
        std::int32_t* b = a + 2 * half;
        const std::int32_t re = scaled(b[0], c) + scaled(b[1], s);
        const std::int32_t im = scaled(b[1], c) - scaled(b[0], s);
        b[0] = a[0] - re;
        b[1] = a[1] - im;
        a[0] += re;
        a[1] += im;
      }
    }
  }
}

// |bin k|^2 of the real samples, 0 < k < kHalf, of the transform of their pairs.
std::uint64_t energy(const std::int32_t* z, int k) {
  const std::int32_t* a = z + 2 * k;
  const std::int32_t* b = z + 2 * (kHalf - k);
  const std::int32_t even_re = (a[0] + b[0]) / 2, even_im = (a[1] - b[1]) / 2;
  const std::int32_t odd_re = (a[1] + b[1]) / 2, odd_im = (b[0] - a[0]) / 2;
  const std::int32_t c = cosine(k), s = sine(k);
  const std::int64_t re = even_re + scaled(odd_re, c) + scaled(odd_im, s);
  const std::int64_t im = even_im + scaled(odd_im, c) - scaled(odd_re, s);
  return static_cast<std::uint64_t>(re * re + im * im);
}

// log2(x) in 1/256; x is at least 1.
std::int16_t logarithm(std::uint64_t x) {
  const int exponent = 63 - __builtin_clzll(x);
  const auto f = static_cast<std::int32_t>(
      (exponent >= 16 ? x >> (exponent - 16) : x << (16 - exponent)) & 0xFFFF);
  const std::int32_t bend = static_cast<std::int32_t>((std::int64_t{f} * (65536 - f)) >> 16);
  return static_cast<std::int16_t>(exponent * 256 + ((f + bend * 87 / 256) >> 8));
}

}  // namespace

void next_row(FrontEnd& front_end, const std::int16_t* hop, std::int16_t* row) {
  std::int16_t* samples = front_end.samples;
  for (int i = 0; i < kWindow - kHop; ++i) samples[i] = samples[i + kHop];
  for (int i = 0; i < kHop; ++i) samples[kWindow - kHop + i] = hop[i];

  std::int32_t* z = front_end.spectrum;
  for (int i = 0; i < kWindow; ++i) {
    // sin^2(pi i / kWindow) = (1 - cos(2 pi i / kWindow)) / 2
    const std::int32_t window = (32768 - cosine(i <= kHalf ? i : kWindow - i)) / 2;
    z[i] = scaled(samples[i], window);
  }
  transform(z);

  std::uint64_t bands[kBands] = {};
  int band = 0;  // the bin lies between kEdges[band] and kEdges[band + 1]
  for (int k = kEdges[0] / 16 + 1; 16 * k < kEdges[kBands + 1]; ++k) {
    while (16 * k >= kEdges[band + 1]) ++band;
    const int height = (16 * k - kEdges[band]) * 256 / (kEdges[band + 1] - kEdges[band]);
    const std::uint64_t e = energy(z, k);
    if (band < kBands) bands[band] += e * static_cast<unsigned>(height);
    if (band > 0) bands[band - 1] += e * static_cast<unsigned>(256 - height);
  }
  // Rounding makes noise of some 2^18: less than that is told apart no more.
  for (int i = 0; i < kBands; ++i) row[i] = logarithm(bands[i] + (1 << 18));
}

}  // namespace features
// SPDX-License-Identifier: Apache-2.0
