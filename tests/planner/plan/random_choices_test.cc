// Compares programs of random branches and loops in each other with real control flow, in arenas
// that hold poison before.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "planner/plan.h"
#include "tests/environment_count.h"
#include "tests/planner/model/model_builder.h"
#include "tests/planner/plan/run_program.h"
#include "tests/planner/plan/vulkan_run.h"

namespace arenite::test {
namespace {

using planner::bool_tensor;
using planner::float_tensor;
using planner::int64_tensor;
using planner::ModelBuilder;

constexpr int64_t kOpset = 13;
constexpr size_t kElements = 6;  // of each value: [2, 3], whole numbers
constexpr int kConditions = 3;   // inputs
constexpr int64_t kTripsMax = 3;

using Numbers = std::array<float, kElements>;

// The inputs of a run.
struct Given {
  Numbers x;
  std::array<bool, kConditions> conditions;
  int64_t trips;
};

// Values that have been computed, outermost first; a body sees those around it.
struct Seen {
  std::vector<std::string> names;
  std::vector<Numbers> numbers;  // while it is computed
};

struct Item;
// Items one after another; the last value is the result.
struct Body {
  std::vector<Item> items;
};

enum class Kind { kNeg, kAbs, kAdd, kSub, kMax, kRotate, kIf, kLoop };

struct Item {
  Kind kind;
  size_t a, b;    // values, of those that are seen there
  int condition;  // of an If: an input, or -1: whether the sum of value b is above 0
  Body first, second;
};

class Maker {
 public:
  explicit Maker(uint32_t seed) : random_(seed) {}

  Body body(size_t seen, int depth) {
    Body made;
    for (size_t count = 1 + below(4); count != 0; --count) {
      made.items.push_back(item(seen, depth));
      ++seen;
    }
    return made;
  }

  Given given() {
    Given run;
    for (float& number : run.x) number = static_cast<float>(below(21)) - 10;
    for (bool& condition : run.conditions) condition = below(2) != 0;
    run.trips = static_cast<int64_t>(below(kTripsMax + 1));
    return run;
  }

 private:
  size_t below(size_t count) { return random_() % count; }

  Item item(size_t seen, int depth) {
    Item made{static_cast<Kind>(below(depth == 0 ? 6 : 8)), below(seen), below(seen),
              static_cast<int>(below(kConditions + 1)) - 1, {},          {}};
    if (made.kind == Kind::kIf) {
      made.first = body(seen, depth - 1);
      made.second = body(seen, depth - 1);
    }
    if (made.kind == Kind::kLoop) made.first = body(seen + 1, depth - 1);
    return made;
  }

  std::mt19937 random_;
};

// Computes a body by the rules of C++: one branch of an If, as many trips of a loop as are given.
Numbers computed(const Body& body, Seen seen, const Given& given) {
  for (const Item& item : body.items) {
    const Numbers& a = seen.numbers[item.a];
    const Numbers& b = seen.numbers[item.b];
    Numbers y = a;
    float sum = 0;
    for (const float number : b) sum += number;
    const bool chosen =
        item.condition < 0 ? sum > 0 : given.conditions[static_cast<size_t>(item.condition)];
    switch (item.kind) {
      case Kind::kNeg:
        for (float& number : y) number = -number;
        break;
      case Kind::kAbs:
        for (float& number : y) number = std::fabs(number);
        break;
      case Kind::kAdd:
        for (size_t i = 0; i < kElements; ++i) y[i] = a[i] + b[i];
        break;
      case Kind::kSub:
        for (size_t i = 0; i < kElements; ++i) y[i] = a[i] - b[i];
        break;
      case Kind::kMax:
        for (size_t i = 0; i < kElements; ++i) y[i] = std::max(a[i], b[i]);
        break;
      case Kind::kRotate:
        for (size_t i = 0; i < kElements; ++i) y[i] = a[i / 3 * 3 + (i + 1) % 3];
        break;
      case Kind::kIf:
        y = computed(chosen ? item.first : item.second, seen, given);
        break;
      case Kind::kLoop:
        for (int64_t trip = 0; trip < given.trips; ++trip) {
          Seen inside = seen;
          inside.numbers.push_back(y);
          y = computed(item.first, inside, given);
        }
        break;
    }
    seen.numbers.push_back(y);
  }
  return seen.numbers.back();
}

// The same as nodes of ONNX.
class Writer {
 public:
  // Adds the body to a graph; the name of its result.
  std::string write(const Body& body, Seen seen, ModelBuilder& graph) {
    for (const Item& item : body.items) {
      seen.names.push_back(write(item, seen, graph));
    }
    // What a graph gives must be made in it.
    const std::string result = fresh("result");
    graph.node("Identity", {seen.names.back()}, {result}, fresh("hand_on"));
    return result;
  }

 private:
  std::string fresh(const std::string& stem) { return stem + "_" + std::to_string(count_++); }

