// Every case on watched forms, references and those special ones that let output 0 overlap an
// input: the safe distance that a form states is what its accesses show, overlapped at just that
// distance it gives the same bits, and one element nearer it does not. Overlapped steps are cut by
// pauses wherever they can be: that is the order of the uncut ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "core/pauses.h"
#include "core/shape.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/safe_distance.h"
#include "tests/kernels/random_cases.h"
#include "tests/ops/case_step.h"
#include "tests/ops/case_test.h"
#include "tests/ops/harness.h"
#include "tests/ops/quantized.h"
#include "tests/ops/with_scratch.h"

namespace arenite::ops_test {
namespace {

constexpr size_t kAlignment = 64;
constexpr uint32_t kFillsMax = 64;

// A case's step with each operand in memory of its own, but for output 0 and one input, which share
// theirs at a given distance.
class Laid {
 public:
  // Takes the contents from `from`, as making them takes longest: one serves all layings of a case.
  // A form, which takes the step, runs it; null: the reference.
  explicit Laid(CaseStep& from, const Form* form = nullptr,
                std::optional<uint32_t> shared = std::nullopt, uint64_t distance = 0);

  Step step() const { return Step(bindings_, record_, 0); }
  // Other contents for every operand but indices, which would lie outside. Of every second seed
  // they are of two numbers only, so that equal ones meet; no byte of a float among these is one
  // that a comparison writes.
  void fill(uint32_t seed);
  Status run() const {
    const Step at = step();
    return WithScratch(at, form()).run(form(), Platform{});
  }
  // Runs it with a pause behind each item.
  Status run_cut() const {
    const Step at = step();
    Pauses pauses{.call = [](void*) { return true; }};
    Platform platform;
    platform.pauses = &pauses;
    return WithScratch(at, form()).run(form(), platform);
  }
  // Runs the step without its serial flag, the last pieces first.
  Status run_backwards();
  const Form& form() const { return form_ != nullptr ? *form_ : *reference_of(step()); }
  // The elements of all outputs, in order.
  std::vector<std::byte> results() const;
  // Input i written as it was before the run.
  void put_inputs(const Laid& from);

 private:
  bool is_index(uint32_t input) const;

