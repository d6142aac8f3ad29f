// Plans the shared memory planning problems and prints what docs and notes quote: heights, times.
//
// Times are processor time of this thread, reading the file not counted; each row is one run.
#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "planner/memory/plan.h"
#include "planner/memory/problem/live_bytes.h"
#include "planner/memory/problem/verify.h"
#include "planner/memory/report.h"
#include "planner/memplan/csv.h"
#include "planner/memplan/memplan.h"
#include "tests/planner/memory/generators.h"

namespace arenite::memory {
namespace {

namespace fs = std::filesystem;

struct Result {
  bool fits = false;
  uint64_t height = 0;
  uint64_t bound = 0;
  double seconds = 0;
  double waste() const {
    return static_cast<double>(height) / static_cast<double>(std::max<uint64_t>(bound, 1)) - 1;
  }
};

CheckedProblem read(const fs::path& path, uint64_t capacity) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  Memory memory;
  memory.name = "memory";
  memory.size_bytes = capacity;
  return read_csv(text.str(), path.string(), std::vector<Memory>{memory}).checked;
}

Result plan_one(const std::string& name, const CheckedProblem& problem, Algorithm algorithm,
                const PackLimits& limits) {
  Result result;
  const std::clock_t start = std::clock();
  const Outcome outcome = plan(algorithm, problem, limits);
  result.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  result.bound = lower_bound(problem);
  const auto* solution = std::get_if<Solution>(&outcome);
  if (solution == nullptr) return result;
  if (const auto finding = verify(problem.problem(), *solution)) {
    fmt::print("WRONG PLAN {}: {}\n", name, finding->message);
    std::exit(1);
  }
  result.fits = true;
  result.height = make_report(problem, *solution).peak_sum_bytes;
  result.bound = lower_bound(problem, *solution);
  return result;
}

Result plan_one(const fs::path& path, Algorithm algorithm, uint64_t capacity,
                const PackLimits& limits) {
  return plan_one(path.string(), read(path, capacity), algorithm, limits);
}

// The lowest that search finds in so many seconds.
Result plan_within(const fs::path& path, double seconds) {
  const CheckedProblem problem = read(path, kUnbounded);
  const auto time =
      std::chrono::duration_cast<Watch::Clock::duration>(std::chrono::duration<double>(seconds));
  Watch watch;
  watch.deadline = Watch::Clock::now() + time;
  return plan_one(path.string(), problem, Algorithm::kSearch,
                  {.work_max = UINT64_MAX, .watch = &watch});
}

std::vector<fs::path> problems_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".csv") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

void challenging_at_capacity(const fs::path& folder) {
  constexpr uint64_t kCapacity = 1048576;
  fmt::print("\n## challenging, capacity {} (minimalloc: 28.0 s in all on one core)\n", kCapacity);
  fmt::print("{:<14} {:>6} {:>9} {:>9} {:>8}\n", "problem", "fits", "height", "bound", "s");
  double total = 0, worst = 0;
  for (const fs::path& path : problems_in(folder)) {
    MemplanOptions options;
    options.problem_path = path.string();
    options.capacity_bytes = kCapacity;
    const MemplanResult r = run_memplan(options);
    fmt::print("{:<14} {:>6} {:>9} {:>9} {:>8.3f}\n", path.stem().string(),
               r.does_not_fit ? "NO" : "yes", r.height, r.lower_bound, r.seconds);
    total += r.seconds;
    worst = std::max(worst, r.seconds);
  }
  fmt::print("total {:.3f} s (goal 2.8), worst {:.3f} s (goal 0.5)\n", total, worst);
}

void challenging_anytime(const fs::path& folder) {
  fmt::print("\n## challenging, least height: height / bound after a time\n{:<14}", "problem");
  constexpr double kTimes[] = {0.010, 0.050, 0.250, 1.0};
  for (const double t : kTimes) fmt::print(" {:>8} ms", t * 1000);
  fmt::print("\n");
  double logs[std::size(kTimes)] = {};
  std::size_t count = 0;
  for (const fs::path& path : problems_in(folder)) {
    fmt::print("{:<14}", path.stem().string());
    for (std::size_t k = 0; k < std::size(kTimes); ++k) {
      const Result r = plan_within(path, kTimes[k]);
      logs[k] += std::log1p(r.waste());
      fmt::print(" {:>11.4f}", 1 + r.waste());
    }
    ++count;
    fmt::print("\n");
  }
  fmt::print("{:<14}", "geomean");
  for (const double sum : logs) {
    fmt::print(" {:>11.4f}", std::exp(sum / static_cast<double>(count)));
  }
  fmt::print("   (goals: 1.12 at 50 ms, 1.06 at 250 ms)\n");
}

void real(const fs::path& folder) {
  fmt::print("\n## real: lower bound met, time, greedy_by_size beside it\n");
  std::size_t met = 0, count = 0, above = 0;
  double worst = 0;
  for (const fs::path& path : problems_in(folder)) {
    const Result r = plan_one(path, Algorithm::kSearch, kUnbounded, {});
    const Result greedy = plan_one(path, Algorithm::kGreedyBySize, kUnbounded, {});
    ++count;
    met += r.height == r.bound ? 1 : 0;
    above += r.height > greedy.height ? 1 : 0;
    worst = std::max(worst, r.seconds);
    if (r.height != greedy.height || r.height != r.bound) {
      fmt::print("{:<58} {:>10} bound {:>10} greedy {:>10} {:.4f} s\n", path.stem().string(),
                 r.height, r.bound, greedy.height, r.seconds);
    }
  }
  fmt::print("bound met on {} of {}, above greedy on {}, worst {:.1f} ms (goal 10)\n", met, count,
             above, worst * 1000);
}

