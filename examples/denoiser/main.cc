// Takes noise out of a WAV file, a hop of 16 ms at a time, as a telephone would.
//
// usage: denoise NOISY.wav CLEAN.wav [REFERENCE.wav]
//
// REFERENCE.wav is the same speech without noise: with it, the signal-to-noise ratio before and
// after is printed.
#include <chrono>
#include <cmath>
#include <cstdio>

#include "denoiser.h"
#include "wav.h"

namespace {

constexpr unsigned kHop = denoiser::inputs::sound::kElements;

denoiser::Instance model;

int fail(const char* what, const char* why) {
  std::fprintf(stderr, "denoise: %s: %s\n", what, why);
  return 1;
}

// In decibels, rounded to tenths: `wanted` against what `found` differs from it.
double snr(const std::vector<float>& wanted, const std::vector<float>& found) {
  double signal = 0, noise = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const double difference = double(found[i]) - double(wanted[i]);
    signal += double(wanted[i]) * double(wanted[i]);
    noise += difference * difference;
  }
  return std::round(100 * std::log10(signal / noise)) / 10 + 0.0;  // tenths, and no -0
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    std::fprintf(stderr, "usage: denoise NOISY.wav CLEAN.wav [REFERENCE.wav]\n");
    return 2;
  }
  std::vector<float> noisy, clean, reference;
  std::string why;
  if (!read_wav(argv[1], noisy, why)) return fail(argv[1], why.c_str());
  if (argc == 4 && !read_wav(argv[3], reference, why)) return fail(argv[3], why.c_str());
  if (argc == 4 && reference.size() != noisy.size())
    return fail(argv[3], "expected as many samples as the noisy file has");

  if (const arenite::Status status = denoiser::load(model); !status.ok()) {
    return fail("cannot load", arenite::text_of(status.code));
  }
  // The model keeps what it needs of the hops before. Its output is one hop late, so a hop of
  // silence comes behind.
  const std::size_t hops = (noisy.size() + kHop - 1) / kHop + 1;
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t hop = 0; hop < hops; ++hop) {
    float* in = denoiser::inputs::sound::data(model);
    for (std::size_t i = 0; i < kHop; ++i) {
      const std::size_t at = hop * kHop + i;
      in[i] = at < noisy.size() ? noisy[at] : 0.0f;
    }
    if (const arenite::Status status = model.run(); !status.ok()) {
      return fail("cannot run", arenite::text_of(status.code));
    }
    const float* out = denoiser::outputs::clean::data(model);
    if (hop > 0) clean.insert(clean.end(), out, out + kHop);
  }
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  clean.resize(noisy.size());
  if (!write_wav(argv[2], clean)) return fail(argv[2], "cannot write");

  std::printf("%zu hops of 16 ms, %.2f ms each\n", hops, took.count() / double(hops));
  std::printf("bytes: %u of program, %u of arenas and states, %zu of instance\n",
              unsigned{denoiser::kProgramBytes}, unsigned{denoiser::kArenaBytes}, sizeof model);
  if (argc == 4) {
    const double before = snr(reference, noisy), after = snr(reference, clean);
    std::printf("SNR: %.1f dB before, %.1f dB after, %+.1f dB\n", before, after, after - before);
  }
  return 0;
}
// SPDX-License-Identifier: Apache-2.0
