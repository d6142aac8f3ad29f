// The stored records of a program, word by word (docs/format.md): all little-endian 32-bit words.
#pragma once

#include <cstdint>

namespace arenite::format {

inline constexpr uint32_t kMagic0 = 0x4e455241;  // "AREN"
inline constexpr uint32_t kMagic1 = 0x00455449;  // "ITE\0"
inline constexpr uint32_t kVersion = 2;
inline constexpr uint32_t kOldestVersion = 2;  // 1 was never released
inline constexpr uint32_t kSegmentAlignment = 64;

// Bits of Header::required_features.
enum Features : uint32_t {
  kOverlapFeature = 1u << 0,     // some value yields its bytes to an output of its last step
  kPacked4Feature = 1u << 1,     // some operand has two elements a byte (Layout::kPacked4)
  kBlockedFeature = 1u << 2,     // some operand lies in blocks of its own size (Layout::kBlocked)
  kPredicatesFeature = 1u << 8,  // stretches of steps that are left out on a condition
  kDimsFeature = 1u << 11,       // dims that follow from symbols
  kCutsFeature = 1u << 12,       // some step begins a stretch of device steps
  kSharedStatesFeature = 1u << 13,  // the arenas of states of a board's variants are one memory
  // Reserved: readers refuse them until they can run such programs.
  kLoopFeature = 1u << 9,        // steps that run again, max_trips times at most
  kLoopPlaceFeature = 1u << 10,  // in a loop: operands at offset + trip * stride, perhaps modulo
};
inline constexpr uint32_t kKnownFeatures = kOverlapFeature | kPacked4Feature | kBlockedFeature |
                                           kPredicatesFeature | kDimsFeature |
                                           kSharedStatesFeature | kCutsFeature;

struct Header {
  uint32_t magic[2];
  uint32_t version;            // of the writer
  uint32_t min_reader;         // oldest reader version that may load it
  uint32_t required_features;  // unknown bits: refused
  uint32_t optional_features;  // unknown bits: ignored
  uint32_t file_bytes;
  uint32_t plan_offset;  // 4-aligned
  uint32_t plan_bytes;
  uint32_t plan_checksum;
  uint32_t reserved[5];      // 0
  uint32_t header_checksum;  // of the 60 bytes before
};
static_assert(sizeof(Header) == 64);

enum class SectionKind : uint32_t {
  kConstants = 1,
  kNames = 2,
  kSourceMap = 3,
  kTestVectors = 4,
  kSignature = 5,          // of all bytes before it; the last section
  kExternalConstants = 6,  // constants in another file, at `offset` of that
  kCounts = 7,             // which outputs tell how many rows of others hold results
};

// Whether ConstantRecords may lie in a section.
constexpr bool holds_constants(uint32_t kind) {
  return kind == static_cast<uint32_t>(SectionKind::kConstants) ||
         kind == static_cast<uint32_t>(SectionKind::kExternalConstants);
}

// The tables of the plan by their field numbers in schema/program.proto.
enum class Table : uint32_t {
  kSections = 2,
  kMethods = 3,
  kVariants = 4,
  kRequirements = 5,
  kArenas = 6,
  kValues = 7,
  kShapes = 8,
  kSteps = 9,
  kOperands = 10,
  kAttributes = 11,
  kConstants = 12,
  kIo = 13,
  kStrings = 14,
  kStates = 16,
  kQuantization = 17,
  kConstantFiles = 18,
  kDescriptorSets = 19,
  kPredicates = 20,
  kSymbols = 21,
  kSymbolicVariants = 22,
  kExpressions = 23,
  kPatches = 24,
};
inline constexpr uint32_t kFirstTable = 2;
inline constexpr uint32_t kTableSlots = 25 - kFirstTable;  // that of field 15 holds no table

struct SectionRecord {
  uint32_t kind, offset, bytes, checksum;
};

struct MethodRecord {
  uint32_t name_offset, name_bytes;  // into strings
  uint32_t variant_first, variant_count;
  uint32_t input_count, output_count;
};

struct VariantRecord {
  uint32_t board_offset, board_bytes;  // into strings: the board it was planned for
  uint32_t requirement_first, requirement_count;
  uint32_t arena_first, arena_count;
  uint32_t value_first, value_count;
  uint32_t step_first, step_count;
  uint32_t io_first;  // input_count inputs, then output_count outputs
  uint32_t flags;     // VariantFlags
  uint32_t threads_max;
  uint32_t dispatches;  // exact counts for Vulkan objects from here on; all 0 for a CPU variant
  uint32_t pipelines;   // distinct (shader, specialisation) pairs
  uint32_t descriptor_set_first, descriptor_set_count;  // one record for each layout
  uint32_t parameter_bytes;                             // of the dispatches' parameter blocks
  uint32_t reserved[6];                                 // 0
};
static_assert(sizeof(VariantRecord) == 96);

enum VariantFlags : uint32_t {
  kReservesFallback = 1u << 0,  // inputs live to the end: a lost device can be re-run on the CPU
  kExactForms = 1u << 1,        // planned for the steps' forms alone: no other may take their place
};
inline constexpr uint32_t kKnownVariantFlags = kReservesFallback | kExactForms;

// The variant may run where capability `id` is at least `minimum` (core/capabilities.h).
struct RequirementRecord {
  uint32_t id, minimum;
};

// Descriptor sets of one layout: four bits for each binding, from the lowest on (Binding).
struct DescriptorSetRecord {
  uint32_t layout, count;
};

enum class Binding : uint32_t { kNone = 0, kStorageBuffer = 1, kUniformBuffer = 2 };

enum class ArenaKind : uint32_t {
  kHost = 0,
  kDevice = 1,
  kUpload = 2,
  kReadback = 3,
  kCaller = 4,  // memory for inputs or outputs that the caller gives, other memory for each run
  kState = 5,   // inputs that are states, and nothing else: kept between runs
};

// Whether a backend owns the memory of an arena; else it is the caller's.
constexpr bool is_device_arena(ArenaKind kind) {
  return kind == ArenaKind::kDevice || kind == ArenaKind::kUpload || kind == ArenaKind::kReadback;
}

struct ArenaRecord {
  uint32_t name_offset, name_bytes;  // the memory of the board it lies in
  uint32_t kind;                     // ArenaKind
  uint32_t bytes, alignment;
};

// The fields that values and constants share: they describe the elements.
struct ElementsRecord {
  uint8_t dtype, rank, layout;
  uint8_t place;    // value: arena index (relative to the variant); constant: section
  uint32_t shape;   // first of rank dims, then rank strides (elements), in shapes
  uint32_t offset;  // bytes from the start of its place
  uint32_t bytes;   // storage it owns or may touch, tails included
};

// Bytes of a section of constants as an operand: the same bytes may be several.
struct ConstantRecord : ElementsRecord {};
static_assert(sizeof(ConstantRecord) == 16);

enum class ValueKind : uint8_t {
  kArena = 0,  // owns bytes of an arena
  kView = 1,   // other dims and strides over bytes of an arena value (its root)
};

struct ValueRecord : ElementsRecord {
  uint8_t kind;         // ValueKind
  uint8_t yields;       // kArena: 1 where outputs of its last step, which reads it, may share its
                        // bytes
  uint16_t reserved;    // 0
  uint32_t first_step;  // inclusive: written by this step, or 0 for an input
  uint32_t last_step;   // inclusive
  // kArena: the live arena value just below it (greatest offset + bytes <= its offset) when it is
  // born, relative to the variant, or kNoIndex when it is the lowest: the certificate of
  // core/overlap.cc. Arena values of one arena are stored in order of birth: inputs of the method,
  // then the others by first_step. kView: its root, a kArena value with a smaller index.
  uint32_t below_or_root;
};
static_assert(sizeof(ValueRecord) == 32);

constexpr bool owns_bytes(const ValueRecord& value) {
  return value.kind == static_cast<uint8_t>(ValueKind::kArena);
}
constexpr bool is_view(const ValueRecord& value) {
  return value.kind == static_cast<uint8_t>(ValueKind::kView);
}
// The value whose bytes a value lies in: itself unless it is a view.
constexpr uint32_t root_of(const ValueRecord* values, uint32_t index) {
  return is_view(values[index]) ? values[index].below_or_root : index;
}

enum class Where : uint8_t {
  kCpu = 0,
  kVulkan = 1,
  kView = 2,  // does nothing at run time
  kTransfer =
      3,  // copies between arenas of a device (op = copy, dense, same bytes): not counted as a step
};

enum StepFlags : uint8_t {
  kBarrierBefore = 1u << 0,  // earlier device work must be finished and visible first
  kSerial = 1u << 1,  // an input shares bytes with the output: one thread, at the safe distance
  kBeginsStretch = 1u << 2,  // of a step on a device: those before it may run without it
};
inline constexpr uint8_t kKnownStepFlags = kBarrierBefore | kSerial | kBeginsStretch;

struct StepRecord {
  uint16_t op;
  uint8_t form;            // number of the form it was planned for (core/form.h)
  uint8_t where : 2;       // Where; the low bits
  uint8_t flags : 6;       // StepFlags
  uint32_t operand_first;  // inputs (kNoIndex = absent), outputs, scratch
  uint16_t input_count;
  uint8_t output_count, scratch_count;  // scratch_count is 0 or 1
  uint32_t attribute_first;
  uint16_t attribute_words;
  uint16_t dispatches;  // of a Vulkan step
  uint32_t choice;      // how its form is carried out where that leaves a choice; 0: the form knows
};
static_assert(sizeof(StepRecord) == 24);

// Operands of steps, as stored: the index of a value (relative to the variant), this bit and the
// index of a constant, or kNoIndex where left out.
inline constexpr uint32_t kConstantBit = 0x80000000u;
constexpr bool is_constant(uint32_t operand) { return (operand & kConstantBit) != 0; }
constexpr uint32_t constant_index(uint32_t operand) { return operand & ~kConstantBit; }

// Steps of a variant that have to run only where a condition holds. What they make is read by each
// other, and chosen by that condition where others read it. Steps on a device are left out by whole
// stretches.
struct PredicateRecord {
  uint32_t variant;  // index in variants
  uint32_t first_step, step_count;
  uint32_t condition;  // a bool, relative to the variant; with kNegatedBit it must be false
};
inline constexpr uint32_t kNegatedBit = 0x80000000u;

// A number that a caller sets before runs of a method, such as the size of a batch. What the tables
// hold is right for the most that it can be.
struct SymbolRecord {
  uint32_t method;                   // a method's symbols follow each other, in rising order
  uint32_t name_offset, name_bytes;  // into strings
  uint32_t least, most;              // least <= most
};

// Says which words of a variant follow from its method's symbols. The variant's records and those
// of its steps' constants use no other words of `shapes` and `attributes` than the first so many,
// which are copied to memory that can be written to; attribute_words is 0 where no patch is of
// attributes.
struct SymbolicVariantRecord {
  uint32_t variant;  // index in variants, rising
  uint32_t expression_first, expression_count;
  uint32_t patch_first, patch_count;
  uint32_t shape_words, attribute_words;
};

enum class ExpressionKind : uint32_t {
  kConstant = 0,  // a; b is 0
  kSymbol = 1,    // symbol a of the method, counted from its first; b is 0
  // These compute with the results of expressions a and b, which come before them.
  kAdd = 2,
  kSubtract = 3,
  kMultiply = 4,
  kDivide = 5,  // rounded down; b is not 0
  kCeilDivide = 6,
  kMaximum = 7,
  kMinimum = 8,
};

// Its result is a number from 0 to 2^31 - 1; where it is none, the symbols' values are refused.
struct ExpressionRecord {
  uint32_t kind;  // ExpressionKind
  uint32_t a, b;
};

enum class PatchTarget : uint32_t {
  kShape = 0,        // index: of a word of shapes, a dim or a stride
  kAttribute = 1,    // index: of a word of attributes
  kValueOffset = 2,  // index: of a view of the variant, relative to it; its offset
};

// The word that is there for the most that all symbols can be, and what it is for other values.
struct PatchRecord {
  uint32_t target;      // PatchTarget
  uint32_t index;       // rising with the target
  uint32_t expression;  // relative to the variant's first
};

// A state: the output of one run is the input of the next run. Without an output, kNoIndex, the
// method only reads what another sets.
struct StateRecord {
  uint32_t method, input, output;
  uint32_t initial;  // constant: the bytes of the input before the first run, or kNoIndex for zeros
};

// The scale of an input or output: its integers stand for (integer - zero_point) * scale.
struct QuantizationRecord {
  uint32_t method, io;  // io: inputs are counted first, then outputs
  uint32_t scale;       // the bits of a float32, finite and above 0
  int32_t zero_point;   // one of the integers
};

// The file that the sections of kind kExternalConstants lie in.
struct ConstantFileRecord {
  uint32_t name_offset, name_bytes;  // into strings; made from the digest
  uint32_t bytes;                    // of the whole file
  uint32_t digest[2];                // of its content, as its header says it
};

// The first 64 bytes of such a file.
struct ConstantFileHeader {
  uint32_t magic[2];
  uint32_t version;
  uint32_t file_bytes;
  uint32_t digest[2];  // FNV-1a, 64 bits, of all that follows the header; low word first
  uint32_t reserved[9];
  uint32_t header_checksum;  // of the 60 bytes before
};
static_assert(sizeof(ConstantFileHeader) == 64);
inline constexpr uint32_t kConstantFileMagic1 = 0x00435449;  // "ITC\0", after "AREN"
inline constexpr uint32_t kConstantFileVersion = 1;

}  // namespace arenite::format
// SPDX-License-Identifier: Apache-2.0
