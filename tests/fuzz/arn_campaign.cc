// Damages program files, inspects what is left and loads it; what loads also runs, its memory
// ending at guard pages.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "core/checksum.h"
#include "core/instance.h"
#include "planner/import/import.h"
#include "planner/plan.h"
#include "planner/program/inspect.h"
#include "portable_fallback/forms.h"
#include "support/cpu_features.h"
#include "tests/core/sample_programs.h"
#include "tests/fuzz/campaign.h"
#include "tests/fuzz/guarded_memory.h"
#include "tests/fuzz/integer_digits.h"
#include "tests/planner/plan/blocked_table.h"

namespace arenite::fuzz {
namespace {

namespace fs = std::filesystem;

struct Sample {
  std::string name;
  Bytes bytes;
};

planner::ModelFile model_file(const fs::path& path, const std::string& method) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(stream), {}};
  planner::ModelFile model;
  model.method = method;
  model.bytes.resize(text.size());
  std::memcpy(model.bytes.data(), text.data(), text.size());
  return model;
}

// What a detector ends with: as many rows as there may be, and a count.
planner::ModelFile suppression(const fs::path& node) {
  planner::ModelFile model =
      model_file(node / "test_nonmaxsuppression_two_classes/model.onnx", "main");
  const auto fix = [&](const char* input, auto number) {
    std::vector<std::byte> bytes(sizeof(number));
    std::memcpy(bytes.data(), &number, sizeof(number));
    model.import.bound[input] = {{1}, std::move(bytes)};
  };
  fix("max_output_boxes_per_class", int64_t{2});
  fix("iou_threshold", 0.5f);
  fix("score_threshold", 0.0f);
  return model;
}

std::vector<Sample> make_samples() {
  const fs::path digits = fs::path(ARENITE_SOURCE_DIR) / "examples/digits/digits.onnx";
  const fs::path node = "/usr/include/onnx/backend/test/data/node";
  planner::PlanOptions options;
  options.boards = {planner::find_board("host"), planner::find_board("mps3-an547")};
  std::vector<Sample> samples;
  samples.push_back(
      {"digits", planner::plan_models({model_file(digits, "main")}, options).program});
  planner::ModelFile integers = model_file(digits, "main");
  integers.bytes = integer_digits(integers.bytes);
  samples.push_back({"integer digits", planner::plan_models({integers}, options).program});
  const test::BlockedTable blocked({8, 2, 32}, {4, 4, 16});
  planner::PlanOptions in_blocks = options;
  in_blocks.ops = blocked.ops();
  in_blocks.exact_forms = false;  // its forms are of no machine
  samples.push_back(
      {"blocks", planner::plan_models({model_file(digits, "main")}, in_blocks).program});
  samples.push_back({"integer blocks", planner::plan_models({integers}, in_blocks).program});
  std::vector<planner::ModelFile> two = {model_file(digits, "digits")};
  for (const char* name : {"test_basic_conv_with_padding", "test_averagepool_2d_ceil",
                           "test_maxpool_2d_dilations", "test_gemm_all_attributes", "test_gather_1",
                           "test_softmax_axis_1", "test_matmul_4d", "test_add_bcast"}) {
    const fs::path path = node / name / "model.onnx";
    if (!fs::exists(path)) continue;
    two.resize(1);
    two.push_back(model_file(path, name));
    samples.push_back({name, planner::plan_models({two[1]}, options).program});
  }
  if (fs::exists(node)) {
    samples.push_back({"counts", planner::plan_models({suppression(node)}, options).program});
  }
  if (two.size() == 2) {
    samples.push_back({"two methods", planner::plan_models(two, options).program});
  }
  samples.push_back({"states", planner::write_program(tests::sums(true).tables)});
  tests::Sums read = tests::sums(true);
  read.tables.states[0].output = kNoIndex;
  read.tables.required_features |= format::kSharedStatesFeature;
  samples.push_back({"read states", planner::write_program(read.tables)});
  samples.push_back(
      {"predicates", planner::write_program(tests::choices(
                         {{0, 0, 2, tests::kChoiceCondition},
                          {0, 3, 1, tests::kChoiceCondition | format::kNegatedBit}}))});
  samples.push_back({"cuts", planner::write_program(tests::device_choices(
                                 {{0, 2, 1, tests::kDeviceCondition},
                                  {0, 3, 1, tests::kMadeCondition | format::kNegatedBit}}))});
  samples.push_back({"symbols", planner::write_program(tests::symbolic_rows())});
  samples.push_back({"growth", planner::write_program(tests::growing_log())});
  const fs::path frozen = fs::path(ARENITE_SOURCE_DIR) / "tests/frozen/format2";
  samples.push_back({"choice", model_file(frozen / "choice.arn", "").bytes});
  return samples;
}

