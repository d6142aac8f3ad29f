// Writes what a program file says as lines for people.
#include <charconv>

#include "planner/graph/names.h"
#include "planner/program/inspect.h"
#include "support/hex.h"

namespace arenite::planner {
namespace {

// The shortest text that reads back as the number.
std::string number_text(float number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

std::string extra_text(const TensorInfo& tensor) {
  std::string text;
  if (tensor.quantization.has_value()) {
    text += ", scale " + number_text(tensor.quantization->scale) + ", zero point " +
            std::to_string(tensor.quantization->zero_point);
  }
  if (tensor.state == kNoIndex) {
    text += ", state: read, and set by other methods";
  } else if (tensor.state >= 0) {
    text += ", state: output " + std::to_string(tensor.state) + " of the last run";
  }
  for (const auto& [axis, count] : tensor.counted_dims) {
    text += ", of dim " + std::to_string(axis) + " so many results as output " +
            std::to_string(count) + " says";
  }
  return text;
}

std::string tensor_text(const char* what, const TensorInfo& tensor) {
  return std::string("  ") + what + " " + printable(tensor.name) + ": " + tensor.dtype + " " +
         dims_text(std::span<const uint32_t>(tensor.dims)) + extra_text(tensor) + "\n";
}

std::string value_text(const VariantInfo& variant, int64_t index) {
  if (index < 0) return "-";
  const ValueInfo& value = variant.values[static_cast<size_t>(index)];
  return (value.name.empty() ? "" : printable(value.name) + " ") +
         dims_text(std::span<const uint32_t>(value.dims)) + "@" + printable(value.place) +
         (value.kind == "constant" ? "" : "+" + std::to_string(value.offset));
}

std::string list_text(const VariantInfo& variant, const std::vector<int64_t>& values) {
  std::string text;
  for (const int64_t value : values) {
    text += (text.empty() ? "" : ", ") + value_text(variant, value);
  }
  return text;
}

// Whether the step's output shares bytes with an input.
bool yields(const VariantInfo& variant, size_t index) {
  for (const int64_t input : variant.steps[index].inputs) {
    if (input < 0) continue;
    const ValueInfo* value = &variant.values[static_cast<size_t>(input)];
    if (value->root >= 0) value = &variant.values[static_cast<size_t>(value->root)];
    if (value->yields && value->last_step == index) return true;
  }
  return false;
}

std::string step_text(const VariantInfo& variant, size_t index) {
  const StepInfo& step = variant.steps[index];
  std::string text = "    " + std::to_string(index) + " " + step.where + " " + step.op +
                     (step.barrier_before ? " (after a barrier)" : "") +
                     (step.begins_stretch ? " (begins a stretch)" : "") +
                     (yields(variant, index) ? " (over an input)" : "") +
                     (step.serial ? " (serial)" : "") + ": " + list_text(variant, step.inputs) +
                     " -> " + list_text(variant, step.outputs);
  if (step.scratch >= 0) text += "; " + value_text(variant, step.scratch);
  for (const StepInfo::Condition& condition : step.conditions) {
    text += std::string(condition.holds ? " if " : " unless ") +
            value_text(variant, int64_t{condition.value});
  }
  for (const std::string& node : step.nodes) text += "  " + printable(node);
  return text + "\n";
}

std::string variant_text(const VariantInfo& variant) {
  std::string text = "  variant for board " + printable(variant.board) + " on " + variant.device +
                     ": " + std::to_string(variant.counts.of_model()) + " steps (" +
                     std::to_string(variant.counts.vulkan) + " on Vulkan, " +
                     std::to_string(variant.counts.cpu) + " on the CPU, " +
                     std::to_string(variant.counts.views) + " views), " +
                     std::to_string(variant.counts.transfers) + " transfers, " +
                     std::to_string(variant.dispatches) + " dispatches\n";
  if (variant.exact_forms) text += "    plan for exactly these forms of the CPU\n";
  if (variant.quantized) {
    text += "    quantized: " + std::to_string(variant.quantized->integer_steps) +
            " steps of integers, " + std::to_string(variant.quantized->float_steps) +
            " of floats between quantized values\n";
  }
  if (variant.symbolic) {
    text += "    symbols: " + std::to_string(variant.symbolic->expressions) + " expressions, " +
            std::to_string(variant.symbolic->patches) + " patches, a frame of " +
            std::to_string(variant.symbolic->frame_bytes) + " bytes\n";
  }
  for (const RequirementInfo& requirement : variant.requirements) {
    text +=
        "    needs " + requirement.capability + " >= " + std::to_string(requirement.minimum) + "\n";
  }
  for (const ArenaInfo& arena : variant.arenas) {
    text += "    arena " + printable(arena.name) + " (" + arena.kind +
            "): " + std::to_string(arena.bytes) + " bytes at " + std::to_string(arena.alignment) +
            "\n";
  }
  for (size_t s = 0; s < variant.steps.size(); ++s) text += step_text(variant, s);
  return text;
}

}  // namespace

std::string to_text(const ProgramInfo& info) {
  std::string text;
  for (const DamageInfo& damage : info.damage) {
    text += "DAMAGED: " + damage.check + ", " + damage.where + ": " + damage.why + "\n";
  }
  text += "program of " + std::to_string(info.bytes) + " bytes, digest 0x" +
          hex_digits(info.digest, 8) + ", format " + std::to_string(info.version) +
          " (readers from " + std::to_string(info.min_reader) + "), plan " +
          std::to_string(info.plan_bytes) + " bytes, " + std::to_string(info.constants) +
          " constants" +
          (info.constant_file.empty() ? "" : " in " + printable(info.constant_file)) + "\n";
  for (const SectionInfo& section : info.sections) {
    text += "section " + section.kind + ": " + std::to_string(section.bytes) + " bytes at " +
            std::to_string(section.offset) + (section.intact ? "" : ", CHECKSUM WRONG") + "\n";
  }
  for (const MethodInfo& method : info.methods) {
    text += "method " + printable(method.name) + ", " + std::to_string(method.test_vectors) +
            " test vectors\n";
    for (const SymbolInfo& symbol : method.symbols) {
      text += "  symbol " + printable(symbol.name) + ": " + std::to_string(symbol.least) + " to " +
              std::to_string(symbol.most) + "\n";
    }
    for (const TensorInfo& tensor : method.inputs) text += tensor_text("input", tensor);
    for (const TensorInfo& tensor : method.outputs) text += tensor_text("output", tensor);
    for (const VariantInfo& variant : method.variants) text += variant_text(variant);
  }
  return text;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
