// Sorts steps by cost and lays them out in columns.
#include "tools/run/cost_table.h"
#include "support/printable.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace arenite::tools {
namespace {

[[gnu::format(printf, 1, 2)]] std::string formatted(const char* format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

// "1,234,567"
std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string cost_text(double cost, const std::string& unit) {
  return unit == "us" ? formatted("%.1f", cost) : grouped(static_cast<uint64_t>(cost));
}

std::string line(const std::string& cost, const std::string& share, const std::string& rest) {
  return formatted("%14s %7s", cost.c_str(), share.c_str()) + rest + "\n";
}

std::string share_text(const CostTable& table, double cost) {
  return formatted("%.1f %%", 100 * table.share(cost));
}

}  // namespace

CostTable make_cost_table(std::vector<StepRow> rows,
                          const std::vector<std::optional<double>>& costs, double outside) {
  CostTable table;
  table.outside = outside;
  for (size_t i = 0; i < rows.size(); ++i) {
    table.steps.push_back({std::move(rows[i]), costs[i]});
    table.in_steps += costs[i].value_or(0);
  }
  std::stable_sort(table.steps.begin(), table.steps.end(),
                   [](const StepCost& a, const StepCost& b) {
                     return a.cost.value_or(-1) > b.cost.value_or(-1);
                   });
  return table;
}

CostTable time_table(const ProgramFile& file, uint32_t method, uint32_t variant,
                     const Profiler& profiler) {
  const auto time_of = [](const Samples& samples) { return samples.median_ns() / 1e3; };
  std::vector<StepRow> rows = step_table(file, method, variant);
  std::vector<std::optional<double>> costs;
  for (const StepRow& row : rows) {
    const Samples& samples = profiler.steps()[row.index];
    costs.emplace_back();
    if (!samples.empty()) costs.back() = time_of(samples);
  }
  return make_cost_table(std::move(rows), costs, time_of(profiler.outside()));
}

std::string to_text(const CostTable& table, const std::string& unit) {
  size_t op_width = 2;
  for (const StepCost& step : table.steps) op_width = std::max(op_width, step.row.op.size());
  const int ops = static_cast<int>(op_width);
  const auto rest = [&](const std::string& bytes, const char* where, const std::string& op,
                        const std::string& name) {
    return formatted(" %14s  %-8s  %-*s  ", bytes.c_str(), where, ops, op.c_str()) + name;
  };
  std::string text = line(unit, "share", rest("bytes", "where", "op", "step"));
  size_t unknown = 0;
  for (const StepCost& step : table.steps) {
    const StepRow& row = step.row;
    unknown += step.cost ? 0u : 1u;
    text += line(step.cost ? cost_text(*step.cost, unit) : "?",
                 step.cost ? share_text(table, *step.cost) : "",
                 rest(grouped(row.bytes), row.where.c_str(), row.op, printable(row.name)));
  }
  if (unknown != 0) {
    text += std::to_string(unknown) + " step(s) without a time: the device's queue has no clock\n";
  }
  const std::string count = std::to_string(table.steps.size());
  text += line(cost_text(table.in_steps, unit), share_text(table, table.in_steps),
               "  in " + count + (table.steps.size() == 1 ? " step" : " steps"));
  text += line(cost_text(table.outside, unit), share_text(table, table.outside), "  outside steps");
  return text + line(cost_text(table.total(), unit), "100.0 %", "  in all");
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
