// Non-negative least squares of relative errors, by the active set method of Lawson and Hanson
// (Solving Least Squares Problems, 1974, chapter 23). A row is a step, a column a term of its size:
//
//   minimise   sum over steps of ((size * cost - measured) / (measured + floor))^2
//   with       cost >= 0
//
//   1. all costs are 0, and no term is free
//   2. the term that lowers the error fastest becomes free
//   3. least squares of the free terms; where one becomes negative, costs move towards the solution
//      until the first reaches 0, which is free no longer; again from 3
//   4. from 2, until no term would lower the error
#include "tools/calibrate/fit_costs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace arenite::tools {
namespace {

using planner::kSizeTerms;
using planner::MeasuredCost;
using planner::StepSize;
using Matrix = std::array<std::array<double, kSizeTerms>, kSizeTerms>;

// Of a step that takes less, errors count as if it took this long.
constexpr double kFloorPs = 300e3;

// The normal equations, with terms scaled to be about 1.
struct Equations {
  Matrix squares{};     // transposed rows times rows
  StepSize products{};  // transposed rows times what was measured
  StepSize scale{};     // of each term
  double most_product = 0;
};

Equations equations_of(std::span<const CostSample* const> samples) {
  Equations all;
  for (const CostSample* sample : samples) {
    const double weight = 1 / (sample->ps + kFloorPs);
    for (size_t i = 0; i < kSizeTerms; ++i) {
      all.scale[i] = std::max(all.scale[i], sample->size[i] * weight);
    }
  }
  for (const CostSample* sample : samples) {
    const double weight = 1 / (sample->ps + kFloorPs);
    StepSize row{};
    for (size_t i = 0; i < kSizeTerms; ++i) {
      row[i] = all.scale[i] > 0 ? sample->size[i] * weight / all.scale[i] : 0;
    }
    for (size_t i = 0; i < kSizeTerms; ++i) {
      for (size_t j = 0; j < kSizeTerms; ++j) all.squares[i][j] += row[i] * row[j];
      all.products[i] += row[i] * sample->ps * weight;
    }
  }
  all.most_product = *std::ranges::max_element(all.products);
  return all;
}

// Solves the equations of the free terms by Cholesky's decomposition; nothing where two terms say
// the same.
std::optional<StepSize> solve(const Equations& all, const std::vector<size_t>& free) {
  const size_t n = free.size();
  Matrix lower{};
  StepSize y{}, x{};
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      double sum = all.squares[free[i]][free[j]];
      for (size_t k = 0; k < j; ++k) sum -= lower[i][k] * lower[j][k];
      if (i != j) {
        lower[i][j] = sum / lower[j][j];
        continue;
      }
      if (sum <= 1e-9 * all.squares[free[i]][free[i]]) return std::nullopt;
      lower[i][i] = std::sqrt(sum);
    }
  }
  for (size_t i = 0; i < n; ++i) {
    double sum = all.products[free[i]];
    for (size_t k = 0; k < i; ++k) sum -= lower[i][k] * y[k];
    y[i] = sum / lower[i][i];
  }
  for (size_t i = n; i-- > 0;) {
    double sum = y[i];
    for (size_t k = i + 1; k < n; ++k) sum -= lower[k][i] * x[free[k]];
    x[free[i]] = sum / lower[i][i];
  }
  return x;
}

// How fast the error falls with a term.
double fall(const Equations& all, const StepSize& x, size_t term) {
  double result = all.products[term];
  for (size_t j = 0; j < kSizeTerms; ++j) result -= all.squares[term][j] * x[j];
  return result;
}

// Step 3; false where the free terms have no solution of their own.
bool solve_within(const Equations& all, std::vector<size_t>& free, StepSize& x) {
  while (!free.empty()) {
    const std::optional<StepSize> solution = solve(all, free);
    if (!solution) return false;
    double share = 1;
    for (const size_t term : free) {
      if ((*solution)[term] <= 0) share = std::min(share, x[term] / (x[term] - (*solution)[term]));
    }
    const bool inside =
        std::ranges::all_of(free, [&](size_t term) { return (*solution)[term] > 0; });
    for (size_t term = 0; term < kSizeTerms; ++term) {
      x[term] = inside ? (*solution)[term] : x[term] + share * ((*solution)[term] - x[term]);
    }
    if (inside) return true;
    std::erase_if(free, [&](size_t term) {
      const bool is_zero = (*solution)[term] <= 0 && x[term] <= 1e-12;
      if (is_zero) x[term] = 0;
      return is_zero;
    });
  }
  return true;
}

StepSize least_squares(const Equations& all) {
  StepSize x{};
  std::vector<size_t> free;
  std::array<bool, kSizeTerms> barred{};
  for (size_t round = 0; round < 3 * kSizeTerms; ++round) {
    size_t best = kSizeTerms;
    double most = 1e-9 * all.most_product;
    for (size_t term = 0; term < kSizeTerms; ++term) {
      if (barred[term] || std::ranges::find(free, term) != free.end()) continue;
      const double now = fall(all, x, term);
      if (now > most) {
        most = now;
        best = term;
      }
    }
    if (best == kSizeTerms) break;
    const std::vector<size_t> free_before = free;
    const StepSize before = x;
    free.push_back(best);
    if (!solve_within(all, free, x)) {
      // It says what the free terms say already.
      free = free_before;
      x = before;
      barred[best] = true;
    }
  }
  for (size_t term = 0; term < kSizeTerms; ++term) {
    if (all.scale[term] > 0) x[term] /= all.scale[term];
  }
  return x;
}

MeasuredCost cost_of(const StepSize& x) {
  MeasuredCost cost;
  for (const planner::CostKey& key : planner::kCostKeys) {
    cost.*key.ps = x[static_cast<size_t>(key.term)];
  }
  return cost;
}

}  // namespace

planner::FormCosts fit_costs(std::span<const CostSample> samples) {
  std::map<std::string, std::map<std::string, std::vector<const CostSample*>>> by_form;
  for (const CostSample& sample : samples) by_form[sample.form][sample.which].push_back(&sample);
  planner::FormCosts costs;
  for (const auto& [form, cases] : by_form) {
    size_t most = 0;
    for (const auto& [which, of_case] : cases) {
      const MeasuredCost cost = cost_of(least_squares(equations_of(of_case)));
      if (!which.empty()) costs[form + " " + which] = cost;
      if (which.empty() || (of_case.size() > most && !cases.contains(""))) costs[form] = cost;
      most = std::max(most, of_case.size());
    }
  }
  return costs;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
