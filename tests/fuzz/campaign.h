// What both campaigns share: a random source, mutations of bytes, and limits on time and memory.
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

// Ends the process with a message that names the file when one takes more than `seconds`.
void start_timer(const std::string& what, unsigned seconds);
void stop_timer();

// A campaign's command line: NAME COUNT [SEED]. Prints a summary line at its end.
struct Options {
  uint64_t count = 10000;
  uint64_t seed = 1;
};
Options parse_options(int argc, char** argv);

}  // namespace arenite::fuzz
// SPDX-License-Identifier: Apache-2.0
