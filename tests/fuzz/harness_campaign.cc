// Sends random and damaged bytes to both ends of the harness protocol: a board answers or waits, a
// host ends with an error that has a text.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>

#include "boards/harness/frame.h"
#include "boards/harness/serve.h"
#include "core/crc32.h"
#include "planner/board/board.h"
#include "planner/plan.h"
#include "portable_fallback/forms.h"
#include "tests/fuzz/campaign.h"
#include "tests/planner/plan/graph_builder.h"
#include "tools/run/tensor_args.h"
#include "tools/target/conversation.h"

namespace arenite::fuzz {
namespace {

using harness::FrameBuffer;
using harness::FrameHead;
using harness::Request;

constexpr uint32_t kFirstSequence = 7;
constexpr uint32_t kElements = 24;  // of the input

// relu.
std::vector<std::byte> program_bytes(const planner::Board& board) {
  planner::NamedGraph named;
  named.method = "main";
  test::GraphBuilder graph;
  graph.output(graph.clip(graph.input({kElements}), 0, __builtin_inff()));
  named.graph = graph.graph();
  planner::PlanOptions options;
  options.boards = {board};
  return planner::plan_graphs({named}, options).program;
}

// A board whose stream is these bytes.
class BoardInMemory {
 public:
  BoardInMemory() : store_(kStoreBytes / sizeof(Block)), arena_(kArenaBytes / sizeof(Block)) {}

  // What it answers.
  Bytes serve(std::span<const std::byte> stream) {
    // Nothing of an earlier stream is left.
    std::memset(store_.data(), 0, kProgramBytes);
    in_ = stream;
    out_.clear();
    const harness::Memory memories[] = {{"ssram", std::as_writable_bytes(std::span(arena_))}};
    harness::Port port;
    port.board = "mps2-an386";
    port.context = this;
    port.read = [](void* self, std::span<uint8_t> to) {
      return static_cast<BoardInMemory*>(self)->read(to);
    };
    port.write = [](void* self, std::span<const uint8_t> from) {
      Bytes& out = static_cast<BoardInMemory*>(self)->out_;
      const auto bytes = std::as_bytes(from);
      out.insert(out.end(), bytes.begin(), bytes.end());
    };
    port.nanoseconds = [](void*) { return uint64_t{0}; };
    port.memories = memories;
    port.store = std::as_writable_bytes(std::span(store_));
    static_cast<void>(harness::serve(port, all_ops()));
    return std::move(out_);
  }

 private:
  struct alignas(64) Block {
    std::byte bytes[64];
  };
  static constexpr size_t kProgramBytes = size_t{16} * 1024;
  static constexpr size_t kStoreBytes = harness::kReservedStoreBytes + kProgramBytes;
  static constexpr size_t kArenaBytes = 4096;

  bool read(std::span<uint8_t> to) {
    if (in_.size() < to.size()) return false;
    std::memcpy(to.data(), in_.data(), to.size());
    in_ = in_.subspan(to.size());
    return true;
  }

  std::vector<Block> store_, arena_;
  std::span<const std::byte> in_;
  Bytes out_;
};

// A line over which these bytes come, a frame at a time: a board does not answer what was not
// asked.
class LineInMemory : public tools::Line {
 public:
  LineInMemory(std::span<const std::byte> incoming, size_t chunk_bytes_max)
      : incoming_(incoming), chunk_bytes_max_(chunk_bytes_max) {}

  void write(std::span<const uint8_t> bytes) override {
    const auto from = std::as_bytes(bytes);
    sent.insert(sent.end(), from.begin(), from.end());
  }
  bool receive(std::vector<uint8_t>& to, std::chrono::milliseconds) override {
    if (incoming_.empty()) return false;
    const auto* from = reinterpret_cast<const uint8_t*>(incoming_.data());
    size_t now = 1;
    while (now < std::min(incoming_.size(), chunk_bytes_max_) &&
           !(incoming_.size() - now >= 4 && harness::get_word(from + now) == harness::kFrameSync)) {
      ++now;
    }
    to.insert(to.end(), from, from + now);
    incoming_ = incoming_.subspan(now);
    return true;
  }
  uint64_t sent_bytes() const override { return sent.size(); }
  std::string how_it_ended() override { return "no more bytes"; }

  Bytes sent;

