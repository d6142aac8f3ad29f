// Parts that the campaigns share: a random source, mutations of bytes, and limits on the cost of a
// file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/allocations.h"

namespace arenite::fuzz {

using Bytes = std::vector<std::byte>;

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  // Uniform in [0, bound); bound > 0.
  uint64_t below(uint64_t bound) { return engine_() % bound; }
  bool chance(uint32_t one_in) { return below(one_in) == 0; }
  // A number that breaks things: 0, 1, powers of two and their neighbors, all ones, or anything.
  uint32_t interesting();

 private:
  std::mt19937_64 engine_;
};

// One of: cut off, bits flipped, bytes overwritten, a stretch removed, doubled or moved.
void mutate_bytes(Bytes& bytes, Random& random);

// Limits on the cost of one file, in counts that are the same on every machine.
struct CostLimits {
  uint64_t peak_bytes = 0;       // allocated at once
  uint64_t allocated_bytes = 0;  // in all
  uint64_t allocations = 0;
};

// Holds each file to the limits, and ends the process with a message that names the file where one
// is passed. One at a time. A file that takes ten minutes of processor time hangs.
class CostMeter {
 public:
  explicit CostMeter(const CostLimits& limits);

  void start(std::string file);
  void stop();

  // The dearest file by each count: "most at once 2 MiB (digits #17), ...".
  std::string highest() const;

 private:
  struct Highest {
    uint64_t count = 0;
    std::string file;
  };
  void check(const char* what, uint64_t count, uint64_t count_max, Highest& highest);

  CostLimits limits_;
  std::string file_;
  Allocations before_;
  Highest peak_bytes_, allocated_bytes_, allocations_;
};

// A campaign's command line: NAME COUNT [SEED [FIRST]], files FIRST to COUNT - 1. Prints a summary
// and its dearest files at its end.
struct Options {
  uint64_t count = 10000;
  uint64_t seed = 1;
  uint64_t first = 0;
};
Options parse_options(int argc, char** argv);

}  // namespace arenite::fuzz
// SPDX-License-Identifier: Apache-2.0
