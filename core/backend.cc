// Attaches backends, and gathers the stretches of steps that they run at once.
#include "core/backend.h"

#include "core/instance.h"
#include "core/range.h"

namespace arenite {

using format::ArenaKind;
using format::Where;

uint32_t device_stretch_end(Records<format::StepRecord> steps, uint32_t first) {
  uint32_t end = first;
  for (uint32_t i = first; i < steps.size(); ++i) {
    const auto where = static_cast<Where>(steps[i].where);
    if (where == Where::kCpu) {
      break;
    }
    if (where == Where::kView) {
      continue;
    }
    if (end != first && (steps[i].flags & format::kBeginsStretch) != 0) {
      break;
    }
    end = i + 1;
  }
  return end;
}

// The parts of an instance that running on a device takes.
class DeviceRun {
 public:
  static Status run(Instance& instance, uint32_t first, uint32_t& end) {
    const auto steps = instance.program().steps_of(instance.variant());
    StepRange stretches[kStretchesAtOnce];
    uint32_t count = 0;
    for (end = first; is_on_device(steps, end) && count < kStretchesAtOnce;) {
      const StepRange stretch{end, device_stretch_end(steps, end)};
      Need need = Need::kRun;
      if (instance.predicates_ != nullptr) {
        // Stretches that are gathered have yet to run, and conditions that they compute are
        // unknown.
        const uint32_t pending = count == 0 ? kNoIndex : stretches[0].first;
        need = need_of(instance, instance.next_predicate_, stretch, pending);
      }
      if (need == Need::kUnknown) {
        break;
      }
      if (need == Need::kRun) {
        stretches[count++] = stretch;
      }
      end = stretch.last;
    }
    const Backend& backend = instance.backend_;
    return count == 0 ? ok_status() : backend.run(backend.context, {stretches, count});
  }

 private:
  // Whether there is such a step, the first that is no view from `step` on, which moves there.
  static bool is_on_device(Records<format::StepRecord> steps, uint32_t& step) {
    while (step < steps.size() && static_cast<Where>(steps[step].where) == Where::kView) {
      ++step;
    }
    return step < steps.size() && static_cast<Where>(steps[step].where) != Where::kCpu;
  }
};

namespace {

Status attach(const Backend& backend, const BackendTask& task, std::span<std::byte*> arenas) {
  ARENITE_TRY(backend.attach(backend.context, task, arenas));
  const auto records = task.program->arenas_of(*task.variant);
  for (uint32_t i = 0; i < records.size(); ++i) {
    const auto kind = static_cast<ArenaKind>(records[i].kind);
    Code code = Code::kOk;
    if (!format::is_device_arena(kind)) {
      continue;
    }
    if (kind != ArenaKind::kDevice && records[i].bytes != 0 && arenas[i] == nullptr) {
      code = Code::kArenaMissing;
    } else if (!is_aligned(arenas[i], records[i].alignment)) {
      code = Code::kBadAlignment;
    }
    if (code != Code::kOk) {
      backend.detach(backend.context);
      return error(code, i);
    }
  }
  return ok_status();
}

}  // namespace

constinit const DeviceFunctions kDeviceFunctions{attach, DeviceRun::run};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
