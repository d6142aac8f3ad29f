// Keeps times in lists of bounded length.
#include "tools/run/profiler.h"

#include <algorithm>
#include <chrono>

#include "tools/run/timing.h"

namespace arenite::tools {
namespace {

constexpr size_t kSamplesMax = 2048;

}  // namespace

uint64_t now_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

// When the list is full every other one goes, and from then on only every other one is kept.
void Samples::add(uint64_t ns) {
  least_ = std::min(least_, ns);
  if (seen_++ % stride_ != 0) return;
  if (kept_.size() == kSamplesMax) {
    for (size_t i = 0; i < kSamplesMax / 2; ++i) kept_[i] = kept_[2 * i];
    kept_.resize(kSamplesMax / 2);
    stride_ *= 2;
  }
  kept_.push_back(ns);
}

double Samples::median_ns() const {
  return kept_.empty() ? 0 : median({kept_.begin(), kept_.end()});
}

bool Timeline::cut() const {
  const auto full = [](const auto& list) { return list.size() >= kTimelineEventsMax; };
  return full(host) || full(steps) || full(device) ||
         std::any_of(threads.begin(), threads.end(), full);
}

void Profiler::begin_variant(uint32_t steps, uint32_t threads) {
  steps_.assign(steps, {});
  outside_ = {};
  timeline_.steps.clear();
  timeline_.device.clear();
  timeline_.threads.assign(threads, {});
  shares_.assign(threads, {});
}

template <typename T>
void Profiler::keep(std::vector<T>& list, const T& event) {
  if (keeps_timeline_ && list.size() < kTimelineEventsMax) list.push_back(event);
}

void Profiler::begin_run() {
  in_steps_ns_ = 0;
  run_begin_ns_ = now_ns();
}

void Profiler::end_run() {
  const uint64_t end_ns = now_ns();
  const uint64_t run_ns = end_ns - run_begin_ns_;
  outside_.add(run_ns - std::min(run_ns, in_steps_ns_));
  phase("run", run_begin_ns_, end_ns);
}

void Profiler::add(uint32_t step, uint64_t ns) {
  steps_[step].add(ns);
  in_steps_ns_ += ns;
}

void Profiler::cpu_step(ProfileEvent event, uint32_t step) {
  if (event == ProfileEvent::kStepBegin) {
    step_ = step;
    step_begin_ns_ = now_ns();
    return;
  }
  if (event == ProfileEvent::kStepLeftOut) return add(step, 0);
  const uint64_t end = now_ns();
  add(step, end - step_begin_ns_);
  keep(timeline_.steps, {step_begin_ns_, end, step});
}

void Profiler::piece(uint32_t thread, bool begin) {
  Share& share = shares_[thread];
  if (begin) {
    share.begin_ns = now_ns();
    return;
  }
  keep(timeline_.threads[thread], {share.begin_ns, now_ns(), step_});
}

void Profiler::device_step(const Span& span) {
  add(span.step, span.end_ns - span.begin_ns);
  keep(timeline_.device, span);
}

void Profiler::phase(const char* name, uint64_t begin_ns, uint64_t end_ns) {
  keep(timeline_.host, {name, begin_ns, end_ns});
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