 private:
  std::span<const std::byte> incoming_;
  size_t chunk_bytes_max_;
};

// A conversation, from the host's side.
class Host {
 public:
  Host() : board_(planner::find_board("mps2-an386")), file_(program_bytes(board_), "relu.arn") {
    tools::HostTensor input = tools::input_form(file_.program(), 0, 0);
    for (uint32_t i = 0; i < kElements * sizeof(float); ++i) {
      input.bytes.push_back(static_cast<std::byte>(i * 37));
    }
    task_.inputs.tensors = {std::move(input)};
  }

  // Throws RunError for all that goes wrong.
  tools::TargetTaskResult talk(tools::Line& line, uint32_t ahead) const {
    tools::LinkOptions link;
    link.first_sequence = kFirstSequence;
    link.requests_ahead = ahead;
    link.piece_bytes = 512;
    tools::Conversation conversation(line, link, board_, file_, options_);
    conversation.greet();
    conversation.stream_program();
    return conversation.run(task_, nullptr);
  }

 private:
  planner::Board board_;
  tools::ProgramFile file_;
  tools::TargetOptions options_;
  tools::TargetTask task_;
};

// What both sides say in a whole conversation. Each answer brings the host a request further.
struct Recorded {
  Bytes requests, replies;
};

Recorded record(const Host& host, BoardInMemory& board, uint32_t ahead) {
  Recorded all;
  std::string why;
  for (int round = 0; round < 200; ++round) {
    LineInMemory line(all.replies, 1 << 20);
    bool whole = true;
    why.clear();
    try {
      static_cast<void>(host.talk(line, ahead));
    } catch (const tools::RunError& error) {
      whole = false;
      why = error.what();
    }
    all.requests = line.sent;
    if (whole) return all;
    all.replies = board.serve(all.requests);
  }
  std::fprintf(stderr, "fuzz: the conversation does not end: %s\n", why.c_str());
  std::abort();
}

Bytes random_bytes(Random& random) {
  Bytes bytes(random.below(600));
  for (std::byte& one : bytes) one = static_cast<std::byte>(random.below(256));
  // Some of it looks like the begin of a frame.
  for (uint64_t n = random.below(4); n > 0 && bytes.size() > 12; --n) {
    uint8_t head[12];
    harness::put_word(harness::kFrameSync, head);
    harness::put_word(
        random.chance(2) ? random.interesting() : static_cast<uint32_t>(random.below(64)),
        head + 4);
    harness::put_word(random.chance(2) ? random.interesting() : 0, head + 8);
    std::memcpy(bytes.data() + random.below(bytes.size() - 12), head, sizeof head);
  }
  return bytes;
}

void change(Request& message, Random& random) {
  switch (random.below(9)) {
    case 0:
      message.verb = static_cast<harness::Verb>(random.below(1 + _arenite_schema_HarnessVerb_MAX));
      break;
    case 1:
      message.sequence += random.interesting();
      break;
    case 2:
      message.method = random.interesting();
      break;
    case 3:
      message.variant = random.interesting();
      break;
    case 4:
      message.index = random.interesting();
      break;
    case 5:
      message.store_offset = random.interesting();
      break;
    case 6:
      message.bytes = random.interesting();
      break;
    case 7:
      message.from_store = !message.from_store;
      break;
    default:
      message.symbols_count = static_cast<pb_size_t>(random.below(9));
      for (uint32_t i = 0; i < message.symbols_count; ++i)
        message.symbols[i] = random.interesting();
  }
}

void change(harness::Reply& message, Random& random) {
  switch (random.below(6)) {
    case 0:
      message.error =
          static_cast<harness::Error>(random.below(1 + _arenite_schema_HarnessError_MAX));
      break;
    case 1:
      message.sequence += random.interesting();
      break;
    case 2:
      message.value = random.interesting();
      break;
    case 3:
      message.code = random.interesting();
      break;
    case 4:
      message.protocol = random.interesting();
      break;
    default:
      message.step = random.interesting();
  }
}

// Other bytes of a message, with a right checksum: values that no enumeration has, for instance.
void spoil(FrameBuffer& buffer, Random& random) {
  const size_t end = buffer.size - harness::kChecksumBytes;
  if (end == harness::kFrameHeadBytes) return;
  const size_t at = harness::kFrameHeadBytes + random.below(end - harness::kFrameHeadBytes);
  buffer.bytes[at] = static_cast<uint8_t>(random.below(256));
  harness::put_word(crc32(std::as_bytes(std::span(buffer.bytes).first(end))), buffer.bytes + end);
}

// The frames of a stream that is none but frames, some of them with other messages: their checksums
// are right.
template <typename Message>
Bytes with_other_messages(const Bytes& stream, Random& random) {
  Bytes changed;
  const auto* from = reinterpret_cast<const uint8_t*>(stream.data());
  for (size_t at = 0; at < stream.size();) {
    const std::span<const uint8_t> rest(from + at, stream.size() - at);
    FrameHead head;
    if (rest.size() < harness::kFrameHeadBytes ||
        harness::get_word(rest.data()) != harness::kFrameSync ||
        !harness::decode_head(rest.first<harness::kFrameHeadBytes>(), head)) {
      changed.push_back(stream[at++]);
      continue;
    }
    const size_t frame = harness::kFrameHeadBytes + head.message_bytes + harness::kChecksumBytes;
    Message message{};
    if (!harness::decode_frame(rest.first(frame), message)) std::abort();
    if (random.chance(6)) change(message, random);
    FrameBuffer buffer;
    harness::encode_frame(message, head.payload_bytes, buffer);
    if (random.chance(40)) spoil(buffer, random);
    const auto bytes = std::as_bytes(buffer.frame());
    const size_t payload =
        head.payload_bytes == 0 ? 0 : head.payload_bytes + harness::kChecksumBytes;
    for (uint64_t copies = random.chance(12) ? random.below(3) : 1; copies > 0; --copies) {
      changed.insert(changed.end(), bytes.begin(), bytes.end());
      const auto begin = stream.begin() + static_cast<ptrdiff_t>(at + frame);
      changed.insert(changed.end(), begin, begin + static_cast<ptrdiff_t>(payload));
    }
    at += frame + payload;
  }
  return changed;
}

template <typename Message>
Bytes mutated(const Bytes& stream, Random& random) {
  Bytes bytes = random.chance(2) ? with_other_messages<Message>(stream, random) : stream;
  for (uint64_t n = random.below(4); n > 0; --n) mutate_bytes(bytes, random);
  return bytes;
}

int run(const Options& options) {
  BoardInMemory board;
  const Host host;
  const Recorded recorded[] = {record(host, board, 1), record(host, board, 16)};
  uint64_t answered = 0, right = 0, ended = 0;
  CostMeter cost({.peak_bytes = uint64_t{8} << 20,
                  .allocated_bytes = uint64_t{64} << 20,
                  .allocations = 100000});
  for (uint64_t i = options.first; i < options.count; ++i) {
    Random random(options.seed * 1000003 + i);
    const bool to_board = i % 2 == 0, noise = i / 2 % 2 == 0;
    const Recorded& seed = recorded[random.below(2)];
    Bytes bytes;
    if (noise) {
      bytes = random_bytes(random);
    } else {
      bytes = to_board ? mutated<Request>(seed.requests, random)
                       : mutated<harness::Reply>(seed.replies, random);
    }
    cost.start(std::string(noise ? "random" : "mutated") +
               (to_board ? ", to a board" : ", to a host") + " #" + std::to_string(i));
    if (to_board) {
      if (!board.serve(bytes).empty()) ++answered;
    } else {
      LineInMemory line(bytes, 1 + random.below(200));
      try {
        static_cast<void>(host.talk(line, &seed == recorded ? 1 : 16));
        ++right;
      } catch (const tools::RunError& error) {
        if (std::strlen(error.what()) == 0) return 1;
        ++ended;
      }
    }
    cost.stop();
  }
  std::printf(
      "harness campaign: %llu streams; of those to a board %llu answered, of those to a host "
      "%llu end well, %llu with a message; %s\n",
      static_cast<unsigned long long>(options.count), static_cast<unsigned long long>(answered),
      static_cast<unsigned long long>(right), static_cast<unsigned long long>(ended),
      cost.highest().c_str());
  return answered != 0 && right != 0 && ended != 0 ? 0 : 1;
}

}  // namespace
}  // namespace arenite::fuzz

int main(int argc, char** argv) {
  return arenite::fuzz::run(arenite::fuzz::parse_options(argc, argv));
}
// SPDX-License-Identifier: Apache-2.0
