// Takes note of what a runner's steps take; and, for a timeline, of all that happens when.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/platform.h"

namespace arenite::tools {

// Nanoseconds of the machine's steady clock.
uint64_t now_ns();

// Some thousand of any number of times, spread evenly over them in their order.
class Samples {
 public:
  void add(uint64_t ns);
  // Nothing was added yet: 0.
  double median_ns() const;
  double least_ns() const { return empty() ? 0 : static_cast<double>(least_); }
  bool empty() const { return kept_.empty(); }

 private:
  std::vector<uint64_t> kept_;
  uint64_t least_ = UINT64_MAX;  // of all, kept or not
  uint64_t seen_ = 0, stride_ = 1;
};

struct Span {
  uint64_t begin_ns = 0, end_ns = 0;
  uint32_t step = 0;
};

struct Phase {
  const char* name = "";
  uint64_t begin_ns = 0, end_ns = 0;
};

// In the order in which they ended; of each list the first kTimelineEventsMax.
struct Timeline {
  std::vector<Phase> host;                 // what the caller's thread does around the steps
  std::vector<Span> steps;                 // on the CPU, on the caller's thread
  std::vector<std::vector<Span>> threads;  // shares of steps, by thread; 0 is the caller's
  std::vector<Span> device;                // steps on the device, in the host's time

  // Whether there was more than is kept.
  bool cut() const;
};
inline constexpr size_t kTimelineEventsMax = 200000;

// Belongs to one runner at a time, which is not being run by several threads.
class Profiler {
 public:
  // With `timeline`, keeps more than each step's times.
  explicit Profiler(bool timeline) : keeps_timeline_(timeline) {}
  Profiler(const Profiler&) = delete;
  Profiler& operator=(const Profiler&) = delete;

  // From now on steps are those of another variant: forgets all steps seen so far.
  void begin_variant(uint32_t steps, uint32_t threads);
  // Around each run, inputs and outputs included.
  void begin_run();
  void end_run();
  // The runtime's hook, on the caller's thread.
  void cpu_step(ProfileEvent event, uint32_t step);
  // Around each share of a CPU step, on the thread that does it.
  void piece(uint32_t thread, bool begin);
  void device_step(const Span& span);
  void phase(const char* name, uint64_t begin_ns, uint64_t end_ns);

  bool keeps_timeline() const { return keeps_timeline_; }
  // For each step of the variant; empty if its time is not known.
  std::span<const Samples> steps() const { return steps_; }
  // The time of a run outside the steps whose time is known.
  const Samples& outside() const { return outside_; }
  const Timeline& timeline() const { return timeline_; }

 private:
  void add(uint32_t step, uint64_t ns);
  template <typename T>
  void keep(std::vector<T>& list, const T& event);

  const bool keeps_timeline_;
  std::vector<Samples> steps_;
  Samples outside_;
  uint64_t run_begin_ns_ = 0, in_steps_ns_ = 0;  // of the run at hand
  Timeline timeline_;
  uint64_t step_begin_ns_ = 0;
  uint32_t step_ = 0;  // that the CPU is at
  // When the share at hand began, by thread: each writes its own.
  struct alignas(64) Share {
    uint64_t begin_ns = 0;
  };
  std::vector<Share> shares_;
};

// A phase from here to the end of the scope; nothing where there is no profiler.
class PhaseScope {
 public:
  PhaseScope(Profiler* profiler, const char* name)
      : profiler_(profiler), name_(name), begin_ns_(profiler != nullptr ? now_ns() : 0) {}
  PhaseScope(const PhaseScope&) = delete;
  PhaseScope& operator=(const PhaseScope&) = delete;
  ~PhaseScope() {
    if (profiler_ != nullptr) profiler_->phase(name_, begin_ns_, now_ns());
  }

 private:
  Profiler* profiler_;
  const char* name_;
  uint64_t begin_ns_;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