  const Form* form_;
  std::vector<format::ValueRecord> values_;
  std::vector<uint32_t> shapes_, operands_, attributes_;
  std::vector<std::vector<std::byte>> memory_;
  std::vector<std::byte*> arenas_;
  format::StepRecord record_;
  Bindings bindings_;
};

Laid::Laid(CaseStep& from, const Form* form, std::optional<uint32_t> shared, uint64_t distance)
    : form_(form) {
  record_ = from.record();
  record_.flags = format::kSerial;
  attributes_.assign(from.attributes().begin(), from.attributes().end());
  operands_.assign(from.operands().begin(), from.operands().end());
  const uint32_t output = operands_[record_.input_count];
  for (const uint32_t v : operands_) {
    if (v == kNoIndex) continue;
    format::ValueRecord value = from.value(v);
    const auto bytes = from.arena().subspan(value.offset, value.bytes);
    const bool follows = shared.has_value() && v == operands_[*shared];
    value.place = static_cast<uint8_t>(follows ? output : v);
    value.offset = follows ? static_cast<uint32_t>(distance) : 0;
    value.shape = static_cast<uint32_t>(shapes_.size());
    const auto shape = from.shape(v);
    shapes_.insert(shapes_.end(), shape.begin(), shape.end());
    values_.push_back(value);
    memory_.emplace_back(bytes.begin(), bytes.end());
  }
  if (shared.has_value()) {
    std::vector<std::byte>& input = memory_[operands_[*shared]];
    std::vector<std::byte>& both = memory_[output];
    both.resize(std::max(both.size(), distance + input.size()));
    std::copy(input.begin(), input.end(), both.begin() + static_cast<ptrdiff_t>(distance));
  }
  for (std::vector<std::byte>& bytes : memory_) {
    // Room to align.
    const size_t size = bytes.size();
    bytes.resize(size + kAlignment);
    void* base = bytes.data();
    size_t room = bytes.size();
    std::align(kAlignment, size, base, room);
    std::memmove(base, bytes.data(), size);
    arenas_.push_back(static_cast<std::byte*>(base));
  }
  bindings_.values = values_.data();
  bindings_.shapes = shapes_.data();
  bindings_.operands = operands_.data();
  bindings_.attributes = attributes_.data();
  bindings_.arenas = arenas_.data();
}

bool Laid::is_index(uint32_t input) const {
  const Contract& contract = *find_contract(step().op());
  return contract.inputs[std::min(input, 2u)] == OperandType::kIndex;
}

void Laid::fill(uint32_t seed) {
  std::mt19937 random(seed);
  for (uint32_t i = 0; i < record_.input_count; ++i) {
    if (operands_[i] == kNoIndex || is_index(i)) continue;
    const Tensor x = step().input(i);
    const uint32_t size = element_bytes(x.dtype());
    const uint32_t count = x.bytes() / size;
    std::byte* data = arenas_[values_[operands_[i]].place] + values_[operands_[i]].offset;
    for (uint32_t e = 0; e < count; ++e) {
      const auto drawn = random();
      Number number = static_cast<Number>(drawn % 2);
      if (seed % 2 == 0 && x.dtype() != DType::kBool) {
        number = is_float(x.dtype()) ? 1.1L + number : 2 + number;
      } else if (x.dtype() != DType::kBool) {
        number = is_float(x.dtype()) ? static_cast<Number>(drawn % 4096) / 512 - 4
                                     : static_cast<Number>(drawn % 128);
      }
      if (is_float(x.dtype())) number = nearest(x.dtype(), number);
      encode(x.dtype(), number, data + size_t{e} * size);
    }
  }
}

Status Laid::run_backwards() {
  record_.flags = 0;
  Platform platform;
  platform.parallel_for = [](void*, uint32_t count, uint32_t, PieceFunction task, void* argument) {
    for (; count != 0; --count) task(argument, count - 1, count, 0);
  };
  const Step at = step();
  return WithScratch(at, form()).run(form(), platform);
}

void Laid::put_inputs(const Laid& from) {
  for (uint32_t i = 0; i < record_.input_count; ++i) {
    if (operands_[i] == kNoIndex) continue;
    const Tensor x = from.step().input(i);
    std::memcpy(arenas_[values_[operands_[i]].place] + values_[operands_[i]].offset, x.data,
                x.bytes());
  }
}

std::vector<std::byte> Laid::results() const {
  std::vector<std::byte> all;
  for (uint32_t k = 0; k < record_.output_count; ++k) {
    const OutTensor y = step().output(k);
    const uint32_t size = element_bytes(y.dtype());
    uint32_t index[kMaxRank] = {};
    size_t offset = 0;
    for (uint64_t left = element_count(y); left != 0; --left) {
      all.insert(all.end(), y.out + offset * size, y.out + (offset + 1) * size);
      for (uint32_t d = y.rank(); d-- > 0;) {
        offset += y.strides[d];
        if (++index[d] != y.dims[d]) break;
        offset -= size_t{y.dims[d]} * y.strides[d];
        index[d] = 0;
      }
    }
  }
  return all;
}

// The greatest distance by which what was written reached beyond what was then read of an input.
class DistanceListener final : public AccessListener {
 public:
  DistanceListener(const Tensor& x, const OutTensor& y) : x_(x), y_(y) {}
  uint64_t distance() const { return static_cast<uint64_t>(distance_); }

  void read(const std::byte* at, size_t) override {
    if (at < x_.data || at >= x_.data + x_.bytes()) return;
    distance_ = std::max(distance_, written_ - (at - x_.data));
  }
  void write(const std::byte* at, size_t bytes) override {
    if (at < y_.data || at >= y_.data + y_.bytes()) return;
    written_ = std::max(written_, at - y_.data + static_cast<ptrdiff_t>(bytes));
  }

 private:
  Tensor x_;
  OutTensor y_;
  ptrdiff_t written_ = 0, distance_ = 0;
};

uint64_t traced_distance(const Laid& laid, uint32_t input) {
  DistanceListener listener(laid.step().input(input), laid.step().output(0));
  access_listener = &listener;
  const Status status = laid.run_cut();
  access_listener = nullptr;
  EXPECT_TRUE(status.ok());
  return listener.distance();
}

// What comes of an input whose bytes are written over before they are read.
struct Damage {
  bool overwritten = false;  // some byte was read later
  bool changed = false;      // as another one: copies of one element over each other stay the same
  bool spoiled = false;      // the results are not those without sharing
};

class DamageListener final : public AccessListener {
 public:
  explicit DamageListener(const Tensor& x)
      : first_(x.data), last_(x.data + x.bytes()), before_(first_, last_), written_(x.bytes()) {}
  const Damage& damage() const { return damage_; }

