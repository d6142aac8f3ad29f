// Talks to the harness in this process, over a stream in memory: what it answers, and to nonsense.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "boards/harness/frame.h"
#include "boards/harness/serve.h"
#include "core/crc32.h"
#include "planner/board/board.h"
#include "planner/plan.h"
#include "portable_fallback/forms.h"

namespace arenite::harness {
namespace {

struct Stream {
  std::vector<uint8_t> in, out;
  size_t taken = 0;
};

bool read(void* context, std::span<uint8_t> to) {
  Stream& stream = *static_cast<Stream*>(context);
  if (stream.in.size() - stream.taken < to.size()) return false;
  std::copy_n(stream.in.begin() + static_cast<ptrdiff_t>(stream.taken), to.size(), to.begin());
  stream.taken += to.size();
  return true;
}

void write(void* context, std::span<const uint8_t> from) {
  Stream& stream = *static_cast<Stream*>(context);
  stream.out.insert(stream.out.end(), from.begin(), from.end());
}

uint64_t nanoseconds(void*) { return 0; }

// relu of so many numbers.
planner::Graph relu_of(uint32_t count) {
  planner::Graph graph;
  graph.values = {{"x", DType::kFloat32, {count}, nullptr},
                  {"y", DType::kFloat32, {count}, nullptr}};
  planner::Node node;
  node.op = Op::kClip;
  node.inputs = {0};
  node.outputs = {1};
  node.set_attributes(ClipAttributes{0, __builtin_inff()});
  graph.nodes = {node};
  graph.inputs = {0};
  graph.outputs = {1};
  return graph;
}

// relu of four numbers; `any_size`: of one to four.
std::vector<std::byte> small_program(bool caller_io, bool any_size = false) {
  planner::NamedGraph named;
  named.method = "main";
  named.graph = relu_of(4);
  if (any_size) {
    named.symbols = {{"count", 1, 4}};
    named.graph_at = [](const planner::SymbolNumbers& numbers) { return relu_of(numbers[0]); };
  }
  planner::PlanOptions options;
  options.boards = {planner::find_board("mps3-an547")};
  options.caller_io = caller_io;
  return planner::plan_graphs({named}, options).program;
}

class Host {
 public:
  void ask(Verb verb, std::span<const std::byte> payload = {}, Request request = {}) {
    request.verb = verb;
    if (request.bytes == 0 && verb == arenite_schema_HarnessVerb_HARNESS_SET_INPUT) {
      request.bytes = static_cast<uint32_t>(payload.size());
    }
    request.sequence = next++;
    FrameBuffer buffer;
    encode_frame(request, static_cast<uint32_t>(payload.size()), buffer);
    write(buffer.frame());
    if (payload.empty()) return;
    write({reinterpret_cast<const uint8_t*>(payload.data()), payload.size()});
    uint8_t checksum[kChecksumBytes];
    put_word(crc32(payload), checksum);
    write(checksum);
  }
  void write(std::span<const uint8_t> bytes) {
    stream.in.insert(stream.in.end(), bytes.begin(), bytes.end());
  }

  bool serve() {
    const size_t store_bytes = kReservedStoreBytes + 64 * 1024;
    std::vector<uint64_t> store(store_bytes / 8 + 8), arena(64 * 1024 / 8);
    void* aligned = store.data();
    size_t space = store.size() * 8;
    std::align(64, store_bytes, aligned, space);
    const Memory memories[] = {{"dtcm", std::as_writable_bytes(std::span(arena))}};
    Port port;
    port.board = "mps3-an547";
    port.context = &stream;
    port.read = read;
    port.write = harness::write;
    port.nanoseconds = nanoseconds;
    port.memories = memories;
    port.store = {static_cast<std::byte*>(aligned), store_bytes};
    return harness::serve(port, all_ops());
  }

  // The replies' errors, and the payloads joined.
  std::vector<Error> errors(std::vector<std::byte>* payloads = nullptr) const {
    std::vector<Error> found;
    for (size_t at = 0; at < stream.out.size();) {
      const auto bytes = std::span(stream.out).subspan(at);
      FrameHead head;
      EXPECT_TRUE(decode_head(bytes.first<kFrameHeadBytes>(), head));
      const size_t frame = kFrameHeadBytes + head.message_bytes + kChecksumBytes;
      Reply reply;
      EXPECT_TRUE(decode_frame(bytes.first(frame), reply));
      found.push_back(reply.error);
      const auto payload = std::as_bytes(bytes.subspan(frame, head.payload_bytes));
      if (payloads != nullptr) payloads->insert(payloads->end(), payload.begin(), payload.end());
      at += frame + (payload.empty() ? 0 : payload.size() + kChecksumBytes);
    }
    return found;
  }

