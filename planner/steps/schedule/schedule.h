// A method on its way from a graph to the records of a program: the bytes it works on and the steps
// that run, filled in by one stage after another.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/format.h"
#include "kernels/dispatch/dispatch.h"
#include "planner/graph/strides.h"
#include "planner/graph/target_forms.h"
#include "planner/memory/problem/problem.h"

namespace arenite::planner {

// The largest minStorageBufferOffsetAlignment and nonCoherentAtomSize a device may have.
inline constexpr uint32_t kDeviceAlignment = 256;

// Bytes in an arena: an input's, a result's, their copy on the other side of the bus, or a step's
// scratch memory. Laying out makes it, lowering lengthens it by what forms read beyond its
// elements, partitioning says on which side it lies, lifetimes when it holds data, placing where it
// lies.
struct Storage {
  std::string name;
  DType dtype = DType::kNone;
  Strided form;                                       // dense, offset 0
  uint64_t bytes = 0;                                 // what is read beyond the elements included
  format::ArenaKind kind = format::ArenaKind::kHost;  // of the arena it may lie in; kState: an
                                                      // input that is a state; kCaller: an input or
                                                      // output left to the caller
  memory::Lifetime lifetime = {};
  bool yields = false;        // an output of its last step shares its bytes
  bool half_will_do = false;  // a device may keep its float32 numbers in 16 bits
  uint32_t arena = 0;         // of Schedule::arenas
  uint32_t offset = 0;

  // Whether it shares the memory that is planned with others: what the caller lends, and what is
  // kept between runs, lies apart.
  bool shares_memory() const {
    return kind != format::ArenaKind::kCaller && kind != format::ArenaKind::kState;
  }
};

// A storage that is as long as the elements that lie in it.
inline Storage storage_of(std::string name, DType dtype, const Strided& form) {
  return {.name = std::move(name),
          .dtype = dtype,
          .form = form,
          .bytes = span_elements(form) * element_bytes(dtype)};
}

// The elements of a value, in the bytes of a storage or a constant.
struct Operand {
  bool constant = false;
  uint32_t index = 0;  // of a storage, or of the pool's constant; of a laid node: see constant_of
  DType dtype = DType::kNone;
  Strided form;  // as the step has it; of a laid node: with the value's logical dims
  uint32_t over_read_bytes = 0;
  uint64_t packed_bytes = 0;  // all of them, of packed weights that lie in an arena
};

// A step has to run only where the bool in a storage of one element is `holds`.
struct StepCondition {
  uint32_t storage = 0;
  bool holds = true;

  auto operator<=>(const StepCondition&) const = default;
};

struct ScheduledStep {
  Op op{};
  format::Where where = format::Where::kCpu;  // kView: it only names bytes
  std::vector<std::optional<Operand>> inputs, outputs;
  std::vector<uint32_t> attributes;
  StepForms forms;          // of a step on the CPU; none of a view
  DispatchPlan dispatches;  // of a step on Vulkan
  uint32_t scratch_bytes = 0;
  std::optional<uint32_t> scratch;        // the storage, once it is there
  std::vector<StepCondition> conditions;  // all of them; none: it runs always
  bool barrier_before = false;
  bool begins_stretch = false;       // on a device: other steps are left out with it, or without
  bool serial = false;               // on one thread: its output follows the reads of an input
  std::string name;                  // for people
  std::vector<std::string> sources;  // of the model

  bool is_view() const { return where == format::Where::kView; }
};

// A copy that the model does not have.
struct InsertedCopy {
  std::string node;      // for which it was put in, or "output"
  std::string argument;  // the value that is copied
  std::string from, to;  // layouts
};

struct Arena {
  std::string name;
  format::ArenaKind kind = format::ArenaKind::kHost;
  uint32_t bytes = 0;
  uint32_t alignment = 1;
};

// Steps run in their order. A step's index is its time: lifetimes count in it.
struct Schedule {
  bool vulkan = false;  // some steps run on a device
  std::vector<Storage> storages;
  std::vector<ScheduledStep> steps;
  std::vector<uint32_t> inputs, outputs;  // storages, row-major, in the graph's order
  std::vector<InsertedCopy> copies;       // which the layout needs
  std::vector<Arena> arenas;
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
