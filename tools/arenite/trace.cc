// Writes the trace event format, an event a line.
#include "tools/arenite/trace.h"

#include <algorithm>
#include <map>

#include "tools/arenite/json_value.h"

namespace arenite::tools {
namespace {

constexpr int kProcess = 1;
// Numbers of lanes, in the order in which they are shown.
constexpr int kHostLane = 1;
constexpr int kThreadLanes = 2;  // and up
constexpr int kDeviceLane = 2000;

class Trace {
 public:
  Trace(uint64_t zero_ns, const std::vector<StepRow>& steps) : zero_ns_(zero_ns) {
    for (const StepRow& row : steps) steps_[row.index] = &row;
  }

  void name_lane(int lane, const std::string& name) {
    add({{"ph", "M"},
         {"name", "thread_name"},
         {"pid", kProcess},
         {"tid", lane},
         {"args", {{"name", name}}}});
    add({{"ph", "M"},
         {"name", "thread_sort_index"},
         {"pid", kProcess},
         {"tid", lane},
         {"args", {{"sort_index", lane}}}});
  }

  void name_process(const std::string& name) {
    add({{"ph", "M"}, {"name", "process_name"}, {"pid", kProcess}, {"args", {{"name", name}}}});
  }

  void phase(const Phase& phase) {
    add(complete(kHostLane, phase.name, "host", phase.begin_ns, phase.end_ns));
  }

  void step(int lane, const Span& span) {
    const auto found = steps_.find(span.step);
    if (found == steps_.end()) return;
    const StepRow& row = *found->second;
    Json event = complete(lane, row.name, row.op, span.begin_ns, span.end_ns);
    event["args"] = {
        {"step", row.index}, {"op", row.op}, {"where", row.where}, {"bytes", row.bytes}};
    add(event);
  }

  // Counters of the bytes that hold data while a step runs.
  void live(const std::vector<LiveBytes>& arenas, const Span& span) {
    Json bytes = Json::object();
    for (const LiveBytes& arena : arenas) {
      if (span.step < arena.by_step.size()) bytes[arena.arena] = arena.by_step[span.step];
    }
    add({{"ph", "C"},
         {"name", "live bytes"},
         {"pid", kProcess},
         {"ts", microseconds(span.begin_ns)},
         {"args", std::move(bytes)}});
  }

  std::string text() && {
    return "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n" + events_ + "\n]}\n";
  }

 private:
  double microseconds(uint64_t ns) const { return static_cast<double>(ns - zero_ns_) / 1e3; }

  Json complete(int lane, const std::string& name, const std::string& category, uint64_t begin_ns,
                uint64_t end_ns) const {
    return {{"ph", "X"},
            {"name", name},
            {"cat", category},
            {"pid", kProcess},
            {"tid", lane},
            {"ts", microseconds(begin_ns)},
            {"dur", microseconds(end_ns) - microseconds(begin_ns)}};
  }

  void add(const Json& event) {
    if (!events_.empty()) events_ += ",\n";
    events_ += event.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  uint64_t zero_ns_;
  std::map<uint32_t, const StepRow*> steps_;
  std::string events_;
};

uint64_t first_ns(const Timeline& timeline) {
  uint64_t first = UINT64_MAX;
  const auto look = [&first](const auto& list) {
    for (const auto& event : list) first = std::min(first, event.begin_ns);
  };
  look(timeline.host);
  look(timeline.steps);
  look(timeline.device);
  std::for_each(timeline.threads.begin(), timeline.threads.end(), look);
  return first;
}

}  // namespace

std::string trace_json(const Timeline& timeline, const std::vector<StepRow>& steps,
                       const std::vector<LiveBytes>& live, const std::string& device_name) {
  Trace trace(first_ns(timeline), steps);
  trace.name_process(timeline.cut() ? "arenite (the first events; there were more)" : "arenite");
  trace.name_lane(kHostLane, "host");
  for (const Phase& phase : timeline.host) trace.phase(phase);
  for (const Span& span : timeline.steps) trace.step(kThreadLanes, span);
  for (size_t t = 0; t < timeline.threads.size(); ++t) {
    const int lane = kThreadLanes + static_cast<int>(t);
    if (timeline.steps.empty()) break;  // all ran on the device
    trace.name_lane(lane, "CPU thread " + std::to_string(t));
    for (const Span& span : timeline.threads[t]) trace.step(lane, span);
  }
  if (!timeline.device.empty()) {
    trace.name_lane(kDeviceLane, "GPU: " + device_name);
    for (const Span& span : timeline.device) trace.step(kDeviceLane, span);
  }
  if (!live.empty()) {
    for (const Span& span : timeline.steps) trace.live(live, span);
    for (const Span& span : timeline.device) trace.live(live, span);
  }
  return std::move(trace).text();
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