void large(const fs::path& folder) {
  fmt::print("\n## large: waste over the bound\n{:<14} {:>10} {:>8} {:>12} {:>8}\n", "problem",
             "search", "cpu s", "greedy", "cpu s");
  for (const fs::path& path : problems_in(folder)) {
    const Result r = plan_one(path, Algorithm::kSearch, kUnbounded, {});
    const Result greedy = plan_one(path, Algorithm::kGreedyBySize, kUnbounded, {});
    fmt::print("{:<14} {:>9.4f}% {:>8.2f} {:>11.4f}% {:>8.2f}\n", path.stem().string(),
               100 * r.waste(), r.seconds, 100 * greedy.waste(), greedy.seconds);
  }
  fmt::print("goals: S_1 1.0 % in 2 s, Y_1 0.05 % in 5 s, pangu_2.6B 0.25 % in 1 s\n");
}

// Problems of known least height that nothing here was tuned to
// (tests/planner/memory/generators.h).
void generated() {
  constexpr uint32_t kSeeds = 10;
  fmt::print(
      "\n## generated, {} of each: least height reached, gap to it, time\n{:<28} {:>8} {:>10} "
      "{:>10} {:>10} {:>8}\n",
      kSeeds, "kind", "reached", "mean gap", "worst gap", "greedy gap", "worst s");
  struct Kind {
    const char* name;
    Known (*make)(uint32_t seed, const PackingSize& size);
  };
  constexpr Kind kKinds[] = {{"guillotine packing", guillotine_packing},
                             {"pinwheel packing", pinwheel_packing},
                             {"near-perfect packing", near_perfect_packing}};
  for (const Kind& kind : kKinds) {
    for (const uint32_t buffers : {50u, 100u, 200u, 400u}) {
      uint32_t reached = 0;
      double sum = 0, worst = 0, greedy = 0, seconds = 0;
      for (uint32_t seed = 1; seed <= kSeeds; ++seed) {
        const Known known = kind.make(seed, {buffers, buffers, 1000});
        const CheckedProblem problem(known.problem);
        const uint64_t least = known.height.value_or(lower_bound(problem));
        const auto gap = [&](const Result& r) {
          return static_cast<double>(r.height) / static_cast<double>(least) - 1;
        };
        const Result r = plan_one(kind.name, problem, Algorithm::kSearch, {});
        reached += r.height == least ? 1u : 0u;
        sum += gap(r);
        worst = std::max(worst, gap(r));
        greedy += gap(plan_one(kind.name, problem, Algorithm::kGreedyBySize, {}));
        seconds = std::max(seconds, r.seconds);
      }
      fmt::print("{:<28} {:>3} of {:>2} {:>9.2f}% {:>9.2f}% {:>9.2f}% {:>8.2f}\n",
                 fmt::format("{}, {}", kind.name, buffers), reached, kSeeds, 100 * sum / kSeeds,
                 100 * worst, 100 * greedy / kSeeds, seconds);
    }
  }
}

// Very many buffers of a training run.
void training(uint32_t buffers, uint32_t seed) {
  const CheckedProblem problem(training_trace(seed, buffers));
  const Result r = plan_one("training", problem, Algorithm::kSearch, {});
  std::string line;
  std::ifstream status("/proc/self/status");
  while (std::getline(status, line) && !line.starts_with("VmHWM:")) continue;
  fmt::print("training, {} buffers, seed {}: height {}, bound {}, {:.4f} of it, {:.1f} s; {}\n",
             buffers, seed, r.height, r.bound, 1 + r.waste(), r.seconds, line);
}

// Searches as long as the time allows for lower heights than the best known, or for a proof.
void long_lane(const fs::path& folder, const std::string& name, double seconds) {
  const Result r = plan_within(folder / (name + ".1048576.csv"), seconds);
  fmt::print("{} after {:.0f} s: height {}, bound {}{}\n", name, r.seconds, r.height, r.bound,
             r.height == r.bound ? ", proved optimal" : "");
}

int run(int argc, char** argv) {
  if (argc >= 3 && std::string(argv[1]) == "training") {
    training(static_cast<uint32_t>(std::stoul(argv[2])),
             argc > 3 ? static_cast<uint32_t>(std::stoul(argv[3])) : 1);
    return 0;
  }
  if (argc < 2 || argc > 3) {
    fmt::print(stderr,
               "usage: bench_memplan SHARED/memplan [SECONDS for the long lane of D and J]\n"
               "       bench_memplan training BUFFERS [SEED]\n"
               "       bench_memplan generated\n");
    return 2;
  }
  const fs::path folder = argv[1];
  if (argc == 3) {
    for (const char* name : {"D", "J"}) long_lane(folder / "challenging", name, std::stod(argv[2]));
    return 0;
  }
  if (argc == 2 && folder == "generated") {
    generated();
    return 0;
  }
  challenging_at_capacity(folder / "challenging");
  challenging_anytime(folder / "challenging");
  real(folder / "real");
  large(folder / "large");
  generated();
  return 0;
}

}  // namespace
}  // namespace arenite::memory

int main(int argc, char** argv) { return arenite::memory::run(argc, argv); }
// SPDX-License-Identifier: Apache-2.0