  void read(const std::byte* at, size_t bytes) override {
    for_bytes_of_x(at, bytes, [&](const std::byte* byte) {
      const auto offset = static_cast<size_t>(byte - first_);
      damage_.overwritten |= written_[offset];
      damage_.changed |= written_[offset] && *byte != before_[offset];
    });
  }
  void write(const std::byte* at, size_t bytes) override {
    for_bytes_of_x(at, bytes, [&](const std::byte* byte) {
      written_[static_cast<size_t>(byte - first_)] = true;
    });
  }

 private:
  // Most accesses are of other operands, beside it.
  template <typename F>
  void for_bytes_of_x(const std::byte* at, size_t bytes, F f) const {
    const std::byte* end = std::min(at + bytes, last_);
    for (at = std::max(at, first_); at < end; ++at) f(at);
  }

  const std::byte *first_, *last_;
  std::vector<std::byte> before_;
  std::vector<bool> written_;
  Damage damage_;
};

// For contents made from `seed`.
Damage damage_at(CaseStep& from, const Form* form, uint32_t input, uint64_t distance,
                 uint32_t seed) {
  Laid apart(from, form);
  apart.fill(seed);
  Laid overlapped(from, form, input, distance);
  overlapped.put_inputs(apart);
  DamageListener listener(overlapped.step().input(input));
  access_listener = &listener;
  EXPECT_TRUE(overlapped.run_cut().ok());
  access_listener = nullptr;
  EXPECT_TRUE(apart.run().ok());
  Damage damage = listener.damage();
  damage.spoiled = apart.results() != overlapped.results();
  return damage;
}

std::vector<OpCase> all_layouts(const OpCase& c) {
  std::vector<OpCase> all = other_layouts(c);
  for (OpCase& blocked : other_blocks(c)) all.push_back(std::move(blocked));
  all.push_back(c);
  return all;
}

class SafeDistance : public CaseTest {};

// Results that seldom change with an element: where the best one lies, bits that are shifted out,
// sums that are rounded and limited, numbers whose factor takes most of them to one limit or to 0,
// results by tables and multipliers that are filled like all operands.
bool hides_changes(const OpCase& c) {
  switch (c.op) {
    case Op::kArgMax:
    case Op::kArgMin:
    case Op::kShiftLeft:
    case Op::kShiftRight:
    case Op::kQuantizedAveragePool:
    case Op::kQuantizedSoftmax:
    case Op::kQuantizedPRelu:
      return true;
    case Op::kQuantizedConv:
    case Op::kQuantizedConvTranspose:
    case Op::kQuantizedMatMul:
      return c.outputs[0].dtype != DType::kInt32;
    case Op::kRequantize: {
      const int32_t shift = attributes_of<RequantizeAttributes>(c).shift;
      return shift < -15 || shift > 15;
    }
    default:
      return false;
  }
}

// The forms of a case that are watched, null for the reference.
std::vector<const Form*> watched_forms(CaseStep& from) {
  std::vector<const Form*> forms = {nullptr};
  const Bindings bindings = from.bindings();
  const Step step(bindings, from.record(), 0);
  const DType type = type_of(step, *find_contract(step.op()));
  for (const Form* form : special_forms_that_run(step.op(), 0)) {
    const bool takes = has(form->types, type) && reads_weights(*form, step) &&
                       (form->accepts == nullptr || form->accepts(step));
    if (takes && form->safe_distance != nullptr) forms.push_back(form);
  }
  return forms;
}

void expect_exact(const OpCase& c, CaseStep& from, const Form* form) {
  const Laid laid(from, form);
  if (laid.form().safe_distance == nullptr) return;
  for (uint32_t i = 0; i < c.inputs.size(); ++i) {
    SCOPED_TRACE(c.name + ", form " + std::to_string(laid.form().number) + ", input " +
                 std::to_string(i));
    if (c.inputs[i].absent || laid.step().input(i).bytes() == 0) continue;
    const uint64_t distance = laid.form().safe_distance(laid.step(), i);
    if (distance == kNoOverlap) continue;
    ASSERT_EQ(distance, traced_distance(Laid(from, form), i));
    ASSERT_FALSE(damage_at(from, form, i, distance, 1).spoiled);
    // An element of the input nearer.
    const uint64_t unit = element_bytes(laid.step().input(i).dtype());
    if (distance < unit || hides_changes(c)) continue;
    bool spoiled = false;
    bool harmless = true;
    for (uint32_t seed = 1; seed <= kFillsMax && !spoiled; ++seed) {
      const Damage damage = damage_at(from, form, i, distance - unit, seed);
      ASSERT_TRUE(damage.overwritten) << "distance " << distance;
      harmless = !damage.changed;
      spoiled = damage.spoiled;
      if (harmless) break;
    }
    EXPECT_NE(spoiled, harmless) << "distance " << distance;
  }
}

// Whether any form of an operator has it: a case of others is not even made.
bool some_form(Op op, bool (*has)(const Form&)) {
  for (const Form* const* form = find_op(all_ops(), op)->forms; *form != nullptr; ++form) {
    if (has(**form)) return true;
  }
  return false;
}

bool some_form_has_a_distance(Op op) {
  return some_form(op, [](const Form& form) { return form.safe_distance != nullptr; });
}

TEST_P(SafeDistance, IsExact) {
  if (!some_form_has_a_distance(the_case().op)) return;
  for (const OpCase& c : all_layouts(the_case())) {
    CaseStep from(c);
    for (const Form* form : watched_forms(from)) expect_exact(c, from, form);
  }
}

// Otherwise special forms would not be watched.
TEST(SafeDistanceCases, ReachSpecialForms) {
  constexpr size_t kEnough = 4;  // the reference and three others
  std::set<const Form*> watched;
  for (const OpCase& whole : all_cases()) {
    if (special_forms_that_run(whole.op, 0).empty()) continue;
    for (const OpCase& c : all_layouts(whole)) {
      CaseStep from(c);
      for (const Form* form : watched_forms(from)) watched.insert(form);
    }
    if (watched.size() >= kEnough) return;
  }
  ADD_FAILURE() << watched.size() << " forms are watched";
}

// A random max pool of integers, channels last, which special forms take.
OpCase of_integers(OpCase c, uint32_t channels, DType type) {
  for (Operand* operand : {&c.inputs[0], &c.outputs[0]}) {
    std::vector<uint32_t> dims = operand->dims;
    dims[1] = channels;
    *operand = channels_last(tensor(dims, type));
  }
  return c;
}

// On shapes, strides and attributes that nobody chose.
class RandomDistance : public testing::TestWithParam<Op> {};

TEST_P(RandomDistance, IsWhatTheAccessesShow) {
  std::vector<OpCase> cases = test::random_cases(GetParam(), 150, 1);
  for (size_t i = cases.size(); i-- > 0;) {
    if (GetParam() == Op::kMaxPool) {
      const auto channels = static_cast<uint32_t>(1 + 7 * i % 40);
      cases.push_back(of_integers(cases[i], channels, DType::kInt8));
      cases.push_back(of_integers(cases[i], channels, DType::kInt16));
    }
    for (OpCase& blocked : other_blocks(cases[i])) cases.push_back(std::move(blocked));
    const bool is_product = GetParam() == Op::kQuantizedConv || GetParam() == Op::kQuantizedMatMul;
    if (!is_product || element_bytes(cases[i].inputs[kWeightsInput].dtype) != 1) continue;
    for (OpCase& halves : other_blocks(packed(cases[i]))) {
      if (halves.inputs[kWeightsInput].blocks.bits == 4) cases.push_back(std::move(halves));
    }
  }
  for (const OpCase& c : cases) {
    CaseStep from(c);
    for (const Form* form : watched_forms(from)) {
      const Laid laid(from, form);
      if (laid.form().safe_distance == nullptr) continue;
      for (uint32_t i = 0; i < c.inputs.size(); ++i) {
        if (c.inputs[i].absent || laid.step().input(i).bytes() == 0) continue;
        const uint64_t distance = laid.form().safe_distance(laid.step(), i);
        if (distance == kNoOverlap) continue;
        ASSERT_EQ(distance, traced_distance(Laid(from, form), i))
            << c.name << ", form " << uint32_t{laid.form().number} << ", input " << i;
      }
    }
  }
}

std::vector<Op> ops_with_random_cases() {
  std::vector<Op> ops;
  for (const OpEntry& entry : all_ops()) {
    try {
      test::random_cases(entry.op, 1, 1);
      ops.push_back(entry.op);
    } catch (const std::logic_error&) {
    }
  }
  return ops;
}

INSTANTIATE_TEST_SUITE_P(Ops, RandomDistance, testing::ValuesIn(ops_with_random_cases()),
                         [](const testing::TestParamInfo<Op>& op) {
                           return std::string(op_name(op.param));
                         });

bool same_bits_in_place(CaseStep& from, uint32_t input, const Form* form = nullptr) {
  Laid apart(from, form);
  Laid in_place(from, form, input, 0);
  EXPECT_TRUE(apart.run().ok());
  EXPECT_TRUE(in_place.run_backwards().ok());
  return apart.results() == in_place.results();
}

// In the very place of the output, whatever the order of the pieces that threads take.
TEST_P(SafeDistance, IsNotNeededInPlace) {
  const Op op = the_case().op;
  if (find_contract(op)->layout.kind != LayoutClass::kElementwise &&
      !some_form(op, [](const Form& form) { return form.in_place != 0; })) {
    return;
  }
  for (const OpCase& c : all_layouts(the_case())) {
    CaseStep from(c);
    const Laid laid(from);
    const Contract& contract = *find_contract(c.op);
    if (contract.layout.kind != LayoutClass::kElementwise && laid.form().in_place == 0) continue;
    const OutTensor y = laid.step().output(0);
    for (uint32_t i = 0; i < c.inputs.size(); ++i) {
      if (c.inputs[i].absent) continue;
      if (contract.layout.kind != LayoutClass::kElementwise && !takes_place(laid.form(), i))
        continue;
      const Tensor x = laid.step().input(i);
      const bool same = x.rank() == y.rank() &&
                        element_bytes(x.dtype()) == element_bytes(y.dtype()) &&
                        std::equal(x.dims, x.dims + x.rank(), y.dims) &&
                        std::equal(x.strides, x.strides + x.rank(), y.strides);
      if (same) {
        EXPECT_TRUE(same_bits_in_place(from, i)) << c.name << ", input " << i;
      }
    }
  }
}

// Nor for residuals, whatever the form.
TEST_P(SafeDistance, IsNotNeededInTheResidualsPlace) {
  constexpr uint32_t r = kResidualInput;
  const Op op = the_case().op;
  if ((op != Op::kConv && op != Op::kMatMul) || the_case().inputs.size() <= r) return;
  uint32_t tried = 0;
  for (const OpCase& c : all_layouts(the_case())) {
    CaseStep from(c);
    const Laid laid(from);
    const Step step = laid.step();
    const Tensor residual = step.input(r);
    const OutTensor y = step.output(0);
    if (!std::equal(residual.strides, residual.strides + residual.rank(), y.strides)) continue;
    std::vector<const Form*> forms = {nullptr};
    for (const Form* form : special_forms_that_run(c.op, 0)) {
      const bool takes = takes_place(*form, r) && reads_weights(*form, step) &&
                         (form->accepts == nullptr || form->accepts(step));
      if (takes) forms.push_back(form);
    }
    for (const Form* form : forms) {
      EXPECT_TRUE(same_bits_in_place(from, r, form))
          << c.name << ", form " << (form == nullptr ? 0 : int{form->number});
      ++tried;
    }
  }
  EXPECT_NE(tried, 0u);
}

INSTANTIATE_TEST_SUITE_P(Ops, SafeDistance, every_case(), case_name);

bool references_overlap_nothing(const OpEntry& entry) {
  const Form* const* form = entry.forms;
  while ((*form)->number >= kFirstSpecialForm) ++form;
  return (*form)->safe_distance == nullptr;
}

// Otherwise the cases would compare nothing.
TEST(SafeDistanceCases, ShowDistancesOfEachOperatorThatHasOne) {
  std::map<Op, std::set<uint64_t>> distances;
  for (const OpCase& c : all_cases()) {
    if (!some_form_has_a_distance(c.op)) continue;
    CaseStep from(c);
    const Laid laid(from);
    if (laid.form().safe_distance == nullptr) continue;
    const uint64_t distance = laid.form().safe_distance(laid.step(), 0);
    if (distance != kNoOverlap) distances[c.op].insert(distance);
  }
  for (const OpEntry& entry : all_ops()) {
    if (references_overlap_nothing(entry)) continue;
    EXPECT_GE(distances[entry.op].size(), 1u) << op_name(entry.op);
  }
}

// A loop as its definition says, iteration by iteration.
struct WalkedLoop {
  DistanceLoop closed;
  std::vector<std::optional<int64_t>> reads;  // of each iteration
  std::vector<int64_t> writes;
};

class RandomLoops {
 public:
  explicit RandomLoops(uint32_t seed) : random_(seed) {}

