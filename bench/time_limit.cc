// Whether --time-limit holds on 100,000 buffers, for every algorithm: from opening the problem's
// file to the closed file of the solution, as `arenite memplan` does it, in seconds on the wall's
// clock.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "planner/memplan/csv.h"
#include "planner/memplan/memplan.h"
#include "support/file.h"
#include "tests/planner/memory/generators.h"
#include "tests/planner/memory/write_csv.h"

namespace arenite::memory {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kBuffers = 100'000;

// Gives one buffer what is special about its kind of problem.
using Shape = void (*)(Dice& dice, uint32_t i, Buffer& buffer);

void lives(Dice& dice, uint32_t steps, Buffer& buffer) {
  const uint32_t first = dice.below(kBuffers);
  buffer.lifetime = {first, first + dice.below(steps)};
}

void short_lives(Dice& dice, uint32_t /*i*/, Buffer& buffer) { lives(dice, 50, buffer); }
void long_lives(Dice& dice, uint32_t /*i*/, Buffer& buffer) { lives(dice, 20'000, buffer); }
void one_step(Dice& /*dice*/, uint32_t /*i*/, Buffer& buffer) { buffer.lifetime = {0, 9}; }

void alignments(Dice& dice, uint32_t /*i*/, Buffer& buffer) {
  lives(dice, 2000, buffer);
  buffer.alignment = 1u << dice.below(9);
}

void gaps(Dice& dice, uint32_t /*i*/, Buffer& buffer) {
  lives(dice, 2000, buffer);
  const Lifetime& life = buffer.lifetime;
  if (life.last < life.first + 2) return;
  const uint32_t first = life.first + 1 + dice.below(life.last - life.first - 1);
  buffer.gaps = {{{first, first + dice.below(life.last - first)}, std::nullopt}};
}

void groups(Dice& dice, uint32_t i, Buffer& buffer) {
  lives(dice, 2000, buffer);
  buffer.size_bytes = 1000;
  if (i % 4 != 0) buffer.relative = Relative{i - i % 4, uint64_t{1000} * (i % 4)};
}

void fixed(Dice& dice, uint32_t i, Buffer& buffer) {
  lives(dice, 2000, buffer);
  if (i % 2 == 0) buffer.fixed = Placement{0, uint64_t{i} << 20};
}

struct Kind {
  const char* name;
  Shape shape;
  bool memories = false;  // three of them
};

constexpr Kind kKinds[] = {
    {"short lives", short_lives},
    {"long lives", long_lives},
    {"one step", one_step},
    {"alignments", alignments},
    {"gaps", gaps},
    {"groups of four", groups},
    {"half fixed", fixed},
    {"three memories", long_lives, true},
};

Problem made(const Kind& kind) {
  Dice dice(1);
  Problem problem;
  problem.memories = {{.name = "memory"}};
  for (uint32_t i = 0; i < kBuffers; ++i) {
    Buffer buffer;
    buffer.name = std::to_string(i);
    buffer.size_bytes = 1 + dice.below(1 << 20);
    buffer.reads = dice.below(4);
    buffer.writes = 1;
    kind.shape(dice, i, buffer);
    problem.buffers.push_back(std::move(buffer));
  }
  return problem;
}

int run(int argc, char** argv) {
  if (argc > 2) {
    fmt::print(stderr, "usage: bench_time_limit [SECONDS]\n");
    return 2;
  }
  const double limit = argc == 2 ? std::stod(argv[1]) : 2;
  const fs::path folder = fs::temp_directory_path() / "arenite_bench_time_limit";
  fs::create_directories(folder);
  MemplanOptions options;
  options.problem_path = folder / "problem.csv";
  std::ofstream(folder / "memories.json")
      << R"({"memories": [{"name": "fast", "bytes": "64M"}, {"name": "near", "bytes": "512M"},)"
      << R"( {"name": "slow", "bytes": null}]})";
  fmt::print("{:<15} {:<17} {:>8} {:>12}\n", "problem", "algorithm", "seconds", "height/bound");
  double worst = 0;
  for (const Kind& kind : kKinds) {
    write_file(options.problem_path, write_csv(made(kind)));
    options.memories_path.reset();
    if (kind.memories) options.memories_path = folder / "memories.json";
    for (const std::string_view algorithm : algorithm_names()) {
      options.algorithm = algorithm;
      options.time_limit_seconds = limit;
      const auto begin = std::chrono::steady_clock::now();
      const MemplanResult result = run_memplan(options);
      write_file(folder / "solution.csv", result.solution_csv);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      worst = std::max(worst, took.count());
      fmt::print("{:<15} {:<17} {:>8.2f} {:>12.3f}\n", kind.name, algorithm, took.count(),
                 static_cast<double>(result.height) /
                     static_cast<double>(std::max<uint64_t>(result.lower_bound, 1)));
    }
  }
  fs::remove_all(folder);
  fmt::print("limit {:.1f} s, longest {:.2f} s (goal {:.1f})\n", limit, worst, limit + 0.5);
  return 0;
}

}  // namespace
}  // namespace arenite::memory

int main(int argc, char** argv) { return arenite::memory::run(argc, argv); }
// SPDX-License-Identifier: Apache-2.0
