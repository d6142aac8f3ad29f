// Tests reading and writing tensors by suffix, raw files, and names of files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "tools/io/tensor.h"

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class TensorFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("arenite-io-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }
  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  template <typename Call>
  static std::string error_of(const Call& call) {
    try {
      call();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  size_t files() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

constexpr uint32_t kDims[] = {1, 2, 2};

TEST_F(TensorFiles, RawTakesTheExpectedForm) {
  const HostTensor tensor = read_tensor(write("x.bin", "abcdefgh"), DType::kInt16, kDims, nullptr);
  EXPECT_EQ(tensor.dtype, DType::kInt16);
  EXPECT_THAT(tensor.dims, testing::ElementsAre(1, 2, 2));
  EXPECT_EQ(std::memcmp(tensor.bytes.data(), "abcdefgh", 8), 0);
}

TEST_F(TensorFiles, RawOfSeveralTensorsIsAStack) {
  const HostTensor tensor =
      read_tensor(write("x.bin", std::string(24, 'x')), DType::kInt16, kDims, nullptr);
  EXPECT_THAT(tensor.dims, testing::ElementsAre(3, 1, 2, 2));
  EXPECT_EQ(tensor.bytes.size(), 24u);
}

TEST_F(TensorFiles, RawOfAnotherSizeIsRefused) {
  for (const size_t size : {0u, 1u, 7u, 9u, 12u}) {
    const fs::path path = write("x.bin", std::string(size, 'x'));
    EXPECT_THAT(error_of([&] { read_tensor(path, DType::kInt16, kDims, nullptr); }),
                testing::AllOf(HasSubstr("x.bin"), HasSubstr("expected 8 bytes for int16[1,2,2]"),
                               HasSubstr("found " + std::to_string(size))));
  }
}

TEST_F(TensorFiles, RawOfAnEmptyTensor) {
  constexpr uint32_t kNone[] = {2, 0};
  EXPECT_TRUE(read_tensor(write("x.bin", ""), DType::kFloat32, kNone, nullptr).bytes.empty());
  const fs::path path = write("y.bin", "1234");
  EXPECT_THAT(error_of([&] { read_tensor(path, DType::kFloat32, kNone, nullptr); }),
              HasSubstr("expected 0 bytes"));
}

TEST_F(TensorFiles, SuffixesChooseTheFormat) {
  const HostTensor tensor{DType::kUint8, {2}, {std::byte{1}, std::byte{2}}};
  write_tensor(folder_ / "a.npy", "a", tensor, nullptr);
  write_tensor(folder_ / "a.bin", "a", tensor, nullptr);
  const HostTensor npy = read_tensor(folder_ / "a.npy", DType::kUint8, {}, nullptr);
  EXPECT_EQ(npy.bytes, tensor.bytes);
  EXPECT_EQ(npy.dims, tensor.dims);
  EXPECT_EQ(fs::file_size(folder_ / "a.bin"), 2u);
  for (const char* name : {"a.txt", "a.pb", "a.NPY"}) {
    const fs::path path = write(name, "x");
    const auto read = error_of([&] { read_tensor(path, DType::kUint8, {}, nullptr); });
    EXPECT_THAT(read, testing::AllOf(HasSubstr(path.string()), HasSubstr(".npy or .bin")));
    EXPECT_EQ(error_of([&] { write_tensor(path, "a", tensor, nullptr); }), read);
  }
  // A file without a suffix is known by its first bytes.
  fs::rename(folder_ / "a.npy", folder_ / "first");
  fs::rename(folder_ / "a.bin", folder_ / "second");
  EXPECT_EQ(read_tensor(folder_ / "first", DType::kInt8, {}, nullptr).dtype, DType::kUint8);
  EXPECT_EQ(read_tensor(folder_ / "second", DType::kInt8, npy.dims, nullptr).dtype, DType::kInt8);
}

TEST_F(TensorFiles, OtherFormatsAreNamedWhereTheyExist) {
  static const ProtoFormat format = {
      [](std::span<const std::byte> file, const std::string&) {
        return HostTensor{
            DType::kInt8, {static_cast<uint32_t>(file.size())}, {file.begin(), file.end()}};
      },
      [](std::string_view name, const HostTensor&) { return std::vector<std::byte>(name.size()); }};
  EXPECT_EQ(read_tensor(write("a.pb", "xyz"), DType::kUint8, {}, &format).dims[0], 3u);
  write_tensor(folder_ / "b.pb", "12345", {}, &format);
  EXPECT_EQ(fs::file_size(folder_ / "b.pb"), 5u);
  EXPECT_THAT(error_of([&] { write_tensor(folder_ / "b.jpg", "b", {}, &format); }),
              HasSubstr(".npy, .pb or .bin, found '.jpg'"));
}

TEST(FileStem, KeepsOnlyWhatEveryFileSystemTakes) {
  EXPECT_EQ(file_stem("A.b_c-9"), "A.b_c-9");
  EXPECT_EQ(file_stem("net/layer:0 (x)"), "net_layer_0__x_");
  EXPECT_EQ(file_stem("\xc3\xa4"), "__");
  EXPECT_EQ(file_stem(std::string_view("a\0b", 3)), "a_b");
  EXPECT_EQ(file_stem(""), "");
  EXPECT_EQ(file_stem("../x"), ".._x");
}

TEST(Describe, NamesTypeAndDims) {
  constexpr uint32_t kImage[] = {1, 3, 224, 224};
  EXPECT_EQ(describe(DType::kFloat32, kImage), "float32[1,3,224,224]");
  EXPECT_EQ(describe(DType::kBfloat16, {}), "bfloat16[]");
  EXPECT_STREQ(text_of(static_cast<DType>(200)), "unknown");
}

}  // namespace
}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
