// Attaches backends, and finds the stretches of steps that they run.
#include "core/backend.h"

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
    if (where != Where::kView) {
      end = i + 1;
    }
  }
  return end;
}

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

constinit const DeviceFunctions kDeviceFunctions{attach, device_stretch_end};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
