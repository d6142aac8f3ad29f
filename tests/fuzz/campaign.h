// What the campaigns share: a random source, mutations of bytes, and limits on time and memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace arenite::fuzz {

using Bytes = std::vector<std::byte>;

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  // Uniform in [0, bound); bound > 0.
  uint64_t below(uint64_t bound) { return engine_() % bound; }
  bool chance(uint32_t one_in) { return below(one_in) == 0; }
  // A number that breaks things: 0, 1, powers of two and their neighbours, all ones, or anything.
  uint32_t interesting();

 private:
  std::mt19937_64 engine_;
};

// One of: cut off, bits flipped, bytes overwritten, a stretch removed, doubled or moved.
void mutate_bytes(Bytes& bytes, Random& random);

// Limits what one file may cost, in processor time of this process: the clock on the wall also
// counts what a busy machine does for others. One at a time.
class Stopwatch {
 public:
  // Sanitizers make code several times slower; the limit grows by as much.
  explicit Stopwatch(unsigned seconds_max);

  // Ends the process with a message that names the file where stop() is not reached in time.
  void start(std::string file);
  void stop();

  // "slowest 0.123 s of processor time, limit 2 s: digits #17".
  std::string slowest() const;

 private:
  unsigned seconds_max_;
  double begin_ = 0, slowest_seconds_ = 0;
  std::string file_, slowest_file_;
};

// A campaign's command line: NAME COUNT [SEED]. Prints a summary and its slowest file at its end.
struct Options {
  uint64_t count = 10000;
  uint64_t seed = 1;
};
Options parse_options(int argc, char** argv);

}  // namespace arenite::fuzz
// SPDX-License-Identifier: Apache-2.0