  std::string write(const Item& item, const Seen& seen, ModelBuilder& graph) {
    const std::string y = fresh("y");
    const std::string& a = seen.names[item.a];
    const std::string& b = seen.names[item.b];
    const std::string name = fresh("node");
    switch (item.kind) {
      case Kind::kNeg:
        graph.node("Neg", {a}, {y}, name);
        break;
      case Kind::kAbs:
        graph.node("Abs", {a}, {y}, name);
        break;
      case Kind::kAdd:
        graph.node("Add", {a, b}, {y}, name);
        break;
      case Kind::kSub:
        graph.node("Sub", {a, b}, {y}, name);
        break;
      case Kind::kMax:
        graph.node("Max", {a, b}, {y}, name);
        break;
      case Kind::kRotate: {
        const std::string first = fresh("first"), rest = fresh("rest");
        graph.node("Slice", {a, "zero", "one", "one"}, {first}, fresh("node"));
        graph.node("Slice", {a, "one", "three", "one"}, {rest}, fresh("node"));
        graph.node("Concat", {rest, first}, {y}, name).with("axis", 1);
        break;
      }
      case Kind::kIf: {
        ModelBuilder sides[2] = {ModelBuilder(kOpset), ModelBuilder(kOpset)};
        sides[0].output(write(item.first, seen, sides[0]));
        sides[1].output(write(item.second, seen, sides[1]));
        graph.node("If", {condition(item, b, graph)}, {y}, name);
        graph.with_graph("then_branch", sides[0]).with_graph("else_branch", sides[1]);
        break;
      }
      case Kind::kLoop: {
        ModelBuilder body(kOpset);
        Seen inside = seen;
        const std::string before = fresh("before"), go = fresh("go");
        inside.names.push_back(before);
        body.input(fresh("trip"), {}, DType::kInt64).input(go, {}, DType::kBool);
        body.input(before, {"2", "3"});
        const std::string result = write(item.first, inside, body);
        const std::string goes_on = fresh("goes_on");
        body.node("Identity", {go}, {goes_on}, fresh("node"));
        body.output(goes_on, DType::kBool).output(result);
        graph.node("Loop", {"trips", "", a}, {y}, name).with_graph("body", body);
        loops.push_back(name);
        break;
      }
    }
    return y;
  }

  std::string condition(const Item& item, const std::string& b, ModelBuilder& graph) {
    if (item.condition >= 0) return "c" + std::to_string(item.condition);
    const std::string sum = fresh("sum"), above = fresh("above");
    graph.node("ReduceSum", {b}, {sum}, fresh("node")).with("keepdims", 0);
    graph.node("Greater", {sum, "nothing"}, {above}, fresh("node"));
    return above;
  }

  size_t count_ = 0;

 public:
  std::vector<std::string> loops;
};

planner::ModelFile model_of(const Body& body) {
  ModelBuilder model(kOpset);
  model.input("x", {"2", "3"});
  for (int i = 0; i < kConditions; ++i) {
    model.input("c" + std::to_string(i), {}, DType::kBool);
  }
  model.input("trips", {}, DType::kInt64);
  model.initializer("zero", int64_tensor({1}, {0})).initializer("one", int64_tensor({1}, {1}));
  model.initializer("three", int64_tensor({1}, {3})).initializer("nothing", float_tensor({}, {0}));
  Writer writer;
  model.output(writer.write(body, {{"x"}, {}}, model));
  planner::ModelFile file;
  file.method = "main";
  file.bytes = model.bytes();
  for (const std::string& loop : writer.loops) file.import.max_trips[loop] = kTripsMax;
  return file;
}

std::vector<std::vector<std::byte>> inputs_of(const Given& given) {
  std::vector<std::vector<std::byte>> inputs = {
      float_tensor({2, 3}, {given.x.begin(), given.x.end()}).bytes};
  for (const bool condition : given.conditions) {
    inputs.push_back(bool_tensor({}, {condition}).bytes);
  }
  inputs.push_back(int64_tensor({}, {given.trips}).bytes);
  return inputs;
}

void expect_same(const std::vector<std::vector<std::byte>>& found, const Numbers& expected,
                 const char* what) {
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found[0].size(), sizeof expected);
  EXPECT_EQ(std::memcmp(found[0].data(), expected.data(), sizeof expected), 0)
      << what << ": expected " << testing::PrintToString(expected) << ", found "
      << testing::PrintToString(planner::floats_of(found[0]));
}

TEST(Predicates, RandomControlFlow) {
  VulkanRun vulkan;
  const uint32_t seeds = environment_count("ARENITE_TEST_CHOICES", 24);
  size_t with_predicates = 0, with_cuts = 0;
  for (uint32_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Maker maker(seed);
    const Body body = maker.body(1, 3);
    const planner::ModelFile model = model_of(body);
    for (const planner::Optimize aim : {planner::Optimize::kSpeed, planner::Optimize::kMemory}) {
      planner::PlanOptions options;
      options.boards = {planner::find_board("host")};
      // Whatever a device can leave out, it leaves out.
      options.boards[0].costs.cut_ps = options.boards[0].costs.wait_ps = 0;
      options.optimize = aim;
      const OpenProgram program(planner::plan_models({model}, options).program);
      with_predicates += program->predicates().empty() ? 0u : 1u;
      const bool is_cut = (program->header().required_features & format::kCutsFeature) != 0;
      with_cuts += is_cut ? 1u : 0u;
      auto before = inputs_of(maker.given());
      for (int run_number = 0; run_number < 4; ++run_number) {
        const Given given = maker.given();
        const Numbers expected = computed(body, {{}, {given.x}}, given);
        const auto inputs = inputs_of(given);
        RunRequest request;
        request.variant = program->methods()[0].variant_count - 1;
        expect_same(run(*program, request, inputs), expected, "on the CPU");
        const bool on_vulkan = vulkan.ready() && seed % 8 == 0 && request.variant != 0;
        if (on_vulkan)
          expect_same(vulkan.run(*program, 0, 0, inputs, before), expected, "on Vulkan");
        before = inputs;
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(with_predicates, seeds / 2);
  EXPECT_GT(with_cuts, seeds / 2);
  EXPECT_EQ(vulkan.validation_messages(), 0u);
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
