// The choice of a step's form: the planned one if it is there and fits, else another; references
// come last.
#include "core/form_choice.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/core/sample_programs.h"
#include "tests/core/test_forms.h"
#include "tests/core/test_machine.h"

namespace arenite::tests {
namespace {

constexpr uint8_t kSpecial = 8;
constexpr CpuFeatures kFast = 1u << 3;

template <uint32_t kFactor>
Status run_add_times(const Step& step, const Platform& platform) {
  ARENITE_TRY(test_form(Op::kAdd).run(step, platform));
  const OutTensor y = step.output(0);
  for (uint32_t i = 0; i < y.bytes() / 4; ++i) y.write<float>()[i] *= kFactor;
  return ok_status();
}

bool accepts_none(const Step&) { return false; }

ScratchNeed some_scratch(const Step&) { return {4, 4}; }

// The test operators, but for other forms of add: wrong by a factor that tells which one ran.
class Table {
 public:
  Table() : entries_(test_forms().begin(), test_forms().end()) {
    special_.number = kSpecial;
    special_.run = run_add_times<10>;
    other_.number = kSpecial + 1;
    other_.run = run_add_times<100>;
  }
  Form& special() { return special_; }
  Form& other() { return other_; }
  OpTable with(const std::vector<const Form*>& forms) {
    list_ = forms;
    list_.push_back(nullptr);
    for (OpEntry& entry : entries_) {
      if (entry.op == Op::kAdd) entry.forms = list_.data();
    }
    return entries_;
  }
  const Form* reference() const { return &reference_; }

 private:
  const Form reference_ = test_form(Op::kAdd);
  Form special_ = test_form(Op::kAdd), other_ = test_form(Op::kAdd);
  std::vector<const Form*> list_;
  std::vector<OpEntry> entries_;
};

// y = x + x, planned for a form.
ProgramBuilder sum_by(uint8_t form, uint32_t flags = 0, uint32_t x_bytes = 12) {
  ProgramBuilder b;
  b.method("sum", 1, 1);
  b.variant("board");
  const uint32_t host = b.arena(format::ArenaKind::kHost, 64);
  const uint32_t x = b.value({.dims = {3}, .place = host, .bytes = x_bytes});
  const uint32_t y = b.value({.dims = {3}, .place = host, .offset = 36});
  b.step({.op = Op::kAdd,
          .inputs = {x, x},
          .outputs = {y},
          .attributes = words_of(BinaryAttributes{}),
          .form = form});
  b.io({x, y});
  b.set_flags(flags);
  return b;
}

// The factor by which 1 + 1 came out wrong, or the code of the load.
struct Outcome {
  Code code = Code::kOk;
  float factor = 0;

