// Writes what a program file says as lines for people.
#include <algorithm>
#include <charconv>

#include "planner/graph/names.h"
#include "planner/program/inspect.h"
#include "support/errors.h"
#include "support/hex.h"
#include "support/word_errors.h"

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

// The text cut in its middle, or filled up, to so many columns.
std::string cell(const std::string& text, size_t columns) {
  if (text.size() <= columns) return text + std::string(columns - text.size(), ' ');
  if (columns < 8) return text.substr(0, columns);
  const size_t head = (columns - 3) / 3, tail = columns - 3 - head;
  return text.substr(0, head) + "..." + text.substr(text.size() - tail);
}

std::string nodes_text(const StepInfo& step) {
  std::string text;
  for (const std::string& node : step.nodes) text += (text.empty() ? "" : "+") + printable(node);
  return text;
}

// A line for each step: its first output's dims and bytes, and the model's nodes, within `columns`.
std::string step_table(const VariantInfo& variant, size_t columns) {
  constexpr size_t kStep = 6, kWhere = 9, kOp = 17, kShape = 16, kBytes = 11;
  const size_t fixed = kStep + kWhere + kOp + kShape + kBytes + 1;
  const size_t node = columns > fixed + 8 ? columns - fixed : 8;
  const auto line = [&](const std::string& step, const std::string& where, const std::string& op,
                        const std::string& shape, const std::string& bytes,
                        const std::string& nodes) {
    return std::string(kStep - 1 - std::min(kStep - 1, step.size()), ' ') + step + " " +
           cell(where, kWhere) + cell(op, kOp - 1) + " " + cell(shape, kShape - 1) + " " +
           std::string(kBytes - 1 - std::min(kBytes - 1, bytes.size()), ' ') + bytes + "  " +
           (nodes.size() > node - 1 ? cell(nodes, node - 1) : nodes) + "\n";
  };
  std::string text = line("step", "on", "operator", "output", "bytes", "nodes");
  for (size_t s = 0; s < variant.steps.size(); ++s) {
    const StepInfo& step = variant.steps[s];
    const bool known = !step.outputs.empty() && step.outputs[0] >= 0;
    const ValueInfo* out = known ? &variant.values[static_cast<size_t>(step.outputs[0])] : nullptr;
    text += line(std::to_string(s), step.where, step.op,
                 known ? dims_text(std::span<const uint32_t>(out->dims)) : "",
                 known ? std::to_string(out->bytes) : "", nodes_text(step));
  }
  return text;
}

std::string operand_line(const char* what, const VariantInfo& variant, int64_t index) {
  std::string text = std::string("    ") + what + " ";
  if (index < 0) return text + "left out\n";
  const ValueInfo& value = variant.values[static_cast<size_t>(index)];
  text += value_text(variant, index) + ", " + value.dtype +
          (value.layout.empty() ? "" : ", " + value.layout) + ", " + std::to_string(value.bytes) +
          " bytes";
  if (value.kind != "constant") {
    text += ", lives from step " + std::to_string(value.first_step) + " to " +
            std::to_string(value.last_step);
  }
  return text + "\n";
}

// All that is known of one step.
std::string whole_step(const VariantInfo& variant, size_t index) {
  const StepInfo& step = variant.steps[index];
  std::string text =
      "  step " + std::to_string(index) + ": " + step.op + " on " + step.where + "\n";
  for (const std::string& node : step.nodes) text += "    node " + printable(node) + "\n";
  if (!step.shader.empty()) text += "    shader " + step.shader + "\n";
  if (step.where == "cpu") text += "    form " + std::to_string(step.form) + "\n";
  for (const int64_t input : step.inputs) text += operand_line("reads", variant, input);
  for (const int64_t output : step.outputs) text += operand_line("writes", variant, output);
  if (step.scratch >= 0) text += operand_line("scratch", variant, step.scratch);
  for (const StepInfo::Condition& condition : step.conditions) {
    text += std::string("    runs ") + (condition.holds ? "if " : "unless ") +
            value_text(variant, int64_t{condition.value}) + "\n";
  }
  if (step.serial) text += "    on one thread: an output shares bytes with an input\n";
  if (step.barrier_before) text += "    after a barrier\n";
  if (step.begins_stretch) text += "    begins a stretch\n";
  text += "    attributes";
  for (const uint32_t word : step.attributes) text += " " + std::to_string(word);
  return text + (step.attributes.empty() ? " none\n" : "\n");
}

std::string one_step(const ProgramInfo& info, uint32_t step) {
  std::string text;
  size_t most = 0;
  for (const MethodInfo& method : info.methods) {
    for (const VariantInfo& variant : method.variants) {
      most = std::max(most, variant.steps.size());
      if (step >= variant.steps.size()) continue;
      text += "method " + printable(method.name) + ", variant for board " +
              printable(variant.board) + " on " + variant.device + "\n" + whole_step(variant, step);
    }
  }
  if (!text.empty()) return text;
  throw WordError(
      "--step: expected a step below " + std::to_string(most) + ", found " + std::to_string(step),
      std::to_string(step), {std::to_string(most - 1)});
}

std::string variant_text(const VariantInfo& variant, size_t columns) {
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
  if (columns != 0) return text + step_table(variant, columns);
  for (size_t s = 0; s < variant.steps.size(); ++s) text += step_text(variant, s);
  return text;
}

}  // namespace

std::string to_text(const ProgramInfo& info, const InspectText& options) {
  if (options.step) return one_step(info, *options.step);
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
    for (const VariantInfo& variant : method.variants)
      text += variant_text(variant, options.columns);
  }
  return text;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
