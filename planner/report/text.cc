// Writes a plan's report as tables for people.
#include <algorithm>
#include <cstdio>

#include "planner/graph/names.h"
#include "planner/report/ram_text.h"
#include "planner/report/report.h"
#include "planner/report/shortages.h"

namespace arenite::planner {
namespace {

std::string count_text(uint32_t count, const char* singular) {
  return std::to_string(count) + " " + singular + (count == 1 ? "" : "s");
}

std::string lowering_text(const PeakReport& lowering) {
  std::string text =
      "peak of the fused graph as it is: " + std::to_string(lowering.baseline_bytes) +
      " bytes; live with scratch, tails and copies: " + std::to_string(lowering.native_bytes) +
      "\n";
  for (const PeakEffect& effect : lowering.effects) {
    text += "  " + effect.pass + ": ";
    if (!effect.enabled) {
      text += "disabled\n";
    } else if (effect.places == 0) {
      text += "did nothing\n";
    } else {
      text += count_text(effect.places, "place") + ", saved " + std::to_string(effect.saved_bytes) +
              ": " + std::to_string(effect.live_bytes) + " bytes live\n";
    }
  }
  char ratio[32];
  std::snprintf(ratio, sizeof(ratio), "%.3f", lowering.ratio());
  return text + "placed: " + std::to_string(lowering.final_bytes) + " bytes, " + ratio +
         " of the fused graph's peak\n";
}

// The memories that a board's images keep programs and code in.
std::string memories_text(const VariantReport& variant,
                          const std::vector<ProgramMemoryReport>& program_memories) {
  std::vector<memory::OtherMemory> others;
  std::string contents;
  for (const ProgramMemoryReport& row : program_memories) {
    if (row.board != variant.board || variant.vulkan) continue;
    others.push_back({row.name, row.base, row.size_bytes, row.used_bytes()});
    contents += row.name + ", " + row.image + " image: " + contents_text(row) + "\n";
  }
  return memory::headline(variant.memories) + memory::table_text(variant.memories, others) +
         contents;
}

std::string title(const VariantReport& variant) {
  return "method " + printable(variant.method) + ", board " + variant.board + ", " +
         (variant.vulkan ? "Vulkan" : "CPU, for " + variant.optimize) +
         (variant.cpu_features.empty() ? "" : ", with " + variant.cpu_features);
}

std::string state_text(const StateReport& state) {
  const bool only_read = state.output.empty();
  std::string text = "input " + printable(state.input) + " is a state, ";
  text += only_read ? "which the method only reads"
                    : "output " + printable(state.output) + " its next one";
  text += ": " + std::to_string(state.bytes) + " bytes in " + state.arena;
  if (!only_read) text += ", and as many in the arenas";
  for (const std::string& method : state.methods) {
    text += (&method == state.methods.data() ? ", shared by methods " : ", ") + printable(method);
  }
  return text + "\n";
}

std::string variant_text(const VariantReport& variant,
                         const std::vector<ProgramMemoryReport>& program_memories) {
  std::string text = title(variant) + ": " + count_text(variant.counts.of_model(), "step") +
                     ", of which " + std::to_string(variant.counts.vulkan) + " on Vulkan, " +
                     std::to_string(variant.counts.cpu) + " on the CPU, " +
                     std::to_string(variant.counts.views) + " views\n";
  if (variant.vulkan) {
    text += count_text(variant.dispatches, "dispatch");
    if (variant.dispatches != 1) text.insert(text.size() - 1, "e");
    text += ", " + count_text(variant.barriers, "barrier") + ", " +
            count_text(variant.counts.transfers, "transfer") + "; fallback " +
            (variant.reserves_fallback ? "reserved" : "none") + ": " +
            std::to_string(variant.fallback_bytes) + " bytes\n";
  }
  if (variant.guarded_stretches != 0) {
    text += std::to_string(variant.guarded_stretches) + " of " + std::to_string(variant.stretches) +
            " stretches of device steps run on a condition; the CPU reads " +
            count_text(variant.condition_transfers, "condition") + " from the device\n";
  }
  for (const LentReport& arena : variant.lent) {
    text += arena.name + " is left to the caller: " + std::to_string(arena.bytes) +
            " bytes, aligned to " + std::to_string(arena.alignment) + "\n";
  }
  for (const StateReport& state : variant.states) text += state_text(state);
  text += memories_text(variant, program_memories);
  text += "most bytes live at " + variant.total_peak_step + "\n";
  if (variant.predicted_us) {
    char predicted[64];
    std::snprintf(predicted, sizeof predicted, "%.1f", *variant.predicted_us);
    text += std::string("predicted by the board's costs: ") + predicted + " us a run\n";
  }
  text += lowering_text(variant.lowering);
  if (const NearConstants& near = variant.near_constants; near.copies != 0) {
    text += count_text(near.copies, "constant") + " copied into " + near.memory + ": " +
            std::to_string(near.copied_bytes) + " bytes a run, for up to " +
            std::to_string(near.near_bytes) + " bytes of reads\n";
  }
  for (const InsertedCopy& copy : variant.copies) {
    text += "copy put in for " + printable(copy.node) + ": " + printable(copy.argument) + ": " +
            copy.from + " -> " + copy.to + "\n";
  }
  return text;
}

std::string row_text(const ExplainedOption& option, size_t name_columns, bool is_measured) {
  const std::string cost = !option.cost ? "refused"
                           : *option.cost == assignment::kImpossible
                               ? "impossible"
                               : std::to_string(*option.cost) + (is_measured ? " ps" : "");
  return std::string(option.taken ? "  -> " : "     ") + option.name +
         std::string(name_columns - option.name.size() + 2, ' ') + cost +
         std::string(cost.size() < 12 ? 12 - cost.size() : 1, ' ') + option.why + "\n";
}

// The options of the steps that are to be explained.
std::string steps_text(const VariantReport& variant) {
  std::string text;
  for (const ExplainedStep& step : variant.explained) {
    text += "node " + printable(step.node) + " (" + step.op + ")";
    if (step.options.empty()) {
      text += ": a view, which nothing computes\n";
      continue;
    }
    text += step.is_measured ? ", by measured costs:\n" : ", by the order of preference:\n";
    size_t columns = 0;
    for (const ExplainedOption& option : step.options) {
      columns = std::max(columns, option.name.size());
    }
    for (const ExplainedOption& option : step.options) {
      text += row_text(option, columns, step.is_measured);
    }
  }
  return text;
}

}  // namespace

std::string to_text(const PlanReport& report) {
  char seconds[32];
  std::snprintf(seconds, sizeof(seconds), "%.3f", report.seconds);
  std::string text;
  if (!report.shortages.empty()) {
    text = "DOES NOT FIT: " + explained_text(report.shortages) +
           "Below is the plan as it would be if what is too small had no end.\n";
  }
  text += "program: " + std::to_string(report.bytes) + " bytes, of which " +
          std::to_string(report.constant_bytes) + " are constants; memory planner " +
          report.memory_planner + "; " + seconds + " s\n";
  if (report.quantized) {
    text += "quantized: " + std::to_string(report.quantized->integer_steps) +
            " steps of integers, " + std::to_string(report.quantized->float_steps) +
            " of floats between quantized values\n";
  }
  for (const std::string& note : report.notes) text += "note: " + printable_lines(note) + "\n";
  for (const SharedArena& arena : report.shared) {
    text += "arena " + arena.name + " of board " + arena.board + (arena.vulkan ? " (Vulkan)" : "") +
            ", shared by all methods: " + memory::bytes_text(arena.peak_bytes) + "\n";
  }
  for (const RamReport& ram : report.ram) {
    text += "\nboard " + ram.board + ", all that firmware takes of its memories, in bytes:\n" +
            ram_text(ram);
  }
  for (const VariantReport& variant : report.variants) {
    text += "\n" + variant_text(variant, report.program_memories) + steps_text(variant);
  }
  return text;
}

std::string explained_text(const PlanReport& report) {
  std::string text;
  for (const VariantReport& variant : report.variants) {
    if (!variant.explained.empty()) text += title(variant) + ":\n" + steps_text(variant);
  }
  return text;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