// A device that does nothing but own memory, so that Vulkan variants are verified and their CPU
// steps run.
struct FakeDevice {
  std::vector<std::unique_ptr<GuardedMemory>> arenas;

  static Status attach(void* context, const BackendTask& task, std::span<std::byte*> arenas) {
    auto& self = *static_cast<FakeDevice*>(context);
    const auto records = task.program->arenas_of(*task.variant);
    for (size_t i = 0; i < records.size(); ++i) {
      const auto kind = static_cast<format::ArenaKind>(records[i].kind);
      if (kind != format::ArenaKind::kUpload && kind != format::ArenaKind::kReadback) continue;
      if (records[i].bytes > (64u << 20)) return error(Code::kDeviceMemory);
      self.arenas.push_back(std::make_unique<GuardedMemory>(records[i].bytes, 256));
      arenas[i] = self.arenas.back()->bytes().data();
    }
    return ok_status();
  }
  static Status run(void*, std::span<const StepRange>) { return ok_status(); }
  static void detach(void*) {}
};

struct Counts {
  uint64_t opened = 0, loaded = 0, ran = 0, refused = 0;
};

// A status is as good an end as success (an index out of range, say).
bool run(const Program& program, uint32_t method, Instance& instance) {
  for (uint32_t i = 0; i < program.methods()[method].input_count; ++i) {
    const std::span<std::byte> input = instance.input(i);
    // Small numbers as float32; 0 for whatever may be an index.
    const bool number = instance.input_tensor(i).dtype() == DType::kFloat32;
    std::fill(input.begin(), input.end(), number ? std::byte{0x3d} : std::byte{0});
  }
  return instance.run().ok();
}

// The least, numbers in between, the most again; and dims that may be wrong.
void change_symbols(const Program& program, uint32_t method, Instance& instance) {
  const auto symbols = symbols_of(program, method);
  if (symbols.size() > 16) return;
  for (const uint32_t part : {0u, 1u, 2u, 4u}) {
    std::vector<uint32_t> numbers;
    for (const format::SymbolRecord& symbol : symbols) {
      numbers.push_back(symbol.least +
                        static_cast<uint32_t>(uint64_t{symbol.most - symbol.least} * part / 4));
    }
    if (!numbers.empty() && instance.set_symbols(numbers).ok()) run(program, method, instance);
  }
  for (uint32_t i = 0; i < program.methods()[method].input_count && !symbols.empty(); ++i) {
    const Tensor tensor = instance.input_tensor(i);
    std::vector<uint32_t> dims(tensor.dims, tensor.dims + tensor.rank());
    for (uint32_t& dim : dims) dim = dim / 2 + 1;
    if (instance.set_shape(i, dims).ok()) run(program, method, instance);
  }
}

void load_and_run(const Program& program, uint32_t method, uint32_t variant, Counts& counts) {
  const format::VariantRecord& record =
      program.variants()[program.methods()[method].variant_first + variant];
  std::vector<std::unique_ptr<GuardedMemory>> memory;
  std::vector<std::span<std::byte>> arenas;
  for (const format::ArenaRecord& arena : program.arenas_of(record)) {
    // More than a test machine likes to give is refused as a device would: by giving none.
    const bool lent = arena.kind == static_cast<uint32_t>(format::ArenaKind::kCaller);
    const bool state = arena.kind == static_cast<uint32_t>(format::ArenaKind::kState);
    const bool given = (arena.kind == 0 || lent || state) && arena.bytes <= (64u << 20) &&
                       arena.alignment <= 4096 && arena.alignment != 0 &&
                       (arena.alignment & (arena.alignment - 1)) == 0;
    if (given) memory.push_back(std::make_unique<GuardedMemory>(arena.bytes, arena.alignment));
    arenas.push_back(given ? memory.back()->bytes() : std::span<std::byte>());
  }
  FakeDevice device;
  const Backend backend{&device, FakeDevice::attach, FakeDevice::run, FakeDevice::detach};
  LoadOptions options;
  options.method = method;
  options.variant = variant;
  options.arenas = arenas;
  options.ops = all_ops();
  options.features = kEmulatedCpuFeatures;
  options.backend = &backend;
  options.states = &kGrowingStates;
  options.predicates = &kPredicates;
  options.symbols = &kSymbols;
  const uint32_t words = frame_words(program, program.methods()[method].variant_first + variant);
  const GuardedMemory frame(size_t{words} * 4, 4);
  options.frame = {static_cast<uint32_t*>(static_cast<void*>(frame.bytes().data())), words};
  ScopedInstance instance;
  if (!instance.load(program, options).ok()) {
    ++counts.refused;
    return;
  }
  ++counts.loaded;
  if (run(program, method, instance)) ++counts.ran;
  change_symbols(program, method, instance);
}