  WalkedLoop draw() {
    const int64_t y_step = below(60);
    switch (below(7)) {
      case 0:
        return even(1 + below(6), y_step, int64_t{below(120)} - 60);
      case 1:
        return blocks(1 + below(20), 1 + below(6), y_step, below(60));
      case 2:
        return window(draw_window(), 1 + below(24), y_step, below(60));
      case 3:
        return transposed(draw_transposed(), 1 + below(30), y_step, below(60));
      case 4:
        return transposed_pieces(draw_transposed(), 1 + below(60), y_step, below(60),
                                 kAtOnce[below(3)]);
      case 5:
        return window_phases(draw_phases(), 1 + below(30), y_step, below(60));
      default:
        return window_pieces(draw_window(), 1 + below(40), y_step, below(60), kAtOnce[below(3)]);
    }
  }
  Window draw_window() {
    return {.input = below(below(2) == 0 ? 12 : 60),
            .kernel = below(5),
            .stride = 1 + below(4),
            .dilation = 1 + below(7),
            .pad_begin = below(below(2) == 0 ? 3 : 40)};
  }
  Window draw_phases() {
    Window window = draw_window();
    window.stride = 1;
    window.kernel += window.kernel == 0;
    return window;
  }
  TransposedWindow draw_transposed() {
    return {below(below(2) == 0 ? 4 : 30), below(5), 1 + below(4), 1 + below(7),
            below(below(2) == 0 ? 3 : 40)};
  }
  uint32_t below(uint32_t end) { return static_cast<uint32_t>(random_() % end); }

