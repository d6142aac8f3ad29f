// Prints, for each problem of best.tsv, what stays on slow memory: greedy, the ILP's figure, ours.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>
#include <string>
#include <variant>

#include "planner/memory/assign/traffic_bound.h"
#include "planner/memory/plan.h"
#include "planner/memory/problem/verify.h"
#include "planner/memplan/csv.h"

namespace arenite::memory {
namespace {

struct Row {
  std::string name;
  double fraction = 0;
  uint64_t fast_bytes = 0;
  uint64_t total = 0;
  uint64_t greedy = 0;
  uint64_t ilp = 0;
};

struct Result {
  uint64_t slow_bytes = 0;
  double bound = 0;
  double milliseconds = 0;
};

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path + ": cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Result run(const std::string& folder, const Row& row, Algorithm algorithm) {
  const std::string path = folder + "/" + row.name + ".csv";
  std::vector<Memory> memories(2);
  memories[0].name = "fast";
  memories[0].size_bytes = row.fast_bytes;
  memories[1].name = "slow";
  const CsvProblem input = read_csv(read(path), path, memories);
  const CheckedProblem& problem = input.checked;
  const auto start = std::chrono::steady_clock::now();
  const Outcome outcome = plan(algorithm, problem);
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  const auto* solution = std::get_if<Solution>(&outcome);
  if (solution == nullptr) throw InputError(path + ": " + message(std::get<DoesNotFit>(outcome)));
  if (const auto finding = verify(problem.problem(), *solution)) throw InputError(finding->message);
  Result result;
  result.milliseconds = spent.count();
  result.bound = traffic_bound(problem);
  for (std::size_t i = 0; i < problem.buffers().size(); ++i) {
    const Buffer& buffer = problem.buffers()[i];
    if (solution->placements[i].memory == 0) continue;
    result.slow_bytes += buffer.size_bytes * (buffer.reads + buffer.writes);
  }
  return result;
}

double ratio(double value, double against) { return against == 0 ? 1 : value / against; }

int run_all(const std::string& folder, Algorithm algorithm) {
  std::istringstream rows(read(folder + "/best.tsv"));
  std::string line;
  std::getline(rows, line);
  std::printf("%-30s %5s %12s %12s %12s %12s %7s %8s\n", "problem", "fast", "greedy", "ilp",
              std::string(name_of(algorithm)).c_str(), "bound", "/ilp", "ms");
  double logs = 0;
  double worst = 0;
  double slowest = 0;
  int count = 0;
  Row row;
  while (std::getline(rows, line)) {
    std::istringstream cells(line);
    if (!(cells >> row.name >> row.fraction >> row.fast_bytes >> row.total >> row.greedy >>
          row.ilp)) {
      throw InputError(folder + "/best.tsv: not a row of six columns: " + line);
    }
    const Result result = run(folder, row, algorithm);
    const double against =
        ratio(static_cast<double>(result.slow_bytes), static_cast<double>(row.ilp));
    std::printf("%-30s %5.3f %12llu %12llu %12llu %12.0f %7.4f %8.2f\n", row.name.c_str(),
                row.fraction, static_cast<unsigned long long>(row.greedy),
                static_cast<unsigned long long>(row.ilp),
                static_cast<unsigned long long>(result.slow_bytes), result.bound, against,
                result.milliseconds);
    logs += std::log(against);
    worst = std::max(worst, against);
    slowest = std::max(slowest, result.milliseconds);
    ++count;
  }
  std::printf("%d rows: against the ILP %.4f geomean, %.4f worst; slowest %.2f ms\n", count,
              count == 0 ? 1 : std::exp(logs / count), worst, slowest);
  return 0;
}

}  // namespace
}  // namespace arenite::memory

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    std::fprintf(stderr, "usage: bench_placement FOLDER [ALGORITHM]\n");
    return 2;
  }
  const auto algorithm = arenite::memory::find_algorithm(argc == 3 ? argv[2] : "search");
  if (!algorithm) {
    std::fprintf(stderr, "bench_placement: unknown algorithm '%s'\n", argv[2]);
    return 2;
  }
  try {
    return arenite::memory::run_all(argv[1], *algorithm);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_placement: %s\n", error.what());
    return 1;
  }
}
// SPDX-License-Identifier: Apache-2.0
