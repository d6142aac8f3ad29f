// Moves a case's arena to the device and back.
#include "tests/kernels/vulkan_form.h"

#include <algorithm>
#include <cstdlib>

#include "tests/kernels/dispatch_rules.h"

namespace arenite::test {

using ops_test::CaseStep;
using ops_test::Form;
using ops_test::OpCase;
using ops_test::Outcome;

Form vulkan_form(VulkanRunner& runner, uint32_t shift) {
  return [&runner, shift](CaseStep& step) -> Status {
    Bindings bindings = step.bindings();
    size_t count = 0;
    for (uint32_t operand : step.operands()) {
      if (operand != kNoIndex) count = std::max(count, size_t{operand} + 1);
    }
    std::vector<format::ValueRecord> values(bindings.values, bindings.values + count);
    for (format::ValueRecord& value : values) value.offset += shift;
    bindings.values = values.data();
    bindings.arenas = nullptr;
    const Step at(bindings, step.record(), 0);
    if (!vulkan_supports(at, runner.storage_buffer_bytes())) return error(Code::kUnsupported);
    const std::vector<Dispatch> dispatches = dispatches_of(at);
    if (!fault_of(at, dispatches).empty()) return error(Code::kBadStep);
    std::vector<std::byte> arena(step.arena().size() + shift + kBufferAlignment);
    std::copy(step.arena().begin(), step.arena().end(), arena.begin() + shift);
    runner.run(bindings, dispatches, arena);
    std::copy_n(arena.begin() + shift, step.arena().size(), step.arena().begin());
    return ok_status();
  };
}

bool is_exact(Op op) {
  switch (op) {
    case Op::kConcat:
    case Op::kPad:
    case Op::kCopy:
    case Op::kSlice:
    case Op::kGather:
    case Op::kCast:
    case Op::kClip:
    case Op::kMaxPool:
      return true;
    default:
      return false;
  }
}

std::unique_ptr<VulkanRunner> open_test_device(std::string& why) {
  const char* name = std::getenv("ARENITE_TEST_DEVICE");
  return VulkanRunner::open(name == nullptr ? "" : name, why);
}

std::string compare_with_cpu(const OpCase& c, const Form& form, bool& supported) {
  const Outcome expected = run_case(c, ops_test::reference_form());
  const Outcome got = run_case(c, form);
  supported = got.status.code != Code::kUnsupported;
  if (!supported) return {};
  if (!got.status.ok()) {
    return "status " + std::to_string(static_cast<uint32_t>(got.status.code));
  }
  if (!got.damage.empty()) return got.damage;
  // What the CPU finds in the data (an index outside) is clamped by shaders.
  if (expected.status.code == Code::kIndexOutOfRange) return {};
  if (!expected.status.ok()) {
    return "the CPU refuses the case: code " +
           std::to_string(static_cast<uint32_t>(expected.status.code));
  }
  for (size_t i = 0; i < expected.outputs.size(); ++i) {
    const std::string difference =
        is_exact(c.op) ? ops_test::bit_difference(got.outputs[i], expected.outputs[i])
                       : ops_test::difference(got.outputs[i], expected.outputs[i],
                                              std::max(c.tolerance, 2e-5));
    if (!difference.empty()) return "output " + std::to_string(i) + ": " + difference;
  }
  return {};
}

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