 private:
  static WalkedLoop even(uint32_t count, int64_t y_step, int64_t x_step) {
    WalkedLoop loop = {DistanceLoop::even(count, y_step, x_step), {}, {}};
    for (int64_t i = 0; i < count; ++i) {
      loop.reads.emplace_back(i * x_step);
      loop.writes.push_back(i * y_step);
    }
    return loop;
  }
  static WalkedLoop blocks(uint32_t count, uint32_t block, int64_t y_step, int64_t x_step) {
    WalkedLoop loop = {DistanceLoop::blocks(count, block, y_step, x_step), {}, {}};
    for (uint32_t first = 0; first < count; first += block) {
      loop.reads.emplace_back(first * x_step);
      loop.writes.push_back((std::min(first + block, count) - 1) * y_step);
    }
    return loop;
  }
  // Says how many of the outputs that are left are made at once.
  using AtOnce = uint32_t (*)(uint32_t left);
  static constexpr AtOnce kAtOnce[] = {
      [](uint32_t left) { return (left + 2) / 3; },
      [](uint32_t left) { return left >= 4 ? 4u : left / 2 + left % 2; },
      [](uint32_t left) { return left < 3 ? left : 3; }};
  static WalkedLoop window_pieces(const Window& drawn, uint32_t outputs, int64_t y_step,
                                  int64_t x_step, AtOnce at_once) {
    const WalkedLoop each = window(drawn, outputs, y_step, x_step);
    WalkedLoop loop = {
        DistanceLoop::window_pieces(drawn, outputs, y_step, x_step, at_once), {}, {}};
    for (uint32_t o = 0, end = 0; o < outputs; o = end) {
      end += at_once(outputs - o);
      std::optional<int64_t>& lowest = loop.reads.emplace_back();
      for (; o < end; ++o) {
        const auto& read = each.reads[o];
        if (read && (!lowest || *read < *lowest)) lowest = read;
      }
      loop.writes.push_back((end - 1) * y_step);
    }
    return loop;
  }
  static WalkedLoop window(const Window& window, uint32_t outputs, int64_t y_step, int64_t x_step) {
    WalkedLoop loop = {DistanceLoop::window(window, outputs, y_step, x_step), {}, {}};
    for (uint32_t o = 0; o < outputs; ++o) {
      std::optional<int64_t>& lowest = loop.reads.emplace_back();
      for (uint32_t t = window.kernel; t-- > 0;) {
        const int64_t at = window.position(o, t);
        if (at >= 0 && at < window.input) lowest = at * x_step;
      }
      loop.writes.push_back(o * y_step);
    }
    return loop;
  }

