// Finds shapes in a picture with a planned program, on the best device, and draws boxes around
// them.
//
// usage: detect PROGRAM.arn LABELS.txt PICTURE OUT.png [DEVICE]     (auto, cpu, vulkan)
//
// By hand, with an installed Arenite and stb (libstb-dev):
//   export PKG_CONFIG_PATH=PREFIX/lib/pkgconfig
//   c++ -std=c++17 detect.cc -o detect $(pkg-config --cflags --libs arenite) -Wl,-rpath,PREFIX/lib
#include <arenite.h>
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#include <stb/stb_image.h>
#define STB_IMAGE_RESIZE_IMPLEMENTATION
#define STB_IMAGE_RESIZE_STATIC
#include <stb/stb_image_resize.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_easy_font.h>
#include <stb/stb_image_write.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr float kScoreMin = 0.4f;  // of boxes that are shown; the program lists those from 0.05

using Color = std::array<std::uint8_t, 3>;
constexpr Color kColors[] = {{230, 25, 75},  {60, 180, 75},  {255, 200, 0},  {0, 90, 220},
                             {245, 130, 48}, {145, 30, 180}, {70, 200, 240}, {240, 50, 230},
                             {0, 128, 128},  {128, 64, 0}};

struct Session {
  void operator()(arenite_session* session) const { arenite_session_free(session); }
};
using SessionPointer = std::unique_ptr<arenite_session, Session>;

struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> samples;  // height x width x 3
};

struct Found {
  std::string label;
  Color color{};
  float score = 0;
  int left = 0, top = 0, right = 0, bottom = 0;  // pixels of the picture
};

int fail(const char* what, const char* why) {
  std::fprintf(stderr, "detect: %s: %s\n", what, why);
  return 1;
}

bool read_picture(const char* path, Picture& picture) {
  int channels = 0;
  stbi_uc* samples = stbi_load(path, &picture.width, &picture.height, &channels, 3);
  if (samples == nullptr) return false;
  picture.samples.assign(samples, samples + std::size_t(picture.width) * picture.height * 3);
  stbi_image_free(samples);
  return true;
}