  Stream stream;
  uint32_t next = 0;  // sequence
};

constexpr Error kOk = arenite_schema_HarnessError_HARNESS_OK;
constexpr float kInput[4] = {-1, 2, -3, 4};

Host whole_conversation(bool caller_io) {
  const std::vector<std::byte> program = small_program(caller_io);
  Host host;
  host.ask(arenite_schema_HarnessVerb_HARNESS_HELLO);
  host.ask(arenite_schema_HarnessVerb_HARNESS_STORE, program);
  Request load{};
  load.bytes = static_cast<uint32_t>(program.size());
  host.ask(arenite_schema_HarnessVerb_HARNESS_LOAD, {}, load);
  host.ask(arenite_schema_HarnessVerb_HARNESS_SET_INPUT, std::as_bytes(std::span(kInput)));
  host.ask(arenite_schema_HarnessVerb_HARNESS_RUN);
  host.ask(arenite_schema_HarnessVerb_HARNESS_GET_OUTPUT);
  host.ask(arenite_schema_HarnessVerb_HARNESS_PROFILE);
  host.ask(arenite_schema_HarnessVerb_HARNESS_BYE);
  return host;
}

// With inputs and outputs in its arenas, and with those left to the caller: the harness.
TEST(Harness, RunsAProgram) {
  for (const bool caller_io : {false, true}) {
    Host host = whole_conversation(caller_io);
    EXPECT_TRUE(host.serve());
    std::vector<std::byte> output;
    EXPECT_EQ(host.errors(&output), std::vector<Error>(8, kOk));
    const float expected[4] = {0, 2, 0, 4};
    ASSERT_EQ(output.size(), sizeof expected);
    EXPECT_EQ(std::memcmp(output.data(), expected, sizeof expected), 0);
  }
}

TEST(Harness, SetsSizes) {
  const std::vector<std::byte> program = small_program(false, true);
  Host host;
  const auto set = [&](std::initializer_list<uint32_t> symbols) {
    Request request{};
    for (const uint32_t number : symbols) request.symbols[request.symbols_count++] = number;
    host.ask(arenite_schema_HarnessVerb_HARNESS_SET_SYMBOLS, {}, request);
  };
  set({2});  // nothing is loaded
  host.ask(arenite_schema_HarnessVerb_HARNESS_STORE, program);
  Request load{};
  load.bytes = static_cast<uint32_t>(program.size());
  host.ask(arenite_schema_HarnessVerb_HARNESS_LOAD, {}, load);
  set({5});
  set({2, 2});
  set({3});
  host.ask(arenite_schema_HarnessVerb_HARNESS_SET_INPUT,
           std::as_bytes(std::span(kInput)).first(3 * sizeof(float)));
  host.ask(arenite_schema_HarnessVerb_HARNESS_RUN);
  host.ask(arenite_schema_HarnessVerb_HARNESS_GET_OUTPUT);
  host.ask(arenite_schema_HarnessVerb_HARNESS_BYE);
  EXPECT_TRUE(host.serve());
  std::vector<std::byte> output;
  const Error status = arenite_schema_HarnessError_HARNESS_STATUS;
  EXPECT_EQ(host.errors(&output),
            (std::vector<Error>{status, kOk, kOk, status, status, kOk, kOk, kOk, kOk, kOk}));
  const float expected[3] = {0, 2, 0};
  ASSERT_EQ(output.size(), sizeof expected);
  EXPECT_EQ(std::memcmp(output.data(), expected, sizeof expected), 0);
}

TEST(Harness, RefusesWhatMakesNoSense) {
  Host host;
  host.write(std::vector<uint8_t>{1, 2, 3, 'A', 'R'});  // no frame
  host.ask(arenite_schema_HarnessVerb_HARNESS_RUN);
  host.ask(arenite_schema_HarnessVerb_HARNESS_GET_OUTPUT);
  host.ask(arenite_schema_HarnessVerb_HARNESS_SET_INPUT, std::as_bytes(std::span(kInput)));
  host.ask(arenite_schema_HarnessVerb_HARNESS_RUN, std::as_bytes(std::span(kInput)));
  Request far{};
  far.store_offset = 0xffffffffu;
  host.ask(arenite_schema_HarnessVerb_HARNESS_STORE, std::as_bytes(std::span(kInput)), far);
  Request all{};
  all.bytes = 0xffffffffu;
  host.ask(arenite_schema_HarnessVerb_HARNESS_LOAD, {}, all);
  EXPECT_FALSE(host.serve());  // no bye
  const Error status = arenite_schema_HarnessError_HARNESS_STATUS;
  const Error request = arenite_schema_HarnessError_HARNESS_BAD_REQUEST;
  EXPECT_EQ(host.errors(),
            (std::vector<Error>{status, status, status, request,
                                arenite_schema_HarnessError_HARNESS_OUTSIDE_STORE, status}));
}

TEST(Harness, SurvivesDamage) {
  const Host good[] = {whole_conversation(false), whole_conversation(true)};
  std::mt19937 random(1);
  for (int i = 0; i < 500; ++i) {
    Host host = good[i % 2];
    for (auto n = random() % 3 + 1; n > 0; --n) {
      host.stream.in[random() % host.stream.in.size()] ^= static_cast<uint8_t>(1 + random() % 255);
    }
    static_cast<void>(host.serve());
    static_cast<void>(host.errors());
  }
}

}  // namespace
}  // namespace arenite::harness
// SPDX-License-Identifier: Apache-2.0