  static WalkedLoop window_phases(const Window& drawn, uint32_t outputs, int64_t y_step,
                                  int64_t x_step) {
    const WalkedLoop each = window(drawn, outputs, y_step, x_step);
    WalkedLoop loop = {DistanceLoop::window_phases(drawn, outputs, y_step, x_step), {}, {}};
    for (uint32_t phase = 0; phase < drawn.dilation && phase < outputs; ++phase) {
      std::optional<int64_t>& lowest = loop.reads.emplace_back();
      int64_t written = 0;
      for (uint32_t o = phase; o < outputs; o += drawn.dilation) {
        const auto& read = each.reads[o];
        if (read && (!lowest || *read < *lowest)) lowest = read;
        written = o * y_step;
      }
      loop.writes.push_back(written);
    }
    return loop;
  }

  static WalkedLoop transposed(const TransposedWindow& window, uint32_t outputs, int64_t y_step,
                               int64_t x_step) {
    WalkedLoop loop = {DistanceLoop::transposed(window, outputs, y_step, x_step), {}, {}};
    for (uint32_t o = 0; o < outputs; ++o) {
      std::optional<int64_t>& lowest = loop.reads.emplace_back();
      for (uint32_t t = 0; t < window.kernel; ++t) {
        const int64_t at = int64_t{o} + window.pad_begin - int64_t{t} * window.dilation;
        const int64_t position = at / window.stride;
        if (at < 0 || at % window.stride != 0 || position >= window.input) continue;
        if (!lowest || position * x_step < *lowest) lowest = position * x_step;
      }
      loop.writes.push_back(o * y_step);
    }
    return loop;
  }
  static WalkedLoop transposed_pieces(const TransposedWindow& window, uint32_t outputs,
                                      int64_t y_step, int64_t x_step, AtOnce at_once) {
    const WalkedLoop each = transposed(window, outputs, y_step, x_step);
    WalkedLoop loop = {
        DistanceLoop::transposed_pieces(window, outputs, y_step, x_step, at_once), {}, {}};
    for (uint32_t phase = 0; phase < window.stride && phase < outputs; ++phase) {
      for (uint32_t o = phase; o < outputs;) {
        std::optional<int64_t>& lowest = loop.reads.emplace_back();
        const uint32_t left = (outputs - o - 1) / window.stride + 1;
        for (uint32_t places = at_once(left); places != 0; --places, o += window.stride) {
          const auto& read = each.reads[o];
          if (read && (!lowest || *read < *lowest)) lowest = read;
        }
        loop.writes.push_back((o - window.stride) * y_step);
      }
    }
    return loop;
  }