// Overwrites words of the plan's tables, then perhaps repairs the checksums.
void mutate_tables(Bytes& bytes, const Sample& sample, Random& random) {
  format::Header header;
  std::memcpy(&header, sample.bytes.data(), sizeof header);
  const uint64_t words = header.plan_bytes / 4;
  for (uint64_t n = 1 + random.below(3); n > 0; --n) {
    const size_t at = header.plan_offset + 4 * random.below(words);
    uint32_t word = 0;
    std::memcpy(&word, bytes.data() + at, 4);
    switch (random.below(4)) {
      case 0:
        word = random.interesting();
        break;
      case 1:
        word += 1;
        break;
      case 2:
        word -= 1;
        break;
      default:
        word = (word & ~(0xffu << 8 * random.below(4))) | static_cast<uint32_t>(random.below(256))
                                                              << 8 * random.below(4);
    }
    std::memcpy(bytes.data() + at, &word, 4);
  }
}

void repair_checksums(Bytes& bytes) {
  if (bytes.size() < sizeof(format::Header)) return;
  format::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.file_bytes = static_cast<uint32_t>(bytes.size());
  if (header.plan_offset <= bytes.size() &&
      header.plan_bytes <= bytes.size() - header.plan_offset) {
    header.plan_checksum =
        checksum(std::span(bytes).subspan(header.plan_offset, header.plan_bytes));
  }
  header.header_checksum = checksum(
      std::as_bytes(std::span(&header, 1)).first(sizeof header - sizeof header.header_checksum));
  std::memcpy(bytes.data(), &header, sizeof header);
}

// Every damage is shown or the file refused. One in a few: the text is long.
void inspect(const Bytes& bytes) {
  try {
    const planner::ProgramInfo info = planner::inspect(bytes);
    if (planner::to_text(info).empty() || planner::to_json(info).empty()) std::abort();
  } catch (const InputError&) {
    // It does not begin as a program does.
  }
}

void try_file(const Bytes& bytes, Counts& counts) {
  // The file itself lies before a guard page too.
  const GuardedMemory file(bytes.size(), format::kSegmentAlignment);
  if (!bytes.empty()) std::memcpy(file.bytes().data(), bytes.data(), bytes.size());
  Program program;
  if (!Program::open(file.bytes(), program).ok()) {
    ++counts.refused;
    return;
  }
  ++counts.opened;
  ConstantsCursor cursor;
  (void)program.verify_constants(kNoIndex, cursor);
  for (uint32_t m = 0; m < program.methods().size(); ++m) {
    for (uint32_t v = 0; v < program.methods()[m].variant_count; ++v) {
      load_and_run(program, m, v, counts);
    }
  }
}

int run(const Options& options) {
  const std::vector<Sample> samples = make_samples();
  Counts counts;
  for (const Sample& sample : samples) {
    Counts whole;
    try_file(sample.bytes, whole);
    if (whole.loaded == 0 || whole.ran != whole.loaded) {
      std::fprintf(stderr, "fuzz: %s: the undamaged program does not run\n", sample.name.c_str());
      return 1;
    }
  }
  CostMeter cost({.peak_bytes = 64 << 20, .allocated_bytes = 256 << 20, .allocations = 1000000});
  for (uint64_t i = options.first; i < options.count; ++i) {
    Random random(options.seed * 7919 + i);
    const Sample& sample = samples[random.below(samples.size())];
    Bytes bytes = sample.bytes;
    if (random.chance(4)) {
      mutate_bytes(bytes, random);
    } else {
      mutate_tables(bytes, sample, random);
    }
    if (i % 2 == 0) repair_checksums(bytes);
    cost.start(sample.name + " #" + std::to_string(i));
    try_file(bytes, counts);
    if (i % 4 == 0) inspect(bytes);
    cost.stop();
  }
  std::printf(
      "arn campaign: %llu files, %llu opened; of their variants %llu loaded, %llu ran to the end; "
      "%llu refusals; %s\n",
      static_cast<unsigned long long>(options.count),
      static_cast<unsigned long long>(counts.opened),
      static_cast<unsigned long long>(counts.loaded), static_cast<unsigned long long>(counts.ran),
      static_cast<unsigned long long>(counts.refused), cost.highest().c_str());
  return 0;
}

}  // namespace
}  // namespace arenite::fuzz

int main(int argc, char** argv) {
  return arenite::fuzz::run(arenite::fuzz::parse_options(argc, argv));
}
// SPDX-License-Identifier: Apache-2.0
