// One planted mistake after another: each is refused, at the right place, for the right reason.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <ostream>
#include <string>

#include "tests/core/sample_programs.h"
#include "tests/core/test_machine.h"

namespace arenite::tests {
namespace {

using format::ArenaKind;
using format::ValueRecord;
using format::Where;
using planner::ProgramTables;

enum class Stage { kOpen, kGpu, kCpu };

struct Mistake {
  std::string name;
  Stage stage;
  Code code;
  uint32_t step, value;  // expected, kNoIndex for none
  std::function<void(ProgramTables&)> plant;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

constexpr uint32_t kNone = kNoIndex;
using G = GpuValues;
using C = CpuValues;

ValueRecord& cpu(ProgramTables& t, uint32_t value) { return t.values[kCpuValueFirst + value]; }
format::StepRecord& cpu_step(ProgramTables& t, uint32_t step) {
  return t.steps[kCpuStepFirst + step];
}
uint32_t& operand(ProgramTables& t, const format::StepRecord& step, uint32_t k) {
  return t.operands[step.operand_first + k];
}
uint32_t& dim(ProgramTables& t, const ValueRecord& v, uint32_t d) { return t.shapes[v.shape + d]; }
// The variant's own io words: x, y.
uint32_t& io(ProgramTables& t, uint32_t variant, uint32_t k) {
  return t.io[t.variants[variant].io_first + k];
}

const std::vector<Mistake>& open_mistakes() {
  static const std::vector<Mistake> mistakes = {
      {"too_many_sections", Stage::kOpen, Code::kBadTable, kNone, 2,
       [](auto& t) { t.sections.resize(17); }},
      {"constant_type", Stage::kOpen, Code::kBadValue, kNone, C::kC,
       [](auto& t) { t.constants[0].dtype = 8; }},
      {"constant_rank", Stage::kOpen, Code::kBadValue, kNone, C::kC,
       [](auto& t) { t.constants[0].rank = 9; }},
      {"constant_layout", Stage::kOpen, Code::kBadValue, kNone, C::kC,
       [](auto& t) { t.constants[0].layout = 2; }},
      {"constant_in_blocks_unannounced", Stage::kOpen, Code::kBadValue, kNone, C::kC,
       [](auto& t) {
         t.required_features |= format::kPacked4Feature;
         t.constants[0].layout = 3;
       }},
      {"constant_packed4_unannounced", Stage::kOpen, Code::kBadValue, kNone, C::kC,
       [](auto& t) {
         t.required_features |= format::kBlockedFeature;
         t.constants[0].dtype = static_cast<uint8_t>(DType::kInt8);
         t.constants[0].layout = 2;
       }},
      {"constant_layout_beyond_all", Stage::kOpen, Code::kBadValue, kNone, C::kC,
       [](auto& t) {
         t.required_features |= format::kBlockedFeature | format::kPacked4Feature;
         t.constants[0].layout = 4;
       }},
      {"constant_shape", Stage::kOpen, Code::kBadIndex, kNone, C::kC,
       [](auto& t) { t.constants[0].shape = 0xfffffffe; }},
      {"constant_offset_odd", Stage::kOpen, Code::kBadAlignment, kNone, C::kC,
       [](auto& t) {
         t.sections[0].bytes.resize(40);
         t.constants[0].offset = 2;
       }},
      {"constant_dims_leave_bytes", Stage::kOpen, Code::kBadValue, kNone, C::kC,
       [](auto& t) { t.constants[0].bytes = 28; }},
      {"constant_panels_too_small", Stage::kOpen, Code::kBadValue, kNone, C::kC,
       [](auto& t) {
         t.constants[0].layout = 1;
         t.constants[0].bytes = 28;
       }},
      {"constant_section", Stage::kOpen, Code::kBadIndex, kNone, C::kC,
       [](auto& t) { t.constants[0].place = 1; }},
      {"constant_in_other_kind", Stage::kOpen, Code::kBadIndex, kNone, C::kC,
       [](auto& t) { t.sections[0].kind = format::SectionKind::kNames; }},
      {"constant_range", Stage::kOpen, Code::kBadRange, kNone, C::kC,
       [](auto& t) { t.constants[0].bytes = 33; }},
      {"constant_range_wraps", Stage::kOpen, Code::kBadRange, kNone, C::kC,
       [](auto& t) { t.constants[0].offset = 0xfffffff0; }},
      {"arena_name", Stage::kOpen, Code::kBadIndex, kNone, 1,
       [](auto& t) { t.arenas[1].name_offset = 0xffffffff; }},
      {"arena_kind", Stage::kOpen, Code::kBadIndex, kNone, 1,
       [](auto& t) { t.arenas[1].kind = 6; }},
      {"arena_alignment_0", Stage::kOpen, Code::kBadAlignment, kNone, 1,
       [](auto& t) { t.arenas[1].alignment = 0; }},
      {"arena_alignment_12", Stage::kOpen, Code::kBadAlignment, kNone, 1,
       [](auto& t) { t.arenas[1].alignment = 12; }},
      {"method_name", Stage::kOpen, Code::kBadIndex, kNone, 0,
       [](auto& t) { t.methods[0].name_bytes = 1000; }},
      {"method_without_variants", Stage::kOpen, Code::kBadIndex, kNone, kNone,
       [](auto& t) { t.methods[1].variant_count = 0; }},
      {"method_variants_shared", Stage::kOpen, Code::kBadIndex, kNone, 1,
       [](auto& t) { t.methods[1].variant_first = 1; }},
      {"method_variants_outside", Stage::kOpen, Code::kBadIndex, kNone, 1,
       [](auto& t) { t.methods[1].variant_count = 0xffffffff; }},
      {"variant_of_no_method", Stage::kOpen, Code::kBadIndex, kNone, 3,
       [](auto& t) { t.variants.push_back({}); }},
      {"board_name", Stage::kOpen, Code::kBadIndex, kNone, 1,
       [](auto& t) { t.variants[1].board_offset = 5000; }},
      {"requirement_range", Stage::kOpen, Code::kBadIndex, kNone, 2,
       [](auto& t) { t.variants[2].requirement_count = 1; }},
      {"too_many_arenas", Stage::kOpen, Code::kBadIndex, kNone, 2,
       [](auto& t) { t.variants[2].arena_count = kMaxArenas + 1; }},
      {"arena_range", Stage::kOpen, Code::kBadIndex, kNone, 2,
       [](auto& t) { t.variants[2].arena_count = 2; }},
      {"values_shared", Stage::kOpen, Code::kBadIndex, kNone, 1,
       [](auto& t) { t.variants[1].value_first = 0; }},
      {"value_range", Stage::kOpen, Code::kBadIndex, kNone, 2,
       [](auto& t) { t.variants[2].value_count = 3; }},
      {"step_range", Stage::kOpen, Code::kBadIndex, kNone, 2,
       [](auto& t) { t.variants[2].step_first = 0xffffffff; }},
      {"io_range", Stage::kOpen, Code::kBadIndex, kNone, kNone,
       [](auto& t) { t.methods[1].input_count = 2; }},
      {"io_count", Stage::kOpen, Code::kBadIndex, kNone, kNone,
       [](auto& t) {
         t.methods[1].input_count = 0xffffffff;
         t.methods[1].output_count = 3;
       }},
      {"io_value", Stage::kOpen, Code::kBadIndex, kNone, 2, [](auto& t) { io(t, 2, 1) = 2; }},
      {"io_type_differs", Stage::kOpen, Code::kBadValue, kNone, C::kX,
       [](auto& t) { cpu(t, C::kX).dtype = static_cast<uint8_t>(DType::kInt32); }},
      {"io_rank_differs", Stage::kOpen, Code::kBadValue, kNone, C::kY8,
       [](auto& t) { io(t, 1, 1) = C::kY8; }},
      {"io_dims_differ", Stage::kOpen, Code::kBadValue, kNone, C::kX,
       [](auto& t) { dim(t, cpu(t, C::kX), 0) = 1; }},
      {"value_type", Stage::kOpen, Code::kBadValue, kNone, C::kT,
       [](auto& t) { cpu(t, C::kT).dtype = 8; }},
      {"value_rank", Stage::kOpen, Code::kBadValue, kNone, C::kT,
       [](auto& t) { cpu(t, C::kT).rank = 9; }},
      {"value_layout", Stage::kOpen, Code::kBadValue, kNone, C::kT,
       [](auto& t) { cpu(t, C::kT).layout = 2; }},
      {"value_kind", Stage::kOpen, Code::kBadValue, kNone, C::kT,
       [](auto& t) { cpu(t, C::kT).kind = 3; }},
      {"value_shape", Stage::kOpen, Code::kBadIndex, kNone, C::kT,
       [](auto& t) { cpu(t, C::kT).shape = 0xfffffffe; }},
      {"value_arena", Stage::kOpen, Code::kBadIndex, kNone, C::kT,
       [](auto& t) { cpu(t, C::kT).place = 1; }},
      {"view_of_itself", Stage::kOpen, Code::kBadIndex, kNone, C::kV,
       [](auto& t) { cpu(t, C::kV).below_or_root = C::kV; }},
      {"view_of_later", Stage::kOpen, Code::kBadIndex, kNone, C::kV,
       [](auto& t) { cpu(t, C::kV).below_or_root = C::kM; }},
      {"view_of_constant", Stage::kOpen, Code::kBadIndex, kNone, C::kV,
       [](auto& t) { cpu(t, C::kV).below_or_root = C::kC; }},
      {"operand_constant", Stage::kOpen, Code::kBadIndex, 0, format::kConstantBit | 1,
       [](auto& t) { operand(t, cpu_step(t, 0), 1) = format::kConstantBit | 1; }},
      {"scratch_is_constant", Stage::kOpen, Code::kBadIndex, 2, C::kC,
       [](auto& t) { operand(t, cpu_step(t, 2), 3) = C::kC; }},
      {"view_of_view", Stage::kOpen, Code::kBadIndex, kNone, C::kY8,
       [](auto& t) { cpu(t, C::kY8).below_or_root = C::kV; }},
      {"view_in_other_arena", Stage::kOpen, Code::kBadIndex, kNone, G::kV,
       [](auto& t) {
         t.values[G::kV].place = 0;
         t.arenas[0].bytes = 1u << 20;
       }},
      {"step_operands", Stage::kOpen, Code::kBadIndex, 0, kNone,
       [](auto& t) { t.steps.back().operand_first = 0xffffffff; }},
      {"step_operand_count", Stage::kOpen, Code::kBadIndex, 0, kNone,
       [](auto& t) { t.steps.back().input_count = 0xffff; }},
      {"step_operands_shared", Stage::kOpen, Code::kBadIndex, 1, kNone,
       [](auto& t) { t.steps[1].operand_first = 0; }},
      {"step_operand_value", Stage::kOpen, Code::kBadIndex, 0, 2,
       [](auto& t) { operand(t, t.steps.back(), 0) = 2; }},
      {"step_output_absent", Stage::kOpen, Code::kBadIndex, 0, kNone,
       [](auto& t) { operand(t, t.steps.back(), 2) = kNoIndex; }},
      {"step_two_scratches", Stage::kOpen, Code::kBadIndex, 2, kNone,
       [](auto& t) {
         cpu_step(t, 2).scratch_count = 2;
         cpu_step(t, 2).output_count = 0;
       }},
      {"step_attributes", Stage::kOpen, Code::kBadIndex, 0, kNone,
       [](auto& t) { t.steps.back().attribute_first = 0xfffffffe; }},
  };
  return mistakes;
}

const std::vector<Mistake>& value_mistakes() {
  static const std::vector<Mistake> mistakes = {
      {"value_leaves_arena", Stage::kOpen, Code::kBadRange, kNone, C::kM,
       [](auto& t) { cpu(t, C::kM).bytes = 41; }},
      {"value_offset_wraps", Stage::kOpen, Code::kBadRange, kNone, C::kM,
       [](auto& t) { cpu(t, C::kM).offset = 0xfffffff0; }},
      {"value_offset_odd", Stage::kOpen, Code::kBadAlignment, kNone, C::kM,
       [](auto& t) { cpu(t, C::kM).offset = 94; }},
      {"arena_alignment_low", Stage::kOpen, Code::kBadAlignment, kNone, C::kX,
       [](auto& t) { t.arenas[kCpuArena].alignment = 2; }},
      {"dims_leave_bytes", Stage::kOpen, Code::kBadValue, kNone, C::kT,
       [](auto& t) { dim(t, cpu(t, C::kT), 0) = 3; }},
      {"strides_leave_bytes", Stage::kOpen, Code::kBadValue, kNone, C::kT,
       [](auto& t) { dim(t, cpu(t, C::kT), 2) = 7; }},
      {"too_many_elements", Stage::kOpen, Code::kBadValue, kNone, C::kT,
       [](auto& t) {
         dim(t, cpu(t, C::kT), 0) = 0x80000000;
         dim(t, cpu(t, C::kT), 1) = 1;
         dim(t, cpu(t, C::kT), 2) = 0;
       }},
      {"panels_of_a_vector", Stage::kOpen, Code::kBadValue, kNone, C::kM,
       [](auto& t) { cpu(t, C::kM).layout = 1; }},
      {"blocks_of_a_vector", Stage::kOpen, Code::kBadValue, kNone, C::kM,
       [](auto& t) {
         t.required_features |= format::kBlockedFeature;
         cpu(t, C::kM).layout = 3;
       }},
      {"life_ends_before_it_begins", Stage::kOpen, Code::kBadValue, kNone, C::kM,
       [](auto& t) { cpu(t, C::kM).last_step = 1; }},
      {"life_after_the_last_step", Stage::kOpen, Code::kBadValue, kNone, C::kY,
       [](auto& t) { cpu(t, C::kY).last_step = 4; }},
      {"view_before_its_root", Stage::kOpen, Code::kBadValue, kNone, C::kV,
       [](auto& t) { cpu(t, C::kV).offset = 44; }},
      {"view_beyond_its_root", Stage::kOpen, Code::kBadValue, kNone, C::kV,
       [](auto& t) { cpu(t, C::kV).bytes = 44; }},
      {"view_outlives_its_root", Stage::kOpen, Code::kBadValue, kNone, C::kV,
       [](auto& t) { cpu(t, C::kV).last_step = 3; }},
      {"view_older_than_its_root", Stage::kOpen, Code::kBadValue, kNone, C::kY8,
       [](auto& t) { cpu(t, C::kY8).first_step = 2; }},
      {"overlap", Stage::kCpu, Code::kOverlap, 2, C::kV,
       [](auto& t) { cpu(t, C::kM).offset = 80; }},
      {"wrong_certificate", Stage::kCpu, Code::kOverlap, kNone, C::kM,
       [](auto& t) { cpu(t, C::kM).below_or_root = C::kX; }},
      {"no_certificate", Stage::kCpu, Code::kOverlap, kNone, C::kM,
       [](auto& t) { cpu(t, C::kM).below_or_root = kNoIndex; }},
  };
  return mistakes;
}

const std::vector<Mistake>& step_mistakes() {
  static const std::vector<Mistake> mistakes = {
      {"unknown_op", Stage::kCpu, Code::kNoForm, 0, 60000,
       [](auto& t) { cpu_step(t, 0).op = 60000; }},
      {"op_number_0", Stage::kCpu, Code::kNoForm, 0, 0, [](auto& t) { cpu_step(t, 0).op = 0; }},
      {"view_op_that_runs", Stage::kCpu, Code::kNoForm, 0, static_cast<uint32_t>(Op::kReshape),
       [](auto& t) { cpu_step(t, 0).op = static_cast<uint16_t>(Op::kReshape); }},
      {"no_form", Stage::kCpu, Code::kNoForm, 0, static_cast<uint32_t>(Op::kConv),
       [](auto& t) { cpu_step(t, 0).op = static_cast<uint16_t>(Op::kConv); }},
      {"vulkan_without_device", Stage::kCpu, Code::kBadStep, 0, C::kX,
       [](auto& t) { cpu_step(t, 0).where = static_cast<uint8_t>(Where::kVulkan); }},
      {"transfer_without_device", Stage::kCpu, Code::kBadStep, 0, C::kX,
       [](auto& t) {
         cpu_step(t, 0).where = static_cast<uint8_t>(Where::kTransfer);
         cpu_step(t, 0).op = static_cast<uint16_t>(Op::kCopy);
       }},
      {"input_not_yet_written", Stage::kCpu, Code::kBadStep, 0, C::kM,
       [](auto& t) { operand(t, cpu_step(t, 0), 1) = C::kM; }},
      {"input_dead", Stage::kCpu, Code::kBadStep, 2, C::kX,
       [](auto& t) { operand(t, cpu_step(t, 2), 0) = C::kX; }},
      {"input_never_written", Stage::kCpu, Code::kBadStep, 3, C::kS,
       [](auto& t) {
         cpu(t, C::kS).last_step = 3;
         cpu_step(t, 2).op = static_cast<uint16_t>(Op::kAdd);
         cpu_step(t, 2).scratch_count = 0;
         operand(t, cpu_step(t, 3), 0) = C::kS;
       }},
      {"input_written_by_itself", Stage::kCpu, Code::kBadStep, 0, C::kT,
       [](auto& t) { operand(t, cpu_step(t, 0), 0) = C::kT; }},
      {"view_of_nothing_written", Stage::kCpu, Code::kBadStep, 1, C::kM,
       [](auto& t) { operand(t, cpu_step(t, 1), 0) = C::kM; }},
      {"output_is_constant", Stage::kOpen, Code::kBadIndex, 0, C::kC,
       [](auto& t) { operand(t, cpu_step(t, 0), 2) = C::kC; }},
      {"output_is_the_input", Stage::kCpu, Code::kBadStep, 0, C::kX,
       [](auto& t) {
         operand(t, cpu_step(t, 0), 0) = C::kC;
         operand(t, cpu_step(t, 0), 2) = C::kX;
       }},
      {"output_born_elsewhere", Stage::kCpu, Code::kBadStep, 3, C::kM,
       [](auto& t) { operand(t, cpu_step(t, 3), 2) = C::kM; }},
      {"output_view_born_elsewhere", Stage::kCpu, Code::kBadStep, 2, C::kV,
       [](auto& t) { operand(t, cpu_step(t, 2), 2) = C::kV; }},
      {"vulkan_that_writes_nothing", Stage::kCpu, Code::kBadStep, 0, kNone,
       [](auto& t) {
         cpu_step(t, 0).where = static_cast<uint8_t>(Where::kVulkan);
         cpu_step(t, 0).output_count = 0;
       }},
      {"output_written_twice_by_a_step", Stage::kCpu, Code::kBadStep, 2, C::kM,
       [](auto& t) { operand(t, cpu_step(t, 2), 3) = C::kM; }},
      {"elements_share_bytes", Stage::kOpen, Code::kBadValue, kNone, C::kT,
       [](auto& t) {
         dim(t, cpu(t, C::kT), 0) = 1000;
         dim(t, cpu(t, C::kT), 2) = 0;
       }},
      // In bytes enough for all: [2, 4] with both strides 1, and rows that reach into the next one.
      {"elements_interleaved", Stage::kOpen, Code::kBadValue, kNone, C::kT,
       [](auto& t) {
         dim(t, cpu(t, C::kT), 2) = 1;
         dim(t, cpu(t, C::kT), 3) = 1;
       }},
      {"rows_that_overlap", Stage::kOpen, Code::kBadValue, kNone, C::kT,
       [](auto& t) { dim(t, cpu(t, C::kT), 2) = 3; }},
      // Records are compared with those that were checked before them.
      {"elements_interleaved_as_those_of_a_constant", Stage::kOpen, Code::kBadValue, kNone, C::kT,
       [](auto& t) {
         dim(t, cpu(t, C::kT), 2) = 1;
         dim(t, cpu(t, C::kT), 3) = 1;
         t.constants[0].shape = cpu(t, C::kT).shape;
         cpu(t, C::kT).bytes = t.constants[0].bytes;
       }},
      {"range_wraps_of_a_shape_that_is_known", Stage::kOpen, Code::kBadRange, kNone, C::kT,
       [](auto& t) {
         cpu(t, C::kT).shape = cpu(t, C::kX).shape;
         cpu(t, C::kT).bytes = cpu(t, C::kX).bytes;
         cpu(t, C::kT).offset = 0xfffffff0;
       }},
      {"offset_odd_of_a_shape_that_is_known", Stage::kOpen, Code::kBadAlignment, kNone, C::kT,
       [](auto& t) {
         cpu(t, C::kT).shape = cpu(t, C::kX).shape;
         cpu(t, C::kT).bytes = cpu(t, C::kX).bytes;
         cpu(t, C::kT).offset += 2;
         t.arenas[kCpuArena].bytes += 4;
       }},
      {"output_view_of_one_place", Stage::kCpu, Code::kBadShape, 3, C::kY8,
       [](auto& t) { dim(t, cpu(t, C::kY8), 1) = 0; }},
      {"variant_flag", Stage::kOpen, Code::kBadValue, kNone, kNone,
       [](auto& t) { t.variants[1].flags |= 4; }},
      {"variant_reserved", Stage::kOpen, Code::kBadValue, kNone, kNone,
       [](auto& t) { t.variants[1].reserved[5] = 1; }},
      {"step_flag", Stage::kOpen, Code::kBadValue, 1, kNone,
       [](auto& t) { cpu_step(t, 1).flags |= 4; }},
      {"scale_of_zero", Stage::kOpen, Code::kBadValue, kNone, 0,
       [](auto& t) { t.quantization = {{kScale, 0, 0, 0}}; }},
      {"scale_below_zero", Stage::kOpen, Code::kBadValue, kNone, 0,
       [](auto& t) { t.quantization = {{kScale, 0, std::bit_cast<uint32_t>(-0.5f), 0}}; }},
      {"scale_infinite", Stage::kOpen, Code::kBadValue, kNone, 1,
       [](auto& t) {
         t.quantization = {{kScale, 0, 1, 0}, {kScale, 1, std::bit_cast<uint32_t>(INFINITY), 0}};
       }},
      {"scale_no_number", Stage::kOpen, Code::kBadValue, kNone, 0,
       [](auto& t) { t.quantization = {{kScale, 0, std::bit_cast<uint32_t>(NAN), 0}}; }},
      {"two_scales_of_an_input", Stage::kOpen, Code::kBadIndex, kNone, 1,
       [](auto& t) { t.quantization = {{kScale, 0, 1, 0}, {kScale, 0, 1, 0}}; }},
      {"scales_out_of_order", Stage::kOpen, Code::kBadIndex, kNone, 1,
       [](auto& t) { t.quantization = {{kTwice, 0, 1, 0}, {kScale, 0, 1, 0}}; }},
      {"scale_of_no_tensor", Stage::kOpen, Code::kBadIndex, kNone, 0,
       [](auto& t) { t.quantization = {{kScale, 2, 1, 0}}; }},
      {"scratch_outlives_its_step", Stage::kCpu, Code::kBadStep, 2, C::kS,
       [](auto& t) { cpu(t, C::kS).last_step = 3; }},
      {"scratch_is_an_input", Stage::kCpu, Code::kBadStep, 2, C::kX,
       [](auto& t) { operand(t, cpu_step(t, 2), 3) = C::kX; }},
      {"scratch_missing", Stage::kCpu, Code::kBadScratch, 2, kNone,
       [](auto& t) { cpu_step(t, 2).scratch_count = 0; }},
      {"scratch_too_small", Stage::kCpu, Code::kBadScratch, 2, kNone,
       [](auto& t) { t.variants[1].threads_max = 2; }},
      {"view_step_of_other_bytes", Stage::kCpu, Code::kBadStep, 1, C::kY,
       [](auto& t) { operand(t, cpu_step(t, 1), 1) = C::kY; }},
      {"form_alignment", Stage::kCpu, Code::kBadAlignment, 2, C::kV,
       [](auto& t) {
         cpu(t, C::kT).offset = 52;
         cpu(t, C::kV).offset = 52;
       }},
      {"form_alignment_of_arena", Stage::kCpu, Code::kBadAlignment, 2, C::kV,
       [](auto& t) { t.arenas[kCpuArena].alignment = 8; }},
      {"form_over_read", Stage::kCpu, Code::kBadRange, 2, C::kV,
       [](auto& t) { cpu(t, C::kV).bytes = 36; }},
      {"contract_layout", Stage::kCpu, Code::kBadLayout, 0, C::kX,
       [](auto& t) { cpu(t, C::kX).layout = 1; }},
      {"contract_blocks", Stage::kCpu, Code::kBadLayout, 0, C::kC,
       [](auto& t) {
         t.required_features |= format::kBlockedFeature;
         t.constants[0].layout = 3;
       }},
      {"op_layout", Stage::kCpu, Code::kBadLayout, 0, 1,
       [](auto& t) { t.constants[0].layout = 1; }},
      {"op_attributes", Stage::kCpu, Code::kBadAttribute, 0, kNone,
       [](auto& t) {
         // A word that nobody here knows, and that is not 0.
         cpu_step(t, 0).attribute_first = static_cast<uint32_t>(t.attributes.size());
         cpu_step(t, 0).attribute_words = 5;
         t.attributes.insert(t.attributes.end(), {0, 0, 0, 0, 5});
       }},
      {"op_type", Stage::kCpu, Code::kBadType, 0, C::kC,
       [](auto& t) { t.constants[0].dtype = static_cast<uint8_t>(DType::kInt32); }},
      {"op_shape", Stage::kCpu, Code::kBadShape, 0, 1,
       [](auto& t) { t.shapes[t.constants[0].shape] = 1; }},
      {"op_operand_absent", Stage::kCpu, Code::kBadOperandCount, 0, kNone,
       [](auto& t) { operand(t, cpu_step(t, 0), 1) = kNoIndex; }},
      {"io_input_late", Stage::kCpu, Code::kBadStep, 0, C::kX,
       [](auto& t) {
         cpu(t, C::kX).first_step = 1;
         cpu(t, C::kX).last_step = 1;
       }},
      {"io_input_is_constant", Stage::kOpen, Code::kBadIndex, kNone, C::kC,
       [](auto& t) {
         io(t, 1, 0) = C::kC;
         operand(t, cpu_step(t, 0), 0) = C::kC;
       }},
      {"io_output_dies_early", Stage::kCpu, Code::kBadValue, kNone, C::kT,
       [](auto& t) { io(t, 1, 1) = C::kT; }},
      {"io_output_never_written", Stage::kCpu, Code::kBadStep, 3, C::kM,
       [](auto& t) { operand(t, cpu_step(t, 3), 2) = C::kM; }},
      {"io_output_not_row_major", Stage::kCpu, Code::kBadValue, kNone, C::kY,
       [](auto& t) {
         dim(t, cpu(t, C::kY), 2) = 1;
         dim(t, cpu(t, C::kY), 3) = 2;
       }},
      {"io_input_in_device_memory", Stage::kGpu, Code::kBadValue, kNone, G::kX,
       [](auto& t) {
         t.arenas[0].kind = static_cast<uint32_t>(ArenaKind::kDevice);
         t.steps[5].where = static_cast<uint8_t>(Where::kVulkan);
         // Between r, which its step reads, and y.
         t.arenas[2].bytes = 128;
         t.values[G::kM].place = 2;
         t.values[G::kM].offset = 80;
       }},
      {"cpu_step_in_device_memory", Stage::kGpu, Code::kBadStep, 4, G::kR,
       [](auto& t) { t.arenas[2].kind = static_cast<uint32_t>(ArenaKind::kDevice); }},
      {"device_step_in_host_memory", Stage::kGpu, Code::kBadStep, 6, G::kU,
       [](auto& t) {
         t.values[G::kU].place = 3;
         t.values[G::kU].offset = 48;
       }},
      {"transfer_of_other_op", Stage::kGpu, Code::kBadStep, 1, kNone,
       [](auto& t) { t.steps[1].where = static_cast<uint8_t>(Where::kTransfer); }},
      {"transfer_of_other_dims", Stage::kGpu, Code::kBadShape, 0, 0,
       [](auto& t) {
         dim(t, t.values[G::kD0], 0) = 4;
         dim(t, t.values[G::kD0], 1) = 2;
         dim(t, t.values[G::kD0], 2) = 2;
       }},
      {"transfer_of_other_strides", Stage::kGpu, Code::kBadStep, 0, kNone,
       [](auto& t) {
         dim(t, t.values[G::kD0], 2) = 1;
         dim(t, t.values[G::kD0], 3) = 2;
       }},
      {"transfer_of_other_bytes", Stage::kGpu, Code::kBadStep, 3, kNone,
       [](auto& t) { t.values[G::kR].bytes = 36; }},
      {"transfer_of_constant", Stage::kGpu, Code::kBadStep, 0, kNone,
       [](auto& t) { operand(t, t.steps[0], 0) = G::kC; }},
  };
  return mistakes;
}

class Refusal : public testing::TestWithParam<Mistake> {};

TEST_P(Refusal, IsGivenWithItsReason) {
  const Mistake& mistake = GetParam();
  ProgramTables tables = sample_builder().tables();
  mistake.plant(tables);
  Machine machine(planner::write_program(tables));
  Status status = machine.opened;
  if (mistake.stage != Stage::kOpen) {
    ASSERT_TRUE(status.ok()) << "open refused it: " << static_cast<uint32_t>(status.code);
    status = machine.load(kScale, mistake.stage == Stage::kGpu ? 0 : 1);
    EXPECT_FALSE(machine.instance.loaded());
  } else {
    EXPECT_TRUE(machine.program.methods().empty());
  }
  EXPECT_EQ(static_cast<uint32_t>(status.code), static_cast<uint32_t>(mistake.code));
  EXPECT_EQ(status.step, mistake.step);
  EXPECT_EQ(status.value, mistake.value);
}

std::string name_of(const testing::TestParamInfo<Mistake>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(AtOpen, Refusal, testing::ValuesIn(open_mistakes()), name_of);
INSTANTIATE_TEST_SUITE_P(Values, Refusal, testing::ValuesIn(value_mistakes()), name_of);
INSTANTIATE_TEST_SUITE_P(Steps, Refusal, testing::ValuesIn(step_mistakes()), name_of);

// The sections' places are the writer's, so these are planted in the file.
TEST(SectionRefusal, PlaceAndAlignment) {
  std::vector<std::byte> file = sample_builder().file();
  Machine good(file);
  const auto at = reinterpret_cast<const std::byte*>(good.program.sections().data()) -
                  good.program.file().data();
  auto& record = *reinterpret_cast<format::SectionRecord*>(file.data() + at);
  const format::SectionRecord before = record;
  const auto open = [&] {
    planner::reseal_program(file);
    return Machine(file).opened.code;
  };
  EXPECT_EQ(open(), Code::kOk);
  record.offset += 4;
  EXPECT_EQ(open(), Code::kBadRange);
  record.offset -= 8;
  EXPECT_EQ(open(), Code::kBadAlignment);
  record.offset = 0xffffffc0;
  EXPECT_EQ(open(), Code::kBadRange);
  record = before;
  record.bytes = 0xffffffff;
  EXPECT_EQ(open(), Code::kBadRange);
}

TEST(Refusal, TwoInputsThatAreOneValue) {
  ProgramBuilder b;
  b.method("m", 2, 0);
  b.variant("board");
  b.arena(format::ArenaKind::kHost, 16);
  const uint32_t x = b.value({.dims = {4}});
  b.io({x, x});
  Machine machine(b.file());
  ASSERT_TRUE(machine.opened.ok());
  const Status status = machine.load();
  EXPECT_EQ(status.code, Code::kBadValue);
  EXPECT_EQ(status.value, x);
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