  bool operator==(const Outcome&) const = default;
};

Outcome run(const ProgramBuilder& builder, OpTable ops, CpuFeatures features = 0) {
  Machine machine(builder.file());
  EXPECT_TRUE(machine.opened.ok());
  machine.options.ops = ops;
  machine.options.features = features;
  if (const Status status = machine.load(); !status.ok()) {
    EXPECT_EQ(status.step, 0u);
    return {status.code};
  }
  fill(machine.instance.input(0), {1, 1, 1});
  EXPECT_TRUE(machine.instance.run().ok());
  return {Code::kOk, floats(machine.instance.output(0))[0] / 2};
}

TEST(FormChoice, TakesThePlannedForm) {
  Table table;
  const OpTable all = table.with({&table.other(), &table.special(), table.reference()});
  EXPECT_EQ(run(sum_by(0), all), (Outcome{Code::kOk, 1}));
  EXPECT_EQ(run(sum_by(kSpecial), all), (Outcome{Code::kOk, 10}));
  EXPECT_EQ(run(sum_by(kSpecial + 1), all), (Outcome{Code::kOk, 100}));
}

TEST(FormChoice, TakesAnotherWhereThePlannedOneIsNotThere) {
  Table table;
  const ProgramBuilder planned = sum_by(77);
  EXPECT_EQ(run(planned, table.with({&table.other(), &table.special(), table.reference()})),
            (Outcome{Code::kOk, 100}));
  EXPECT_EQ(run(planned, table.with({&table.special(), table.reference()})),
            (Outcome{Code::kOk, 10}));
  EXPECT_EQ(run(planned, table.with({table.reference()})), (Outcome{Code::kOk, 1}));
  EXPECT_EQ(run(planned, table.with({})), (Outcome{Code::kNoForm}));
}

TEST(FormChoice, ExactProgramsRunWithPlannedFormsOrNotAtAll) {
  Table table;
  const OpTable all = table.with({&table.special(), table.reference()});
  EXPECT_EQ(run(sum_by(kSpecial, format::kExactForms), all), (Outcome{Code::kOk, 10}));
  EXPECT_EQ(run(sum_by(77, format::kExactForms), all), (Outcome{Code::kNoForm}));
}

// One plan for all machines: planned with the plainest of forms that differ in instructions only.
TEST(FormChoice, TakesTheBestOfThePlannedFormsKin) {
  Table table;
  table.special().kin = table.other().kin = kSpecial;
  table.other().needs = kFast;
  const OpTable all = table.with({&table.other(), &table.special(), table.reference()});
  const Outcome plain{Code::kOk, 10}, best{Code::kOk, 100};
  EXPECT_EQ(run(sum_by(kSpecial), all, kFast), best);
  EXPECT_EQ(run(sum_by(kSpecial), all), plain);
  EXPECT_EQ(run(sum_by(kSpecial, format::kExactForms), all, kFast), plain);
  // Planned for a better one, or for none of them.
  EXPECT_EQ(run(sum_by(kSpecial + 1), all, kFast), best);
  EXPECT_EQ(run(sum_by(kSpecial + 1), all), plain);
  EXPECT_EQ(run(sum_by(0), all, kFast), (Outcome{Code::kOk, 1}));
  // A machine may lack the plainest, or what it asks of the step.
  EXPECT_EQ(run(sum_by(kSpecial), table.with({&table.other(), table.reference()}), kFast), best);
  table.other().accepts = accepts_none;
  EXPECT_EQ(run(sum_by(kSpecial), table.with({&table.other(), &table.special(), table.reference()}),
                kFast),
            plain);
}

TEST(FormChoice, PassesByFormsThatDoNotFitTheStep) {
  const Outcome reference{Code::kOk, 1};
  const auto with_special = [](auto change, CpuFeatures features = 0) {
    Table table;
    change(table.special());
    return run(sum_by(kSpecial), table.with({&table.special(), table.reference()}), features);
  };
  EXPECT_EQ(with_special([](Form& f) { f.types = type_set(DType::kInt32); }), reference);
  EXPECT_EQ(with_special([](Form& f) { f.accepts = accepts_none; }), reference);
  // y starts at 36.
  EXPECT_EQ(with_special([](Form& f) { f.alignment = 8; }), reference);
  EXPECT_EQ(with_special([](Form& f) { f.over_read_bytes = 4; }), reference);
  EXPECT_EQ(with_special([](Form& f) { f.scratch = some_scratch; }), reference);
  EXPECT_EQ(with_special([](Form& f) { f.needs = kFast; }), reference);
  EXPECT_EQ(with_special([](Form& f) { f.needs = kFast; }, kFast), (Outcome{Code::kOk, 10}));
}

TEST(FormChoice, TakesAFormWhoseNeedsThePlanMeets) {
  Table table;
  table.special().over_read_bytes = 4;
  EXPECT_EQ(run(sum_by(kSpecial, 0, 16), table.with({&table.special(), table.reference()})),
            (Outcome{Code::kOk, 10}));
}

// A table may hold the facts of another machine's form: its code is missing, so it is never called.
TEST(FormChoice, AFormWithoutCodeIsNeverTaken) {
  Table table;
  table.special().run = nullptr;
  const OpTable with_reference = table.with({&table.special(), table.reference()});
  EXPECT_EQ(run(sum_by(kSpecial), with_reference), (Outcome{Code::kOk, 1}));
  EXPECT_EQ(run(sum_by(77), with_reference), (Outcome{Code::kOk, 1}));
  EXPECT_EQ(run(sum_by(kSpecial, format::kExactForms), with_reference), (Outcome{Code::kNoForm}));
  EXPECT_EQ(run(sum_by(0), table.with({&table.special()})), (Outcome{Code::kNoForm}));
}

// The refusal of an exact program's form is reported as it is.
TEST(FormChoice, SaysWhyThePlannedFormDoesNotFit) {
  Table table;
  const auto code = [&](auto change) {
    Table changed;
    change(changed.special());
    return run(sum_by(kSpecial, format::kExactForms),
               changed.with({&changed.special(), changed.reference()}))
        .code;
  };
  EXPECT_EQ(code([](Form& f) { f.alignment = 8; }), Code::kBadAlignment);
  EXPECT_EQ(code([](Form& f) { f.over_read_bytes = 4; }), Code::kBadRange);
  EXPECT_EQ(code([](Form& f) { f.scratch = some_scratch; }), Code::kBadScratch);
  EXPECT_EQ(code([](Form& f) { f.types = type_set(DType::kInt32); }), Code::kNoForm);
}

uint32_t threads_seen = 0;

Status note_threads(const Step& step, const Platform& platform) {
  threads_seen = platform.threads;
  return test_form(Op::kAdd).run(step, platform);
}

// Scratch is planned for so many.
TEST(FormChoice, AStepGetsNoMoreThreadsThanItsVariantPlansFor) {
  Table table;
  table.special().run = note_threads;
  for (const auto& [given, planned, seen] : {std::array{8u, 3u, 3u}, {2u, 3u, 2u}, {8u, 0u, 1u}}) {
    ProgramBuilder b = sum_by(kSpecial);
    b.set_threads(planned);
    Machine machine(b.file());
    machine.options.ops = table.with({&table.special()});
    machine.platform.threads = given;
    ASSERT_TRUE(machine.load().ok());
    ASSERT_TRUE(machine.instance.run().ok());
    EXPECT_EQ(threads_seen, seen);
  }
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