std::vector<std::string> read_lines(const char* path) {
  std::vector<std::string> lines;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

SessionPointer open_session(const char* program_path, const char* device) {
  arenite_options options = ARENITE_OPTIONS_INIT;
  options.device = device;
  arenite_program* program = nullptr;
  arenite_session* session = nullptr;
  if (arenite_program_read(program_path, &program) != ARENITE_OK) return nullptr;
  (void)arenite_session_create(program, &options, &session);  // null after an error
  arenite_program_free(program);                              // the session keeps what it needs
  return SessionPointer(session);
}

// The input is float32 [1,3,height,width], 0 to 1.
void fill_input(const Picture& picture, const arenite_tensor& input) {
  const int height = int(input.dims[2]), width = int(input.dims[3]);
  std::vector<std::uint8_t> small(std::size_t(width) * height * 3);
  stbir_resize_uint8(picture.samples.data(), picture.width, picture.height, 0, small.data(), width,
                     height, 0, 3);
  auto* pixels = static_cast<float*>(input.data);
  const std::size_t plane = std::size_t(width) * height;
  for (std::size_t i = 0; i < plane; ++i) {
    for (std::size_t c = 0; c < 3; ++c) pixels[c * plane + i] = float(small[i * 3 + c]) / 255.0f;
  }
}

const arenite_tensor* find_output(const arenite_session* session, const std::string& name) {
  for (std::uint32_t i = 0; i < arenite_session_outputs(session); ++i) {
    const arenite_tensor* output = arenite_session_output(session, i);
    if (name == output->name) return output;
  }
  return nullptr;
}

// boxes is float32 [n,4] (left, top, right, bottom; 0 to 1), scores float32 [n], labels int64 [n].
std::vector<Found> list_found(const arenite_session* session, const Picture& picture,
                              const std::vector<std::string>& names) {
  std::vector<Found> found;
  const arenite_tensor* boxes = find_output(session, "boxes");
  const arenite_tensor* scores = find_output(session, "scores");
  const arenite_tensor* labels = find_output(session, "labels");
  if (boxes == nullptr || scores == nullptr || labels == nullptr) return found;
  for (std::uint32_t i = 0; i < boxes->dims[0]; ++i) {
    const float score = static_cast<const float*>(scores->data)[i];
    const auto label = std::size_t(static_cast<const std::int64_t*>(labels->data)[i]);
    if (score < kScoreMin || label >= names.size()) continue;
    const float* box = static_cast<const float*>(boxes->data) + std::size_t{4} * i;
    const auto pixel = [](float part, int size) {
      return std::clamp(int(part * float(size) + 0.5f), 0, size - 1);
    };
    found.push_back({names[label], kColors[label % std::size(kColors)], score,
                     pixel(box[0], picture.width), pixel(box[1], picture.height),
                     pixel(box[2], picture.width), pixel(box[3], picture.height)});
  }
  return found;
}

// Fills the pixels of a rectangle that lie inside the picture; right and bottom are not part of it.
void fill(Picture& picture, int left, int top, int right, int bottom, const Color& color) {
  for (int y = std::max(top, 0); y < std::min(bottom, picture.height); ++y) {
    for (int x = std::max(left, 0); x < std::min(right, picture.width); ++x) {
      std::copy(color.begin(), color.end(),
                &picture.samples[(std::size_t(y) * picture.width + x) * 3]);
    }
  }
}

void draw_text(Picture& picture, int left, int top, const std::string& text) {
  struct Vertex {
    float x, y, z;
    unsigned char color[4];
  };
  std::vector<Vertex> vertices(text.size() * 100);
  std::string copy = text;
  const int quads = stb_easy_font_print(float(left), float(top), copy.data(), nullptr,
                                        vertices.data(), int(vertices.size() * sizeof(Vertex)));
  for (int q = 0; q < quads; ++q) {
    const Vertex &first = vertices[std::size_t(q) * 4], &last = vertices[std::size_t(q) * 4 + 2];
    fill(picture, int(first.x), int(first.y), int(last.x), int(last.y), {255, 255, 255});
  }
}

void draw(Picture& picture, const Found& one) {
  constexpr int kLine = 2, kText = 10;  // pixels: of the frame, of a line of text
  fill(picture, one.left, one.top, one.right, one.top + kLine, one.color);
  fill(picture, one.left, one.bottom - kLine, one.right, one.bottom, one.color);
  fill(picture, one.left, one.top, one.left + kLine, one.bottom, one.color);
  fill(picture, one.right - kLine, one.top, one.right, one.bottom, one.color);
  std::string text = one.label + " " + std::to_string(int(one.score * 100 + 0.5f));
  const int wide = stb_easy_font_width(text.data());
  // Above the box where there is room, and never beyond the picture's right side.
  const int top = one.top >= kText ? one.top - kText : one.top;
  const int left = std::max(0, std::min(one.left, picture.width - wide - 4));
  fill(picture, left, top, left + wide + 4, top + kText, one.color);
  draw_text(picture, left + 2, top + 2, text);
}

int detect(const char* program, const char* labels, const char* path, const char* out,
           const char* device) {
  Picture picture;
  if (!read_picture(path, picture)) return fail(path, stbi_failure_reason());
  const std::vector<std::string> names = read_lines(labels);
  if (names.empty()) return fail(labels, "no labels");
  const SessionPointer session = open_session(program, device);
  if (!session) return fail(program, arenite_last_error());

  fill_input(picture, *arenite_session_input(session.get(), 0));
  // The first run makes ready what the device needs; the second is timed.
  double milliseconds = 0;
  for (int run = 0; run < 2; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    if (arenite_session_run(session.get()) != ARENITE_OK) return fail("run", arenite_last_error());
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    milliseconds = took.count();
  }

  const std::vector<Found> found = list_found(session.get(), picture, names);
  for (const Found& one : found) {
    std::printf("%-8s %.2f  from (%d, %d) to (%d, %d)\n", one.label.c_str(), double(one.score),
                one.left, one.top, one.right, one.bottom);
    draw(picture, one);
  }
  std::printf("%zu found on %s in %.1f ms\n", found.size(), arenite_session_device(session.get()),
              milliseconds);
  if (stbi_write_png(out, picture.width, picture.height, 3, picture.samples.data(), 0) == 0) {
    return fail(out, "cannot be written");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5 && argc != 6) {
    std::fprintf(stderr, "usage: detect PROGRAM.arn LABELS.txt PICTURE OUT.png [DEVICE]\n");
    return 2;
  }
  return detect(argv[1], argv[2], argv[3], argv[4], argc == 6 ? argv[5] : "auto");
}
// SPDX-License-Identifier: Apache-2.0
