// Receives programs and tensors, runs them, and tells what it took.
#include "boards/harness/serve.h"

#include <algorithm>
#include <cstring>

#include "boards/harness/frame.h"
#include "core/crc32.h"
#include "core/instance.h"
#include "core/pauses.h"

extern "C" [[gnu::noinline]] void arenite_run_begin() { asm volatile(""); }
extern "C" [[gnu::noinline]] void arenite_run_end() { asm volatile(""); }
extern "C" [[gnu::noinline]] void arenite_step_begin() { asm volatile(""); }
extern "C" [[gnu::noinline]] void arenite_step_end() { asm volatile(""); }
extern "C" [[gnu::noinline]] void arenite_pause() { asm volatile(""); }

namespace arenite::harness {
namespace {

// Time and stack that a load or a run took.
struct Cost {
  uint64_t nanoseconds = 0;
  size_t stack_bytes = 0;
};

class Server {
 public:
  Server(const Port& port, OpTable ops) : port_(port), ops_(ops) {}

  // Answers one request. False when no more will come.
  bool answer_next();
  bool said_bye() const { return said_bye_; }

 private:
  // Tells how a request follows those before it.
  enum class Turn { kNext, kAgain, kEarly, kForgotten };
  // The answer to a request, but for what only a reading one holds.
  struct Outcome {
    Error error = arenite_schema_HarnessError_HARNESS_OK;
    uint32_t code = 0, step = 0, value = 0;
  };

  bool take(std::span<uint8_t> to);
  void put_back(std::span<const uint8_t> bytes);
  bool receive(Request& request, FrameHead& head, bool& good);
  bool receive_payload(uint32_t bytes, std::span<std::byte> to, bool& good);
  Turn turn_of(const Request& request);
  void ask_again(Error why);
  void remember(const Reply& reply);
  void recall(uint32_t sequence, Reply& reply) const;
  void send(const Reply& reply, std::span<const std::byte> payload = {});

  // Returns the place for the payload of a request; empty, with an error in `reply`, if there is
  // none.
  std::span<std::byte> destination(const Request& request, uint32_t bytes, Reply& reply);
  void obey(const Request& request, Reply& reply, std::span<const std::byte>& payload);
  Status load(const Request& request);
  const Memory* memory_of(const format::ArenaRecord& arena) const;
  std::span<uint32_t> frame_memory(const format::VariantRecord& variant,
                                   std::span<const std::span<std::byte>> arenas) const;
  Status bind_and_load(const Request& request, const format::VariantRecord& variant);
  void set_from_store(const Request& request, Reply& reply);
  Status run();

  template <typename Work>
  Status measured(Cost& cost, Work work);

  std::span<std::byte> store() const {
    return port_.store.first(port_.store.size() -
                             std::min(port_.store.size(), kReservedStoreBytes));
  }
  std::span<uint32_t> proof_memory() const {
    const auto rest = port_.store.subspan(store().size());
    return {static_cast<uint32_t*>(static_cast<void*>(rest.data())), rest.size() / 4};
  }

