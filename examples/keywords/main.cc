// Names the words in a sound as it arrives: a row of features each 20 ms, and the network each 240
// ms.
#include "board.h"
#include "features.h"
#include "keywords.h"

namespace {

using input = keywords::inputs::features;
using output = keywords::outputs::scores;

constexpr const char* kLabels[] = {"silence", "unknown", "yes", "no", "up", "down", "stop", "go"};
constexpr unsigned kFirstWord = 2;
constexpr unsigned kRowsBetweenRuns = 12;

static_assert(input::kElements == features::kRows * features::kBands);
static_assert(output::kElements == sizeof kLabels / sizeof kLabels[0]);

keywords::Instance spotter;
features::FrontEnd front_end;
std::int16_t rows[features::kRows][features::kBands];  // a ring: the last second
std::int16_t hop[features::kHop];

void print_number(std::uint32_t number) {
  char digits[11];
  char* at = digits + sizeof digits - 1;
  *at = '\0';
  do {
    *--at = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  print(at);
}

int fail(const char* what, const char* why) {
  print(what);
  print(why);
  print("\n");
  return 1;
}

// Skips a WAV file's header; `sound_bytes` is how much sound follows. False: it is not 16 kHz, 16
// bits, mono.
bool read_header(std::uint32_t& sound_bytes) {
  std::uint8_t bytes[16];
  const auto number = [&](int at, int count) {
    std::uint32_t value = 0;
    for (int i = count - 1; i >= 0; --i) value = value << 8 | bytes[at + i];
    return value;
  };
  constexpr std::uint32_t kRiff = 0x46464952, kWave = 0x45564157, kFmt = 0x20746D66,
                          kData = 0x61746164;
  if (read_sound(bytes, 12) != 12 || number(0, 4) != kRiff || number(8, 4) != kWave) return false;
  bool right = false;
  while (read_sound(bytes, 8) == 8) {
    const std::uint32_t kind = number(0, 4);
    std::uint32_t left = number(4, 4);
    if (kind == kData) {
      sound_bytes = left;
      return right;
    }
    if (kind == kFmt && left >= 16 && read_sound(bytes, 16) == 16) {
      right = number(0, 2) == 1 && number(2, 2) == 1 && number(4, 4) == features::kRate &&
              number(14, 2) == 16;
      left -= 16;
    }
    for (left += left & 1; left > 0; --left) {
      if (read_sound(bytes, 1) != 1) return false;
    }
  }
  return false;
}

// The last second, oldest row first, as the integers that the network takes.
void fill_input(unsigned rows_read) {
  auto* to = input::data(spotter);
  constexpr float kFactor = 1.0f / (features::kUnit * input::kScale);
  for (unsigned i = 0; i < features::kRows; ++i) {
    for (const std::int16_t logarithm : rows[(rows_read + i) % features::kRows]) {
      const float exact =
          static_cast<float>(logarithm - features::kCenter) * kFactor + input::kZeroPoint;
      const int nearest = static_cast<int>(exact + (exact < 0 ? -0.5f : 0.5f));
      *to++ = static_cast<std::int8_t>(nearest < -128 ? -128 : nearest > 127 ? 127 : nearest);
    }
  }
}

unsigned largest_score() {
  const auto* scores = output::data(spotter);
  unsigned best = 0;
  for (unsigned i = 1; i < output::kElements; ++i) best = scores[i] > scores[best] ? i : best;
  return best;
}

}  // namespace

int main() {
  if (const arenite::Status status = keywords::load(spotter); !status.ok()) {
    return fail("cannot load: ", arenite::text_of(status.code));
  }
  std::uint32_t left = 0;
  if (!open_sound() || !read_header(left))
    return fail("expected a WAV file of 16 kHz, 16 bits, mono", "");

  std::uint64_t row_instructions = 0, run_instructions = 0;
  unsigned rows_read = 0, runs = 0, last = 0;
  bool heard = false;
  for (bool more = true; more || rows_read < features::kRows; ++rows_read) {
    const std::uint32_t wanted = left < sizeof hop ? left : sizeof hop;
    const int bytes = more ? read_sound(hop, static_cast<int>(wanted)) : 0;
    left -= wanted;
    more = bytes == sizeof hop;
    if (!more && rows_read >= features::kRows) break;
    for (int i = bytes / 2; i < features::kHop; ++i) hop[i] = 0;  // a short file ends with silence

    std::uint32_t before = ticks();
    features::next_row(front_end, hop, rows[rows_read % features::kRows]);
    row_instructions += instructions_between(before, ticks());
    const unsigned read = rows_read + 1;
    if (read < features::kRows || (read - features::kRows) % kRowsBetweenRuns != 0) continue;

    before = ticks();
    fill_input(read);
    if (const arenite::Status status = spotter.run(); !status.ok()) {
      return fail("cannot run: ", arenite::text_of(status.code));
    }
    const unsigned best = largest_score();
    run_instructions += instructions_between(before, ticks());
    ++runs;
    if (best >= kFirstWord && best != last) {
      print("heard: ");
      print(kLabels[best]);
      print("\n");
      heard = true;
    }
    last = best;
  }
  if (!heard) {
    print("heard: none of the words (");
    print(kLabels[last]);
    print(")\n");
  }

  print("instructions: ");
  print_number(static_cast<std::uint32_t>(row_instructions / rows_read));
  print(" a row of features, ");
  print_number(static_cast<std::uint32_t>(run_instructions / runs));
  print(" a run of the network\nbytes of RAM: ");
  print_number(sizeof front_end + sizeof rows + sizeof hop);
  print(" for features, ");
  print_number(keywords::kArenaBytes + sizeof spotter);
  print(" for the network\n");
  return 0;
}
// SPDX-License-Identifier: Apache-2.0
