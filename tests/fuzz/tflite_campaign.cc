// Damages TensorFlow Lite models, bytes and numbers of their tables, and plans them: each must give
// a program or an error with a text.
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "planner/plan.h"
#include "tests/fuzz/campaign.h"
#include "tests/fuzz/tflite_seeds.h"

namespace arenite::fuzz {
namespace {

namespace fs = std::filesystem;

Bytes read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(stream), {}};
  Bytes bytes(text.size());
  if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

std::vector<Seed> load_models() {
  std::vector<Seed> models = tflite_seeds();
  for (const char* name : {"tfl_mlperf_kws_fp32", "tfl_mp_face_short", "tfl_mww_okay_nabu_v2",
                           "tfl_hello_world_int8"}) {
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

int run(const Options& options) {
  const std::vector<Seed> models = load_models();
  planner::PlanOptions plan;
  plan.boards = {planner::find_board("host")};
  uint64_t planned = 0, refused = 0, past_the_tables = 0;
  Stopwatch stopwatch(2);
  for (uint64_t i = 0; i < options.count; ++i) {
    Random random(options.seed * 1000003 + i);
    const Seed& model = models[random.below(models.size())];
    planner::ModelFile file;
    file.method = "main";
    file.bytes = model.bytes;
    file.import.is_tflite = true;
    if (random.chance(4)) {
      mutate_bytes(file.bytes, random);
    } else {
      mutate_words(file.bytes, random);
    }
    stopwatch.start(model.name + " #" + std::to_string(i));
    try {
      (void)planner::plan_models({file}, plan);
      ++planned;
    } catch (const std::logic_error& error) {
      std::fprintf(stderr, "fuzz: %s #%llu: a mistake of ours: %s\n", model.name.c_str(),
                   static_cast<unsigned long long>(i), error.what());
      return 1;
    } catch (const std::runtime_error& error) {
      if (std::strlen(error.what()) == 0) return 1;
      ++refused;
      past_the_tables += std::strstr(error.what(), "not a TensorFlow Lite model") == nullptr;
    }
    stopwatch.stop();
  }
  std::printf(
      "tflite campaign: %llu files, seed %llu, %llu planned, %llu refused with a message, %llu of "
      "them behind FlatBuffers' verifier; %s\n",
      static_cast<unsigned long long>(options.count), static_cast<unsigned long long>(options.seed),
      static_cast<unsigned long long>(planned), static_cast<unsigned long long>(refused),
      static_cast<unsigned long long>(past_the_tables), stopwatch.slowest().c_str());
  return 0;
}

}  // namespace
}  // namespace arenite::fuzz

int main(int argc, char** argv) {
  return arenite::fuzz::run(arenite::fuzz::parse_options(argc, argv));
}
// SPDX-License-Identifier: Apache-2.0
