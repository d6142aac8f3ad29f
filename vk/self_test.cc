// A plan written by hand, run through the same code as any program's.
#include "vk/self_test.h"

#include <cstring>

#include "ops/attributes.h"
#include "vk/backend.h"
#include "vk/objects.h"
#include "vk/problem.h"

namespace arenite::vk {
namespace {

using format::ArenaKind;
using format::ArenaRecord;
using format::StepRecord;
using format::ValueRecord;
using format::Where;

constexpr uint32_t kElements = 1000;  // a last workgroup that is not full
constexpr uint32_t kBytes = kElements * sizeof(float);
constexpr uint32_t kSlot = 4096;  // where the second value of an arena begins
constexpr uint32_t kShape[] = {kElements, 1};

// 0, 1: the operands in upload; 2, 3: on the device; 4: their sum; 5: the sum in readback.
constexpr ValueRecord value(uint8_t arena, uint32_t slot) {
  ValueRecord v{};
  v.dtype = static_cast<uint8_t>(DType::kFloat32);
  v.rank = 1;
  v.place = arena;
  v.offset = slot * kSlot;
  v.bytes = kBytes;
  v.below_or_root = kNoIndex;
  return v;
}
constexpr ValueRecord kValues[] = {value(0, 0), value(0, 1), value(1, 0),
                                   value(1, 1), value(1, 2), value(2, 0)};
constexpr ArenaRecord kArenas[] = {
    {0, 0, static_cast<uint32_t>(ArenaKind::kUpload), 2 * kSlot, kBufferAlignment},
    {0, 0, static_cast<uint32_t>(ArenaKind::kDevice), 3 * kSlot, kBufferAlignment},
    {0, 0, static_cast<uint32_t>(ArenaKind::kReadback), kSlot, kBufferAlignment}};

constexpr format::DescriptorSetRecord kSets[] = {{layout_word(3, false), 1}};  // a, b, y

constexpr uint32_t kOperands[] = {0, 2, 1, 3, 2, 3, 4, 4, 5};
constexpr StepRecord step(Op op, Where where, uint8_t flags, uint32_t first, uint16_t inputs) {
  StepRecord s{};
  s.op = static_cast<uint16_t>(op);
  s.where = static_cast<uint8_t>(where) & 3u;
  s.flags = flags & 63u;
  s.operand_first = first;
  s.input_count = inputs;
  s.output_count = 1;
  s.attribute_words = op == Op::kAdd ? sizeof(BinaryAttributes) / 4 : 0;
  return s;
}
constexpr uint32_t kAttributes[sizeof(BinaryAttributes) / 4] = {};  // no activation

// Sums of these are exact, so that the answer is one bit pattern. Neither is 0 nor constant.
float operand(uint32_t which, uint32_t i) {
  return which == 0 ? static_cast<float>(i) + 0.5f : 3.0f * static_cast<float>(i);
}

void fill(float* to, uint32_t which) {
  for (uint32_t i = 0; i < kElements; ++i) {
    to[i] = operand(which, i);
  }
}

bool is_sum(const std::byte* from) {
  for (uint32_t i = 0; i < kElements; ++i) {
    float found = 0;
    std::memcpy(&found, from + i * sizeof(float), sizeof(float));
    if (found != operand(0, i) + operand(1, i)) {
      return false;
    }
  }
  return true;
}

Status run_plan(VulkanBackend& backend, const Task& task) {
  std::byte* arenas[3] = {};
  ARENITE_TRY(attach_task(backend, task, arenas));
  fill(reinterpret_cast<float*>(arenas[0]), 0);
  fill(reinterpret_cast<float*>(arenas[0] + kSlot), 1);
  std::memset(arenas[2], 0, kBytes);
  const StepRange stretch{0, static_cast<uint32_t>(task.steps.size())};
  ARENITE_TRY(run_stretches(backend, {&stretch, 1}));
  return is_sum(arenas[2]) ? ok_status() : error(Problem::kWrongAnswer);
}

}  // namespace

Status self_test(Device& device) {
  Bindings bindings;
  bindings.values = static_cast<const ValueRecord*>(kValues);
  bindings.shapes = static_cast<const uint32_t*>(kShape);
  bindings.operands = static_cast<const uint32_t*>(kOperands);
  bindings.attributes = static_cast<const uint32_t*>(kAttributes);
  StepRecord steps[] = {step(Op::kCopy, Where::kTransfer, 0, 0, 1),
                        step(Op::kCopy, Where::kTransfer, 0, 2, 1),
                        step(Op::kAdd, Where::kVulkan, format::kBarrierBefore, 4, 2),
                        step(Op::kCopy, Where::kTransfer, format::kBarrierBefore, 7, 1)};
  steps[2].dispatches = 1;
  format::VariantRecord variant{};
  variant.dispatches = 1;
  variant.pipelines = 1;
  variant.descriptor_set_count = 1;
  const Task task{&variant, &bindings, {}, kSets, kArenas, kValues, steps};

  alignas(8) std::byte state[512];
  VulkanBackend backend;
  backend.device = &device;
  backend.state = state;
  backend.elide_transfers = false;  // the copies are to be tested too
  const Status status = run_plan(backend, task);
  detach_task(backend);
  return status;
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