  std::mt19937 random_;
};

// Follows loops, the first outermost, whose iterations add to y and x.
void follow(std::span<const WalkedLoop> loops, int64_t y, std::optional<int64_t> x,
            DistanceWalk& walk) {
  if (loops.empty()) {
    if (x) walk.read(*x);
    walk.write(y);
    return;
  }
  for (size_t i = 0; i < loops[0].writes.size(); ++i) {
    const auto& read = loops[0].reads[i];
    follow(loops.subspan(1), y + loops[0].writes[i],
           x && read ? std::optional(*x + *read) : std::nullopt, walk);
  }
}

TEST(DistanceNests, HaveTheDistanceOfTheirWalk) {
  for (uint32_t seed = 1; seed <= 20000; ++seed) {
    RandomLoops random(seed);
    DistanceWalk closed;
    DistanceWalk walked;
    for (uint32_t nests = 1 + random.below(2); nests != 0; --nests) {
      std::vector<WalkedLoop> loops;
      for (uint32_t left = random.below(4); left != 0; --left) loops.push_back(random.draw());
      const uint32_t bytes = 1u << random.below(4);
      const int64_t y = random.below(300);
      const int64_t x = random.below(300);
      DistanceNest nest(bytes);
      for (size_t i = loops.size(); i-- > 0;) nest.add(loops[i].closed);
      closed.nest(nest, y, x);
      follow(loops, y + bytes, x, walked);
    }
    ASSERT_EQ(closed.bytes(), walked.bytes()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
