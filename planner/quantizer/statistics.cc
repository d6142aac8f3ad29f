// Runs a model over samples and keeps count of what its tensors hold.
#include "planner/quantizer/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "planner/graph/interpret.h"
#include "planner/graph/names.h"

namespace arenite::planner::quantizer {
namespace {

// Sums of the elements at each index of an axis.
struct Sums {
  uint32_t axis = 0;
  std::vector<double> sums;
  uint64_t count = 0;  // of elements at each index
};

class Observing {
 public:
  Observing(const Graph& graph, const Wanted& wanted) : graph_(graph) {
    for (ValueId id = 0; id < graph.values.size(); ++id) {
      const Value& value = graph.values[id];
      if (value.dtype != DType::kFloat32) continue;
      if (wanted.ranges.contains(value.name)) ranges_[id];
      const auto mean = wanted.means.find(value.name);
      if (mean != wanted.means.end() && mean->second < value.dims.size()) {
        sums_[id] = {mean->second, std::vector<double>(bounds(value.dims)[mean->second], 0), 0};
      }
    }
  }

  void run(std::span<const Sample> samples, const char* what, const ProgressHook& progress,
           void (Observing::*see)(ValueId id, const std::vector<float>& elements)) {
    uint64_t done = 0;
    for (const Sample& sample : samples) {
      tell(progress, what, done++, samples.size());
      interpret(graph_, sample, [&](ValueId id, std::span<const std::byte> bytes) {
        if (ranges_.contains(id) || sums_.contains(id)) (this->*see)(id, floats_of(bytes));
      });
    }
  }

  void see_all(ValueId id, const std::vector<float>& elements) {
    const auto range = ranges_.find(id);
    for (const float element : elements) {
      if (!std::isfinite(element)) return refuse(id);
      if (range != ranges_.end()) range->second.include(double{element});
    }
    const auto sums = sums_.find(id);
    if (sums != sums_.end()) add(sums->second, bounds(graph_.values[id].dims), elements);
  }

  void begin_histograms() {
    for (const auto& [id, range] : ranges_) histograms_.emplace(id, Histogram(range));
  }
  void see_histogram(ValueId id, const std::vector<float>& elements) {
    const auto histogram = histograms_.find(id);
    if (histogram == histograms_.end()) return;
    for (const float element : elements) histogram->second.add(double{element});
  }
  void ranges_of_histograms(const QuantizerOptions& options) {
    for (auto& [id, range] : ranges_) {
      const Histogram& histogram = histograms_.at(id);
      range = options.ranges == RangeMethod::kEntropy
                  ? entropy_range(histogram)
                  : percentile_range(histogram, options.percentile);
    }
  }

  Statistics result() const {
    Statistics statistics;
    statistics.endless = endless_;
    for (const auto& [id, range] : ranges_) statistics.ranges[graph_.values[id].name] = range;
    for (const auto& [id, sums] : sums_) {
      std::vector<double>& means = statistics.means[graph_.values[id].name];
      for (const double sum : sums.sums) means.push_back(sum / static_cast<double>(sums.count));
    }
    return statistics;
  }

 private:
  void refuse(ValueId id) {
    const std::string& name = graph_.values[id].name;
    const bool given =
        std::find(graph_.inputs.begin(), graph_.inputs.end(), id) != graph_.inputs.end();
    if (given) {
      throw InputError("input '" + printable(name) +
                       "' holds NaN or an infinity in a sample: it has no range");
    }
    endless_.insert(name);
  }

  static void add(Sums& sums, const std::vector<uint32_t>& dims,
                  const std::vector<float>& elements) {
    size_t inner = 1;
    for (size_t d = sums.axis + 1; d < dims.size(); ++d) inner *= dims[d];
    const size_t count = sums.sums.size();
    for (size_t i = 0; i < elements.size(); ++i) {
      sums.sums[i / inner % count] += double{elements[i]};
    }
    sums.count += elements.size() / count;
  }

  const Graph& graph_;
  std::set<std::string> endless_;
  std::unordered_map<ValueId, Range> ranges_;
  std::unordered_map<ValueId, Sums> sums_;
  std::unordered_map<ValueId, Histogram> histograms_;
};

}  // namespace

std::vector<float> floats_of(std::span<const std::byte> bytes) {
  std::vector<float> elements(bytes.size() / sizeof(float));
  if (!elements.empty())
    std::memcpy(elements.data(), bytes.data(), elements.size() * sizeof(float));
  return elements;
}

Statistics observe(const Graph& graph, std::span<const Sample> samples, const Wanted& wanted,
                   const QuantizerOptions& options, const ProgressHook& progress) {
  Observing observing(graph, wanted);
  observing.run(samples, "looking at samples", progress, &Observing::see_all);
  if (options.ranges != RangeMethod::kMinMax) {
    observing.begin_histograms();
    observing.run(samples, "counting elements", progress, &Observing::see_histogram);
    observing.ranges_of_histograms(options);
  }
  return observing.result();
}

}  // namespace arenite::planner::quantizer
// SPDX-License-Identifier: Apache-2.0
