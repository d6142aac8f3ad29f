// The C interface: what it gives, what it says when something is wrong, and sessions in several
// threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "core/types.h"
#include "include/arenite.h"
#include "tools/io/tensor.h"

namespace {

using testing::HasSubstr;

static_assert(ARENITE_FLOAT32 == static_cast<int>(arenite::DType::kFloat32));
static_assert(ARENITE_INT64 == static_cast<int>(arenite::DType::kInt64));
static_assert(ARENITE_BOOL == static_cast<int>(arenite::DType::kBool));
static_assert(ARENITE_BFLOAT16 == static_cast<int>(arenite::DType::kBfloat16));

struct Program {
  Program() { EXPECT_EQ(arenite_program_read(ARENITE_TEST_PROGRAM, &handle), ARENITE_OK); }
  ~Program() { arenite_program_free(handle); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  arenite_program* handle = nullptr;
};

struct Session {
  explicit Session(const Program& program, const char* device = "cpu") {
    arenite_options options = ARENITE_OPTIONS_INIT;
    options.device = device;
    EXPECT_EQ(arenite_session_create(program.handle, &options, &handle), ARENITE_OK)
        << arenite_last_error();
  }
  ~Session() { arenite_session_free(handle); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  arenite_session* handle = nullptr;
};

std::vector<float> elements(const char* file, size_t first, size_t count) {
  const auto tensor = arenite::tools::parse_npy(arenite::read_file(file), file);
  std::vector<float> numbers(count);
  std::memcpy(numbers.data(), tensor.bytes.data() + first * sizeof(float), count * sizeof(float));
  return numbers;
}

// Runs digit `n` of the examples' images and compares.
void check_digit(arenite_session* session, size_t n) {
  const std::vector<float> image = elements(ARENITE_TEST_DIGITS "/images.npy", 64 * n, 64);
  std::memcpy(arenite_session_input(session, 0)->data, image.data(), 64 * sizeof(float));
  ASSERT_EQ(arenite_session_run(session), ARENITE_OK) << arenite_last_error();
  const auto* logits = static_cast<const float*>(arenite_session_output(session, 0)->data);
  const std::vector<float> expected = elements(ARENITE_TEST_DIGITS "/logits.npy", 10 * n, 10);
  for (size_t i = 0; i < 10; ++i) EXPECT_NEAR(logits[i], expected[i], 1e-4);
}

TEST(Api, RunsAModel) {
  const Program program;
  EXPECT_EQ(arenite_program_methods(program.handle), 1u);
  EXPECT_STREQ(arenite_program_method(program.handle, 0), "main");
  EXPECT_EQ(arenite_program_method(program.handle, 1), nullptr);
  const Session session(program);
  ASSERT_EQ(arenite_session_inputs(session.handle), 1u);
  ASSERT_EQ(arenite_session_outputs(session.handle), 1u);
  const arenite_tensor* input = arenite_session_input(session.handle, 0);
  EXPECT_STREQ(input->name, "image");
  EXPECT_EQ(input->type, ARENITE_FLOAT32);
  ASSERT_EQ(input->rank, 4u);
  EXPECT_EQ(input->dims[3], 8u);
  EXPECT_EQ(input->bytes, 256u);
  EXPECT_EQ(arenite_session_input(session.handle, 1), nullptr);
  const void* data = input->data;
  for (size_t n = 0; n < 3; ++n) check_digit(session.handle, n);
  EXPECT_EQ(arenite_session_input(session.handle, 0)->data, data);
  EXPECT_STREQ(arenite_session_device(session.handle), "cpu");
  EXPECT_EQ(arenite_session_fell_back(session.handle), nullptr);
  EXPECT_STREQ(arenite_version(), ARENITE_VERSION);
}

TEST(Api, InputsKeepTheirContents) {
  const Program program;
  const Session session(program);
  check_digit(session.handle, 0);
  const arenite_tensor* output = arenite_session_output(session.handle, 0);
  std::vector<char> first(output->bytes), second(output->bytes);
  std::memcpy(first.data(), output->data, output->bytes);
  ASSERT_EQ(arenite_session_run(session.handle), ARENITE_OK);
  std::memcpy(second.data(), output->data, output->bytes);
  EXPECT_EQ(first, second);
}

TEST(Api, SessionsOutliveTheProgramAndRunAtTheSameTime) {
  std::vector<std::thread> threads;
  auto program = std::make_unique<Program>();
  std::vector<std::unique_ptr<Session>> sessions;
  for (int t = 0; t < 4; ++t) sessions.push_back(std::make_unique<Session>(*program));
  program.reset();
  for (size_t t = 0; t < sessions.size(); ++t) {
    threads.emplace_back([&sessions, t] {
      for (size_t n = 0; n < 20; ++n) check_digit(sessions[t]->handle, n + t);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Two threads run one session until one of them meets the other.
TEST(Api, ABusySessionIsAnError) {
  const Program program;
  const Session session(program);
  std::atomic<bool> met{false};
  const auto work = [&] {
    for (uint32_t n = 0; n < 1'000'000 && !met; ++n) {
      if (arenite_session_run(session.handle) == ARENITE_OK) continue;
      EXPECT_THAT(arenite_last_error(), HasSubstr("busy: another thread runs it"));
      met = true;
    }
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_TRUE(met);
  check_digit(session.handle, 3);
}

TEST(Api, CallsInsideARunCanEndIt) {
  const Program program;
  const Session session(program);
  struct Calls {
    arenite_session* session;
    int count = 0, last = 0;
  } calls = {session.handle};
  const auto call = [](void* context) {
    auto& of = *static_cast<Calls*>(context);
    EXPECT_EQ(arenite_session_run(of.session), ARENITE_BAD_INPUT);  // it is busy
    return of.count++ == of.last ? 0 : 1;
  };
  ASSERT_EQ(arenite_session_set_pauses(session.handle, call, &calls, 1000), ARENITE_OK);
  calls.last = 3;
  EXPECT_EQ(arenite_session_run(session.handle), ARENITE_CANCELLED);
  EXPECT_THAT(arenite_last_error(), HasSubstr("a call inside the run ended it"));
  EXPECT_EQ(calls.count, 4);
  calls.last = -1;
  check_digit(session.handle, 4);
  EXPECT_GT(calls.count, 8);
  ASSERT_EQ(arenite_session_set_pauses(session.handle, nullptr, nullptr, 0), ARENITE_OK);
  calls.count = 0;
  check_digit(session.handle, 5);
  EXPECT_EQ(calls.count, 0);
  EXPECT_EQ(arenite_session_set_pauses(nullptr, call, nullptr, 1), ARENITE_BAD_INPUT);
}

TEST(Api, ErrorsSayWhatIsWrong) {
  arenite_program* program = nullptr;
  EXPECT_EQ(arenite_program_read("/no/such/file.arn", &program), ARENITE_BAD_INPUT);
  EXPECT_EQ(program, nullptr);
  EXPECT_THAT(arenite_last_error(), HasSubstr("/no/such/file.arn"));
  EXPECT_EQ(arenite_program_copy("garbage", 7, &program), ARENITE_BAD_INPUT);
  EXPECT_THAT(arenite_last_error(), HasSubstr("program in memory"));
  EXPECT_EQ(arenite_program_read(nullptr, &program), ARENITE_BAD_INPUT);
  EXPECT_THAT(arenite_last_error(), HasSubstr("path"));
  EXPECT_EQ(arenite_program_read("x", nullptr), ARENITE_BAD_INPUT);
  EXPECT_EQ(arenite_program_copy(nullptr, 1, &program), ARENITE_BAD_INPUT);
  // Another thread has failed at nothing.
  std::string other = "?";
  std::thread([&other] { other = arenite_last_error(); }).join();
  EXPECT_EQ(other, "");
}

TEST(Api, BadOptionsAreRefusedByName) {
  const Program program;
  arenite_session* session = nullptr;
  const auto create = [&](const arenite_options& options) {
    return arenite_session_create(program.handle, &options, &session);
  };
  arenite_options options = ARENITE_OPTIONS_INIT;
  options.device = "gpu";
  EXPECT_EQ(create(options), ARENITE_BAD_INPUT);
  EXPECT_THAT(arenite_last_error(), HasSubstr("'gpu'"));
  options = ARENITE_OPTIONS_INIT;
  options.method = "other";
  EXPECT_EQ(create(options), ARENITE_BAD_INPUT);
  EXPECT_THAT(arenite_last_error(), HasSubstr("'other'"));
  options = ARENITE_OPTIONS_INIT;
  options.board = "nowhere";
  EXPECT_EQ(create(options), ARENITE_BAD_INPUT);
  EXPECT_THAT(arenite_last_error(), HasSubstr("nowhere"));
  options = ARENITE_OPTIONS_INIT;
  options.threads = 1000000;
  EXPECT_EQ(create(options), ARENITE_BAD_INPUT);
  options = ARENITE_OPTIONS_INIT;
  options.device = "vulkan:no such device";
  EXPECT_EQ(create(options), ARENITE_FAILED);
  EXPECT_EQ(session, nullptr);
  options.allow_fallback = 1;
  ASSERT_EQ(create(options), ARENITE_OK) << arenite_last_error();
  EXPECT_THAT(arenite_session_fell_back(session), HasSubstr("no such device"));
  arenite_session_free(session);
}

TEST(Api, OptionsMayBeOlderOrNewer) {
  const Program program;
  arenite_session* session = nullptr;
  struct Newer {
    arenite_options options = ARENITE_OPTIONS_INIT;
    const char* more = "unknown here";
  } newer;
  newer.options.size = sizeof newer;
  newer.options.device = "cpu";
  EXPECT_EQ(arenite_session_create(program.handle, &newer.options, &session), ARENITE_OK);
  arenite_session_free(session);
  arenite_options older = ARENITE_OPTIONS_INIT;
  older.size = offsetof(arenite_options, method);
  older.device = "cpu";
  older.method = "not looked at";
  EXPECT_EQ(arenite_session_create(program.handle, &older, &session), ARENITE_OK);
  arenite_session_free(session);
  older.size = 0;
  EXPECT_EQ(arenite_session_create(program.handle, &older, &session), ARENITE_BAD_INPUT);
}

// A running sum, which begins at 10, 20, 30.
TEST(Api, StatesAreKeptSavedAndReset) {
  arenite_program* program = nullptr;
  ASSERT_EQ(arenite_program_read(ARENITE_TEST_STATE, &program), ARENITE_OK) << arenite_last_error();
  arenite_session *session = nullptr, *other = nullptr;
  ASSERT_EQ(arenite_session_create(program, nullptr, &session), ARENITE_OK);
  ASSERT_EQ(arenite_session_create(program, nullptr, &other), ARENITE_OK);
  arenite_program_free(program);
  EXPECT_EQ(arenite_session_inputs(session), 1u) << "the state is nobody's input";
  const auto sum_after = [](arenite_session* one, float x) {
    auto* input = static_cast<float*>(arenite_session_input(one, 0)->data);
    std::fill_n(input, 3, x);
    EXPECT_EQ(arenite_session_run(one), ARENITE_OK) << arenite_last_error();
    return static_cast<const float*>(arenite_session_output(one, 0)->data)[2];
  };
  EXPECT_EQ(sum_after(session, 1), 31);
  EXPECT_EQ(sum_after(session, 2), 33);
  EXPECT_EQ(sum_after(other, 5), 35) << "each session has its own";

  size_t bytes = 0;
  ASSERT_EQ(arenite_session_save_states(session, nullptr, &bytes), ARENITE_OK);
  std::vector<char> saved(bytes);
  size_t less = bytes - 1;
  EXPECT_EQ(arenite_session_save_states(session, saved.data(), &less), ARENITE_BAD_INPUT);
  EXPECT_THAT(arenite_last_error(), HasSubstr("expected room for " + std::to_string(bytes)));
  EXPECT_EQ(less, bytes);
  ASSERT_EQ(arenite_session_save_states(session, saved.data(), &bytes), ARENITE_OK);
  ASSERT_EQ(arenite_session_load_states(other, saved.data(), bytes), ARENITE_OK);
  EXPECT_EQ(sum_after(other, 1), 34);
  saved[20] ^= 1;
  EXPECT_EQ(arenite_session_load_states(other, saved.data(), bytes), ARENITE_BAD_INPUT);
  EXPECT_EQ(sum_after(other, 1), 35);
  ASSERT_EQ(arenite_session_reset_states(other), ARENITE_OK);
  EXPECT_EQ(sum_after(other, 1), 31);
  arenite_session_free(session);
  arenite_session_free(other);
}

TEST(Api, ABatchIsOfAnySizeUpToTheMost) {
  arenite_program* program = nullptr;
  ASSERT_EQ(arenite_program_read(ARENITE_TEST_BATCHES, &program), ARENITE_OK);
  arenite_session* session = nullptr;
  ASSERT_EQ(arenite_session_create(program, nullptr, &session), ARENITE_OK) << arenite_last_error();
  arenite_program_free(program);
  const arenite_tensor* input = arenite_session_input(session, 0);
  const arenite_tensor* output = arenite_session_output(session, 0);
  EXPECT_EQ(input->dims[0], 8u) << "a session begins with the most";
  const void* const data = input->data;
  for (const uint32_t batch : {8u, 1u, 3u, 7u}) {
    const uint32_t dims[] = {batch, 1, 8, 8};
    ASSERT_EQ(arenite_session_set_shape(session, 0, dims, 4), ARENITE_OK) << arenite_last_error();
    EXPECT_EQ(input->dims[0], batch);
    EXPECT_EQ(input->bytes, batch * 64 * sizeof(float));
    EXPECT_EQ(input->data, data);
    EXPECT_EQ(output->dims[0], batch);
    const std::vector<float> images = elements(ARENITE_TEST_DIGITS "/images.npy", 64, 64 * batch);
    std::memcpy(input->data, images.data(), input->bytes);
    ASSERT_EQ(arenite_session_run(session), ARENITE_OK) << arenite_last_error();
    ASSERT_EQ(output->bytes, batch * 10 * sizeof(float));
    const auto* logits = static_cast<const float*>(output->data);
    const auto expected = elements(ARENITE_TEST_DIGITS "/logits.npy", 10, 10 * batch);
    for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(logits[i], expected[i], 1e-4);
  }
  const uint32_t bad[][4] = {{9, 1, 8, 8}, {0, 1, 8, 8}, {2, 1, 8, 9}};
  for (const auto& dims : bad) {
    EXPECT_EQ(arenite_session_set_shape(session, 0, dims, 4), ARENITE_BAD_INPUT);
    EXPECT_THAT(arenite_last_error(), HasSubstr("expected float32[1..8,1,8,8], found float32["));
  }
  EXPECT_EQ(arenite_session_set_shape(session, 0, bad[2], 3), ARENITE_BAD_INPUT);
  EXPECT_EQ(arenite_session_set_shape(session, 1, bad[2], 4), ARENITE_BAD_INPUT);
  EXPECT_EQ(arenite_session_set_shape(session, 0, nullptr, 4), ARENITE_BAD_INPUT);
  EXPECT_EQ(arenite_session_set_shape(nullptr, 0, bad[2], 4), ARENITE_BAD_INPUT);
  EXPECT_EQ(input->dims[0], 7u) << "what was refused changed nothing";
  arenite_session_free(session);
}

TEST(Api, NullHandlesAreHarmless) {
  arenite_program_free(nullptr);
  arenite_session_free(nullptr);
  EXPECT_EQ(arenite_program_methods(nullptr), 0u);
  EXPECT_EQ(arenite_program_method(nullptr, 0), nullptr);
  EXPECT_EQ(arenite_session_inputs(nullptr), 0u);
  EXPECT_EQ(arenite_session_outputs(nullptr), 0u);
  EXPECT_EQ(arenite_session_input(nullptr, 0), nullptr);
  EXPECT_EQ(arenite_session_output(nullptr, 0), nullptr);
  EXPECT_EQ(arenite_session_device(nullptr), nullptr);
  EXPECT_EQ(arenite_session_fell_back(nullptr), nullptr);
  EXPECT_EQ(arenite_session_run(nullptr), ARENITE_BAD_INPUT);
  EXPECT_EQ(arenite_session_reset_states(nullptr), ARENITE_BAD_INPUT);
  size_t bytes = 0;
  EXPECT_EQ(arenite_session_save_states(nullptr, nullptr, &bytes), ARENITE_BAD_INPUT);
  EXPECT_EQ(arenite_session_load_states(nullptr, &bytes, 1), ARENITE_BAD_INPUT);
  arenite_session* session = nullptr;
  EXPECT_EQ(arenite_session_create(nullptr, nullptr, &session), ARENITE_BAD_INPUT);
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
