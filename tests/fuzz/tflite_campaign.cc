// Damages TensorFlow Lite models, bytes and numbers of their tables, and plans them: each must give
// a program or an error with a text.
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

#include "tests/fuzz/plan_campaign.h"
#include "tests/fuzz/tflite_seeds.h"

namespace arenite::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<Seed> load_models() {
  std::vector<Seed> models = tflite_seeds();
  for (const char* name : {"tfl_mlperf_kws_fp32", "tfl_mp_face_short", "tfl_mww_okay_nabu_v2",
                           "tfl_hello_world_int8", "tfl_keyword_svdf_int8"}) {
    const fs::path path = fs::path(ARENITE_SHARED_DIR) / "models" / name / "model.tflite";
    if (fs::is_regular_file(path)) models.push_back({name, read(path)});
  }
  return models;
}

// Numbers and offsets are words, aligned: one becomes another, or a number that breaks things.
void mutate_words(Bytes& bytes, Random& random) {
  const size_t words = bytes.size() / sizeof(uint32_t);
  for (uint64_t n = 1 + random.below(3); n > 0; --n) {
    const size_t at = random.below(words) * sizeof(uint32_t);
    uint32_t word = random.interesting();
    if (random.chance(3)) {
      std::memcpy(&word, bytes.data() + random.below(words) * sizeof(uint32_t), sizeof word);
    } else if (random.chance(2)) {
      std::memcpy(&word, bytes.data() + at, sizeof word);
      word += static_cast<uint32_t>(random.below(9)) - 4;
    }
    std::memcpy(bytes.data() + at, &word, sizeof word);
  }
}

// Words that may be a scale become one that makes no sense, or little.
void mutate_scales(Bytes& bytes, Random& random) {
  using Limits = std::numeric_limits<float>;
  constexpr float kNone[] = {0.0f,
                             -0.0f,
                             Limits::infinity(),
                             -Limits::infinity(),
                             Limits::quiet_NaN(),
                             -0.5f,
                             1e-38f,
                             Limits::denorm_min(),
                             1e38f};
  const size_t words = bytes.size() / sizeof(float);
  const size_t from = random.below(words);
  for (size_t n = 0; n < words; ++n) {
    const size_t at = (from + n) % words * sizeof(float);
    float word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    constexpr float kLeast = 1e-5f, kMost = 8;
    if (!(word > kLeast && word < kMost)) continue;
    word = kNone[random.below(std::size(kNone))];
    std::memcpy(bytes.data() + at, &word, sizeof word);
    return;
  }
}

void damage(Bytes& bytes, Random& random) {
  if (random.chance(6)) {
    mutate_scales(bytes, random);
  } else if (random.chance(4)) {
    mutate_bytes(bytes, random);
  } else {
    mutate_words(bytes, random);
  }
}

}  // namespace
}  // namespace arenite::fuzz

int main(int argc, char** argv) {
  using namespace arenite::fuzz;
  uint64_t past_the_tables = 0;
  PlanCampaign campaign = {
      .name = "tflite", .models = load_models(), .import = {}, .damage = damage};
  campaign.import.is_tflite = true;
  campaign.refused = [&](const char* error) {
    past_the_tables += std::strstr(error, "not a TensorFlow Lite model") == nullptr;
  };
  campaign.summary = [&] {
    return ", " + std::to_string(past_the_tables) + " of them behind FlatBuffers' verifier";
  };
  return run(campaign, parse_options(argc, argv));
}
// SPDX-License-Identifier: Apache-2.0
