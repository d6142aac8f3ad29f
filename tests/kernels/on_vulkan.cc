// Moves a case's arena to the device and back.
#include "tests/kernels/on_vulkan.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "kernels/dispatch/rules.h"
#include "ops/contracts.h"
#include "planner/graph/op_facts.h"
#include "portable_fallback/forms.h"
#include "tests/kernels/dispatch_rules.h"
#include "tests/ops/cases.h"

namespace arenite::test {

using ops_test::CaseStep;
using ops_test::Number;
using ops_test::Numbers;
using ops_test::OpCase;
using ops_test::Outcome;
using ops_test::Runner;

namespace {

constexpr std::byte kPoison{0x5a};

// A case's values with at least 256 bytes between them: as far apart as a plan puts what a device
// writes, so that the ranges bound for one value hold no other's bytes.
struct Relocated {
  std::vector<format::ValueRecord> values;
  std::vector<std::byte> arena;

  Relocated(const CaseStep& step, uint32_t shift) {
    const Bindings from = step.bindings();
    const auto& record = step.record();
    const uint32_t operands = record.input_count + record.output_count;
    for (uint32_t i = 0; i < operands; ++i) {
      const uint32_t value = from.operands[i];
      if (value == kNoIndex) continue;
      if (values.size() <= value) values.resize(value + 1);
      values[value] = from.values[value];
    }
    for (format::ValueRecord& value : values) {
      value.offset = static_cast<uint32_t>(arena.size()) + shift;
      // Elements of less than a word begin anywhere in one.
      const uint32_t bytes = element_bytes(static_cast<DType>(value.dtype));
      if (bytes == 1) value.offset += shift / 4 % 4;
      if (bytes == 2) value.offset += shift / 4 % 2 * 2;
      const size_t end = value.offset + value.bytes + kBufferAlignment;
      arena.resize((end + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment, kPoison);
    }
  }
  // Whether all bytes between values are as they were made.
  bool gaps_are_whole() const {
    uint32_t at = 0;
    for (const format::ValueRecord& value : values) {
      for (; at < value.offset; ++at) {
        if (arena[at] != kPoison) return false;
      }
      at += value.bytes;
    }
    return std::all_of(arena.begin() + at, arena.end(), [](std::byte b) { return b == kPoison; });
  }
};

}  // namespace

namespace {

std::optional<DispatchPlan> way_of(const Step& step, const Capabilities& device,
                                   std::optional<size_t> way) {
  if (!way.has_value()) return plan_dispatches(step, device);
  const std::vector<DispatchPlan> ways = ways_of(step, device);
  return *way < ways.size() ? std::optional(ways[*way]) : std::nullopt;
}

}  // namespace

Runner on_device(VulkanRunner& runner, uint32_t shift, std::optional<size_t> way) {
  return [&runner, shift, way](CaseStep& step) -> Status {
    Relocated moved(step, shift);
    Bindings bindings = step.bindings();
    const format::ValueRecord* values = bindings.values;
    bindings.values = moved.values.data();
    bindings.arenas = nullptr;
    const Step plain(bindings, step.record(), 0);
    const auto plan = way_of(plain, runner.capabilities(), way);
    if (!plan.has_value()) return error(Code::kUnsupported);
    const CarriedOut carried(plain, *plan, static_cast<uint32_t>(moved.arena.size()));
    const Step& at = carried.step();
    const std::vector<Dispatch> dispatches = dispatches_of(at);
    if (!fault_of(at, dispatches).empty()) return error(Code::kBadStep);
    const std::span<std::byte> arena = step.arena();
    for (size_t i = 0; i < moved.values.size(); ++i) {
      std::copy_n(arena.begin() + values[i].offset, values[i].bytes,
                  moved.arena.begin() + moved.values[i].offset);
    }
    const size_t bytes = moved.arena.size();
    moved.arena.resize(bytes + plan->scratch_bytes, kPoison);
    const bool outside = runner.run(at.bindings(), dispatches, moved.arena);
    moved.arena.resize(bytes);
    for (size_t i = 0; i < moved.values.size(); ++i) {
      std::copy_n(moved.arena.begin() + moved.values[i].offset, values[i].bytes,
                  arena.begin() + values[i].offset);
    }
    if (!moved.gaps_are_whole()) return error(Code::kBadRange);
    return outside ? error(Code::kIndexOutOfRange) : ok_status();
  };
}

std::optional<WayTaken> way_taken(const OpCase& c, const VulkanRunner& runner, uint32_t shift,
                                  std::optional<size_t> way) {
  const CaseStep step(c);
  const Relocated moved(step, shift);
  Bindings bindings = step.bindings();
  bindings.values = moved.values.data();
  bindings.arenas = nullptr;
  const Step plain(bindings, step.record(), 0);
  const auto plan = way_of(plain, runner.capabilities(), way);
  if (!plan.has_value()) return {};
  const CarriedOut carried(plain, *plan, static_cast<uint32_t>(moved.arena.size()));
  return WayTaken{plan->form, plan->choice,
                  runner.pipelines_to_build(dispatches_of(carried.step()))};
}

uint32_t count_ways(const OpCase& c, const VulkanRunner& runner) {
  const CaseStep step(c);
  const Relocated moved(step, 0);
  Bindings bindings = step.bindings();
  bindings.values = moved.values.data();
  bindings.arenas = nullptr;
  const Step plain(bindings, step.record(), 0);
  return static_cast<uint32_t>(ways_of(plain, runner.capabilities()).size());
}

std::vector<Op> ops_with_shaders() {
  std::vector<Op> ops;
  for (const OpEntry& entry : all_ops()) {
    if (!rows_of(entry.op).empty()) ops.push_back(entry.op);
  }
  return ops;
}

bool is_exact(const OpCase& c) {
  if (ops_test::family_of(c.op) == "move" || !ops_test::is_float(c.outputs[0].dtype)) return true;
  if (ops_test::family_of(c.op) == "indexed") {
    return ops_test::attributes_of<IndexedAttributes>(c).reduction == 0;
  }
  switch (c.op) {
    case Op::kOneHot:
    case Op::kReverseSequence:
    case Op::kTopK:
    case Op::kGather:
    case Op::kCast:
    case Op::kClip:
    case Op::kMaxPool:
    case Op::kWhere:
      return true;
    case Op::kMod:
      return ops_test::attributes_of<BinaryAttributes>(c).activation.kind == ActivationKind::kNone;
    default:
      return false;
  }
}

std::unique_ptr<VulkanRunner> open_test_device(std::string& why) {
  const char* name = std::getenv("ARENITE_TEST_DEVICE");
  return VulkanRunner::open(name == nullptr ? "" : name, why);
}

namespace {

constexpr Number kGreatestHalf = 65504;

// With the greatest 16-bit floats in place of infinities. Shaders store them for what is beyond
// (kernels/glsl/include/floats.glsl), the CPU infinities.
Numbers without_infinities(Numbers numbers) {
  if (numbers.dtype != DType::kFloat16) return numbers;
  for (Number& number : numbers.values) {
    if (std::isinf(number)) number = number < 0 ? -kGreatestHalf : kGreatestHalf;
  }
  return numbers;
}

}  // namespace

std::string compare_with_cpu(const OpCase& c, const Runner& runner, bool& supported) {
  CaseStep step(c);
  const Outcome expected = run_case(step, ops_test::on_references());
  const Outcome got = run_case(step, runner);
  supported = got.status.code != Code::kUnsupported;
  if (!supported) return {};
  if (!got.status.ok() && got.status.code != Code::kIndexOutOfRange) {
    return "status " + std::to_string(static_cast<uint32_t>(got.status.code));
  }
  if (!got.damage.empty()) return got.damage;
  // Rows without a check clamp an index outside in silence; index_check_test.cc holds those with
  // one to it.
  if (expected.status.code == Code::kIndexOutOfRange) return {};
  if (!got.status.ok()) return "reports an index that lies inside";
  if (!expected.status.ok()) {
    return "the CPU refuses the case: code " +
           std::to_string(static_cast<uint32_t>(expected.status.code));
  }
  for (size_t i = 0; i < expected.outputs.size(); ++i) {
    const std::string difference =
        is_exact(c) ? ops_test::bit_difference(got.outputs[i], expected.outputs[i])
                    : ops_test::difference(without_infinities(got.outputs[i]),
                                           without_infinities(expected.outputs[i]),
                                           std::max(2 * c.tolerance, 2e-5));
    if (!difference.empty()) return "output " + std::to_string(i) + ": " + difference;
  }
  return {};
}

std::optional<OpCase> in_halves(const OpCase& c) {
  const Contract& contract = *find_contract(c.op);
  OpCase result = c;
  result.name += "_in_halves";
  bool changed = false;
  const auto narrow = [&](ops_test::Operand& operand, OperandType rule) {
    if (rule != OperandType::kT || operand.absent) return true;
    changed = changed || operand.dtype == DType::kFloat32;
    const bool is_float32 = operand.dtype == DType::kFloat32;
    operand.dtype = DType::kFloat16;
    return is_float32;
  };
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    if (!narrow(result.inputs[i], contract.inputs[std::min<size_t>(i, 2)])) return std::nullopt;
  }
  for (size_t i = 0; i < c.outputs.size(); ++i) {
    if (!narrow(result.outputs[i], contract.outputs[i == 0 ? 0 : 1])) return std::nullopt;
  }
  if (!changed) return std::nullopt;
  return result;
}

std::string compare_halves(const OpCase& c, const Runner& runner, bool& supported) {
  OpCase wide = c;
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    ops_test::Operand& input = wide.inputs[i];
    if (input.absent || input.dtype != DType::kFloat16) continue;
    input.values = contents_of(c, static_cast<uint32_t>(i)).values;
    input.dtype = DType::kFloat32;
    input.repeated = 0;
  }
  for (ops_test::Operand& output : wide.outputs) {
    if (output.dtype == DType::kFloat16) output.dtype = DType::kFloat32;
  }
  // Numbers among the attributes are narrowed as the planner does it, or there is no such step.
  OpCase narrow = c;
  const auto narrow_attributes = planner::facts_of(c.op).narrow;
  supported = narrow_attributes == nullptr || narrow_attributes(narrow.attributes);
  if (!supported) return {};
  CaseStep step(narrow);
  const Outcome got = run_case(step, runner);
  supported = got.status.code != Code::kUnsupported;
  if (!supported) return {};
  Outcome expected = run_case(wide, ops_test::on_references());
  if (!expected.status.ok()) return {};
  if (!got.status.ok()) return "status " + std::to_string(static_cast<uint32_t>(got.status.code));
  if (!got.damage.empty()) return got.damage;
  for (size_t i = 0; i < expected.outputs.size(); ++i) {
    Numbers& numbers = expected.outputs[i];
    if (got.outputs[i].dtype == DType::kFloat16) {
      for (Number& number : numbers.values) {
        if (std::isfinite(number)) number = std::clamp(number, -kGreatestHalf, kGreatestHalf);
      }
      numbers.dtype = DType::kFloat16;
    }
    // A result is rounded to 11 bits, and so are the sums that a residual is added to.
    const bool is_added = step.record().input_count > kResidualInput;
    const double rounding = is_added ? 0x1p-9 : 0x1p-11;
    const std::string difference =
        ops_test::difference(got.outputs[i], numbers, std::max(2 * c.tolerance, 2e-5) + rounding);
    if (!difference.empty()) return "output " + std::to_string(i) + ": " + difference;
  }
  return {};
}

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