  const Port& port_;
  OpTable ops_;
  Program program_;
  AnyInstance instance_;
  Pauses pauses_;
  uint32_t method_ = 0;
  Cost load_cost_, run_cost_;
  uint32_t runs_ = 0;
  bool said_bye_ = false;
  // Sequences of the conversation's first request and of the next one.
  uint32_t first_ = 0, next_ = 0;
  Outcome outcomes_[kRequestsAheadMax];  // of the last requests, by sequence
  // Bytes that were read as a frame and are none: those behind the first may begin one.
  uint8_t again_[sizeof FrameBuffer::bytes];
  size_t again_at_ = sizeof again_;
};

// The runtime's hook, where the host asked for marks.
void mark_step(void*, ProfileEvent event, uint32_t) {
  if (event == ProfileEvent::kStepBegin) return arenite_step_begin();
  if (event == ProfileEvent::kStepLeftOut) arenite_step_begin();
  arenite_step_end();
}

bool pause(void*) {
  arenite_pause();
  return true;
}

void fail(Reply& reply, Error error, size_t value = 0) {
  reply.error = error;
  reply.value = static_cast<uint32_t>(value);
}

void tell(Reply& reply, Status status) {
  if (status.ok()) return;
  reply.error = arenite_schema_HarnessError_HARNESS_STATUS;
  reply.code = static_cast<uint32_t>(status.code);
  reply.step = status.step;
  reply.value = status.value;
}

// Reads what was put back, then what comes.
bool Server::take(std::span<uint8_t> to) {
  const size_t held = std::min(to.size(), sizeof again_ - again_at_);
  std::memcpy(to.data(), again_ + again_at_, held);
  again_at_ += held;
  return held == to.size() || port_.read(port_.context, to.subspan(held));
}

// All of it was taken before, so that there is room.
void Server::put_back(std::span<const uint8_t> bytes) {
  again_at_ -= bytes.size();
  std::memcpy(again_ + again_at_, bytes.data(), bytes.size());
}

// Reads a frame up to its payload, first skipping what is no frame. `good` is false when it is
// damaged: the next one may have begun anywhere behind its first byte. Nobody knows how long the
// payload of a damaged frame is: what comes is skipped up to the next.
bool Server::receive(Request& request, FrameHead& head, bool& good) {
  FrameBuffer buffer;
  const std::span<uint8_t, kFrameHeadBytes> head_bytes(buffer.bytes, kFrameHeadBytes);
  head = {};
  good = false;
  if (!take(head_bytes.first(4))) return false;
  while (get_word(buffer.bytes) != kFrameSync) {
    std::memmove(buffer.bytes, buffer.bytes + 1, 3);
    if (!take(head_bytes.subspan(3, 1))) return false;
  }
  if (!take(head_bytes.subspan(4))) return false;
  FrameHead found;
  buffer.size = kFrameHeadBytes;
  if (decode_head(head_bytes, found)) {
    const size_t rest = found.message_bytes + kChecksumBytes;
    if (!take({buffer.bytes + kFrameHeadBytes, rest})) return false;
    buffer.size += rest;
    request = arenite_schema_HarnessRequest_init_zero;
    good = decode_frame(buffer.frame(), request);
  }
  if (good) {
    head = found;
  } else {
    put_back(buffer.frame().subspan(1));
  }
  return true;
}

// Reads `bytes` bytes and their checksum into `to`, or past them when `to` is empty.
bool Server::receive_payload(uint32_t bytes, std::span<std::byte> to, bool& good) {
  uint8_t sink[64];
  for (uint32_t done = 0; to.empty() && done < bytes;) {
    const size_t now = std::min<size_t>(sizeof sink, bytes - done);
    if (!take({sink, now})) return false;
    done += static_cast<uint32_t>(now);
  }
  if (!to.empty() && !take({static_cast<uint8_t*>(static_cast<void*>(to.data())), bytes})) {
    return false;
  }
  if (!take({sink, kChecksumBytes})) return false;
  good = to.empty() || crc32(to.first(bytes)) == get_word(sink);
  return true;
}

void Server::send(const Reply& reply, std::span<const std::byte> payload) {
  FrameBuffer buffer;
  encode_frame(reply, static_cast<uint32_t>(payload.size()), buffer);
  port_.write(port_.context, buffer.frame());
  if (payload.empty()) return;
  port_.write(port_.context, {static_cast<const uint8_t*>(static_cast<const void*>(payload.data())),
                              payload.size()});
  uint8_t checksum[kChecksumBytes];
  put_word(crc32(payload), checksum);
  port_.write(port_.context, {checksum, sizeof checksum});
}

// A hello of another number than the last begins a conversation; whatever was loaded is gone.
Server::Turn Server::turn_of(const Request& request) {
  if (request.verb == arenite_schema_HarnessVerb_HARNESS_HELLO && request.sequence != first_) {
    first_ = next_ = request.sequence;
    instance_.unload();
  }
  if (request.sequence == next_) return Turn::kNext;
  const uint32_t behind = next_ - request.sequence;
  if (behind > next_ - first_) return Turn::kEarly;
  return behind <= kRequestsAheadMax ? Turn::kAgain : Turn::kForgotten;
}

// Tells which request is expected next.
void Server::ask_again(Error why) {
  Reply reply = arenite_schema_HarnessReply_init_zero;
  fail(reply, why, next_);
  send(reply);
}

void Server::remember(const Reply& reply) {
  outcomes_[next_ % kRequestsAheadMax] = {reply.error, reply.code, reply.step, reply.value};
  ++next_;
}

void Server::recall(uint32_t sequence, Reply& reply) const {
  const Outcome& outcome = outcomes_[sequence % kRequestsAheadMax];
  reply.error = outcome.error;
  reply.code = outcome.code;
  reply.step = outcome.step;
  reply.value = outcome.value;
}

// Whether obeying it again changes nothing but the reply.
bool only_reads(const Request& request) {
  return request.verb == arenite_schema_HarnessVerb_HARNESS_HELLO ||
         request.verb == arenite_schema_HarnessVerb_HARNESS_GET_OUTPUT ||
         request.verb == arenite_schema_HarnessVerb_HARNESS_PROFILE;
}

bool Server::answer_next() {
  Request request;
  FrameHead head;
  bool good = false;
  if (!receive(request, head, good)) return false;
  if (!good) {
    ask_again(arenite_schema_HarnessError_HARNESS_BAD_FRAME);
    return true;
  }
  const Turn turn = turn_of(request);
  Reply reply = arenite_schema_HarnessReply_init_zero;
  if (head.payload_bytes != 0) {
    std::span<std::byte> to;
    if (turn == Turn::kNext) to = destination(request, head.payload_bytes, reply);
    if (!receive_payload(head.payload_bytes, to, good)) return false;
    if (!good) {
      ask_again(arenite_schema_HarnessError_HARNESS_BAD_FRAME);
      return true;
    }
  }
  if (turn == Turn::kForgotten) return true;
  if (turn == Turn::kEarly) {
    ask_again(arenite_schema_HarnessError_HARNESS_OUT_OF_ORDER);
    return true;
  }
  if (turn == Turn::kAgain) recall(request.sequence, reply);
  std::span<const std::byte> payload;
  if (reply.error == arenite_schema_HarnessError_HARNESS_OK) {
    const bool had_payload = head.payload_bytes != 0;
    // A payload has done its work by now, but for an input without one there is work left.
    const bool takes_payload = request.verb == arenite_schema_HarnessVerb_HARNESS_STORE ||
                               request.verb == arenite_schema_HarnessVerb_HARNESS_SET_INPUT;
    if (turn == Turn::kNext ? !(had_payload && takes_payload) : only_reads(request)) {
      obey(request, reply, payload);
    }
  }
  if (turn == Turn::kNext) remember(reply);
  reply.sequence = request.sequence;
  send(reply, payload);
  return !said_bye_;
}

std::span<std::byte> Server::destination(const Request& request, uint32_t bytes, Reply& reply) {
  switch (request.verb) {
    case arenite_schema_HarnessVerb_HARNESS_STORE:
      // The program that was loaded from there is gone.
      instance_.unload();
      if (request.store_offset <= store().size() &&
          bytes <= store().size() - request.store_offset) {
        return store().subspan(request.store_offset, bytes);
      }
      fail(reply, arenite_schema_HarnessError_HARNESS_OUTSIDE_STORE, store().size());
      return {};
    case arenite_schema_HarnessVerb_HARNESS_SET_INPUT: {
      if (!instance_.loaded()) {
        tell(reply, error(Code::kNotLoaded));
        return {};
      }
      const std::span<std::byte> input = instance_.input(request.index);
      if (input.size() == request.bytes && !request.from_store &&
          request.store_offset <= input.size() && bytes <= input.size() - request.store_offset) {
        return input.subspan(request.store_offset, bytes);
      }
      fail(reply, arenite_schema_HarnessError_HARNESS_WRONG_SIZE, input.size());
      return {};
    }
    default:
      fail(reply, arenite_schema_HarnessError_HARNESS_BAD_REQUEST);
      return {};
  }
}

void Server::obey(const Request& request, Reply& reply, std::span<const std::byte>& payload) {
  switch (request.verb) {
    case arenite_schema_HarnessVerb_HARNESS_HELLO: {
      reply.protocol = kProtocolVersion;
      reply.store_bytes = static_cast<uint32_t>(store().size());
      const size_t name_bytes = std::min(port_.board.size(), sizeof reply.board - 1);
      std::memcpy(reply.board, port_.board.data(), name_bytes);
      return;
    }
    case arenite_schema_HarnessVerb_HARNESS_STORE:  // of nothing
      return;
    case arenite_schema_HarnessVerb_HARNESS_LOAD:
      load_cost_ = run_cost_ = {};
      runs_ = 0;
      tell(reply, measured(load_cost_, [&] { return load(request); }));
      return;
    case arenite_schema_HarnessVerb_HARNESS_SET_INPUT:
      set_from_store(request, reply);
      return;
    case arenite_schema_HarnessVerb_HARNESS_SET_SYMBOLS:
      // A part of getting ready to run.
      tell(reply, measured(load_cost_, [&] {
             return instance_.set_symbols({request.symbols, request.symbols_count});
           }));
      return;
    case arenite_schema_HarnessVerb_HARNESS_RUN:
      tell(reply, measured(run_cost_, [&] { return run(); }));
      ++runs_;
      return;
    case arenite_schema_HarnessVerb_HARNESS_GET_OUTPUT: {
      if (!instance_.loaded()) {
        tell(reply, error(Code::kNotLoaded));
        return;
      }
      const uint32_t count = program_.methods()[method_].output_count;
      if (request.index >= count) {
        return fail(reply, arenite_schema_HarnessError_HARNESS_NO_SUCH_INDEX, count);
      }
      const std::span<const std::byte> output = instance_.output(request.index);
      if (request.store_offset > output.size() ||
          request.bytes > output.size() - request.store_offset) {
        return fail(reply, arenite_schema_HarnessError_HARNESS_WRONG_SIZE, output.size());
      }
      payload = output.subspan(request.store_offset);
      if (request.bytes != 0) payload = payload.first(request.bytes);
      return;
    }
    case arenite_schema_HarnessVerb_HARNESS_PROFILE:
      reply.load_low = static_cast<uint32_t>(load_cost_.nanoseconds);
      reply.load_high = static_cast<uint32_t>(load_cost_.nanoseconds >> 32);
      reply.run_low = static_cast<uint32_t>(run_cost_.nanoseconds);
      reply.run_high = static_cast<uint32_t>(run_cost_.nanoseconds >> 32);
      reply.runs = runs_;
      reply.load_stack_bytes = static_cast<uint32_t>(load_cost_.stack_bytes);
      reply.run_stack_bytes = static_cast<uint32_t>(run_cost_.stack_bytes);
      return;
    case arenite_schema_HarnessVerb_HARNESS_BYE:
      said_bye_ = true;
      return;
  }
  fail(reply, arenite_schema_HarnessError_HARNESS_BAD_REQUEST);
}

// Does the work, adds its time to the cost and keeps the deepest stack.
template <typename Work>
Status Server::measured(Cost& cost, Work work) {
  const size_t stack_before = port_.stack_paint != nullptr ? port_.stack_paint(port_.context) : 0;
  const uint64_t start = port_.nanoseconds(port_.context);
  const Status status = work();
  cost.nanoseconds += port_.nanoseconds(port_.context) - start;
  if (port_.stack_used != nullptr) {
    const size_t used = port_.stack_used(port_.context);
    cost.stack_bytes = std::max(cost.stack_bytes, used - std::min(used, stack_before));
  }
  return status;
}

Status Server::load(const Request& request) {
  instance_.unload();
  if (request.bytes > store().size()) return error(Code::kTruncated);
  ARENITE_TRY(Program::open(store().first(request.bytes), program_));
  if (request.method >= program_.methods().size()) return error(Code::kNoSuchMethod);
  method_ = request.method;
  const format::MethodRecord& method = program_.methods()[method_];
  if (request.variant >= method.variant_count) return error(Code::kNoUsableVariant);
  return bind_and_load(request, program_.variants()[method.variant_first + request.variant]);
}

// `bytes` bytes of `memory` behind the arenas that lie in it; empty where it has no room.
std::span<std::byte> bytes_left(std::span<std::byte> memory, const format::ArenaRecord& arena,
                                std::span<const std::span<std::byte>> arenas) {
  size_t used = 0;
  for (const std::span<std::byte> other : arenas) {
    const bool inside =
        other.data() >= memory.data() && other.data() < memory.data() + memory.size();
    if (inside) {
      used = std::max(used, static_cast<size_t>(other.data() - memory.data()) + other.size());
    }
  }
  const auto address = reinterpret_cast<uintptr_t>(memory.data()) + used;
  const size_t padding = (0 - address) & (arena.alignment - 1);
  if (uint64_t{padding} + arena.bytes > memory.size() - used) return {};
  return memory.subspan(used + padding, arena.bytes);
}

// The memory that an arena is named after; null where there is none.
const Memory* Server::memory_of(const format::ArenaRecord& arena) const {
  const std::string_view name = program_.string(arena.name_offset, arena.name_bytes);
  const auto found = std::ranges::find(port_.memories, name, &Memory::name);
  return found == port_.memories.end() ? nullptr : &*found;
}

// Each arena lies in the memory it is named after: that of states behind what else lies there. For
// inputs and outputs that the program leaves to the caller there are the bytes that these leave
// free, slowest memory first.
Status Server::bind_and_load(const Request& request, const format::VariantRecord& variant) {
  std::span<std::byte> arenas[kMaxArenas];
  const auto records = program_.arenas_of(variant);
  const std::span<const std::span<std::byte>> all(arenas, records.size());
  for (uint32_t i = 0; i < records.size(); ++i) {
    if (records[i].kind == static_cast<uint32_t>(format::ArenaKind::kState)) continue;
    if (const Memory* memory = memory_of(records[i])) {
      arenas[i] = memory->bytes.first(std::min<size_t>(records[i].bytes, memory->bytes.size()));
    }
  }
  for (uint32_t i = 0; i < records.size(); ++i) {
    if (records[i].kind != static_cast<uint32_t>(format::ArenaKind::kState)) continue;
    const Memory* memory = memory_of(records[i]);
    if (memory != nullptr) arenas[i] = bytes_left(memory->bytes, records[i], all);
  }
  for (uint32_t i = 0; i < records.size(); ++i) {
    if (records[i].kind != static_cast<uint32_t>(format::ArenaKind::kCaller)) continue;
    arenas[i] = {};
    for (size_t m = port_.memories.size(); m-- != 0 && arenas[i].empty();) {
      arenas[i] = bytes_left(port_.memories[m].bytes, records[i], all);
    }
  }
  LoadOptions options;
  options.method = request.method;
  options.variant = request.variant;
  options.arenas = {arenas, records.size()};
  options.ops = ops_;
  options.features = port_.features;
  options.states = &kGrowingStates;
  options.predicates = &kPredicates;
  options.symbols = &kSymbols;
  options.frame = frame_memory(variant, all);
  options.proof = proof_memory();
  Platform platform;
  if (request.mark_steps) platform.profile = mark_step;
  pauses_ = {.call = pause, .operations = request.pause_operations};
  if (request.pause_operations != 0) platform.pauses = &pauses_;
  options.platform = &platform;  // load copies it
  return instance_.load(program_, options);
}

// The words that follow from symbols lie behind all arenas, slowest memory first; too few are
// refused.
std::span<uint32_t> Server::frame_memory(const format::VariantRecord& variant,
                                         std::span<const std::span<std::byte>> arenas) const {
  const auto index = static_cast<uint32_t>(&variant - program_.variants().data());
  format::ArenaRecord wanted{};
  wanted.bytes = 4 * frame_words(program_, index);
  wanted.alignment = alignof(uint32_t);
  std::span<std::byte> bytes;
  for (size_t m = port_.memories.size(); m-- != 0 && bytes.empty();) {
    bytes = bytes_left(port_.memories[m].bytes, wanted, arenas);
  }
  return {static_cast<uint32_t*>(static_cast<void*>(bytes.data())), bytes.size() / 4};
}

void Server::set_from_store(const Request& request, Reply& reply) {
  if (!instance_.loaded()) return tell(reply, error(Code::kNotLoaded));
  const std::span<std::byte> input = instance_.input(request.index);
  if (request.bytes != input.size()) {
    return fail(reply, arenite_schema_HarnessError_HARNESS_WRONG_SIZE, input.size());
  }
  if (input.empty()) return;
  if (!request.from_store || request.store_offset > store().size() ||
      request.bytes > store().size() - request.store_offset) {
    return fail(reply, arenite_schema_HarnessError_HARNESS_OUTSIDE_STORE, store().size());
  }
  std::memcpy(input.data(), store().data() + request.store_offset, input.size());
}

Status Server::run() {
  arenite_run_begin();
  const Status status = instance_.run();
  arenite_run_end();
  return status;
}

}  // namespace

bool serve(const Port& port, OpTable ops) {
  Server server(port, ops);
  while (server.answer_next()) {
  }
  return server.said_bye();
}

}  // namespace arenite::harness
// SPDX-License-Identifier: Apache-2.0
