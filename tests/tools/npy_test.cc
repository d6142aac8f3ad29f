// Tests .npy files: every type and version, both orders, and headers that lie.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <random>

#include "core/types.h"
#include "tools/io/tensor.h"

namespace arenite::tools {
namespace {

using Bytes = std::vector<std::byte>;

constexpr DType kAllTypes[] = {DType::kFloat32, DType::kUint8,   DType::kInt8,   DType::kUint16,
                               DType::kInt16,   DType::kInt32,   DType::kInt64,  DType::kBool,
                               DType::kFloat16, DType::kFloat64, DType::kUint32, DType::kUint64};

Bytes counting_bytes(size_t count) {
  Bytes bytes(count);
  for (size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 7 + 1);
  return bytes;
}

HostTensor counting(DType dtype, std::vector<uint32_t> dims) {
  size_t count = element_bytes(dtype);
  for (const uint32_t dim : dims) count *= dim;
  return {dtype, std::move(dims), counting_bytes(count)};
}

Bytes bytes_of(std::string_view text) {
  Bytes bytes(text.size());
  if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

// A file as NumPy would write it, with this header text and these elements.
Bytes npy_file(uint32_t version, const std::string& header, const Bytes& elements) {
  std::string head = "\x93NUMPY";
  head += static_cast<char>(version);
  head += '\0';
  const size_t length_bytes = version == 1 ? 2 : 4;
  for (size_t i = 0; i < length_bytes; ++i) {
    head += static_cast<char>(header.size() >> (8 * i) & 0xff);
  }
  Bytes file = bytes_of(head + header);
  file.insert(file.end(), elements.begin(), elements.end());
  return file;
}

std::string header_of(const std::string& descr, const std::string& order,
                      const std::string& shape) {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

void expect_equal(const HostTensor& found, const HostTensor& expected) {
  EXPECT_EQ(found.dtype, expected.dtype);
  EXPECT_EQ(found.dims, expected.dims);
  EXPECT_EQ(found.bytes, expected.bytes);
}

std::string error_of(const Bytes& file) {
  try {
    (void)parse_npy(file, "x.npy");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Npy, EveryTypeAndRankComesBack) {
  const std::vector<std::vector<uint32_t>> shapes = {
      {}, {0}, {1}, {7}, {3, 0, 2}, {2, 3}, {1, 2, 3, 4}, {1, 2, 1, 2, 1, 2, 1, 2, 2}};
  for (const DType dtype : kAllTypes) {
    for (const auto& dims : shapes) {
      const HostTensor tensor = counting(dtype, dims);
      const Bytes file = serialize_npy(tensor);
      SCOPED_TRACE(describe(dtype, dims));
      EXPECT_EQ((file.size() - tensor.bytes.size()) % 64, 0u);
      expect_equal(parse_npy(file, "x.npy"), tensor);
    }
  }
}

TEST(Npy, Bfloat16IsWrittenAsItsBits) {
  const HostTensor tensor = counting(DType::kBfloat16, {2, 2});
  const HostTensor back = parse_npy(serialize_npy(tensor), "x.npy");
  EXPECT_EQ(back.dtype, DType::kUint16);
  EXPECT_EQ(back.bytes, tensor.bytes);
}

TEST(Npy, HeadersAsNumpyWritesThem) {
  const auto header = [](const Bytes& file) {
    return std::string(reinterpret_cast<const char*>(file.data()) + 10, 60);
  };
  EXPECT_THAT(header(serialize_npy(counting(DType::kFloat32, {2, 3}))),
              testing::StartsWith("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"));
  EXPECT_THAT(header(serialize_npy(counting(DType::kUint8, {5}))),
              testing::StartsWith("{'descr': '|u1', 'fortran_order': False, 'shape': (5,"));
  EXPECT_THAT(header(serialize_npy(counting(DType::kBool, {}))),
              testing::StartsWith("{'descr': '|b1', 'fortran_order': False, 'shape': (), }"));
}

TEST(Npy, AllVersions) {
  const HostTensor tensor = counting(DType::kInt16, {2, 2});
  for (const uint32_t version : {1u, 2u, 3u}) {
    expect_equal(
        parse_npy(npy_file(version, header_of("'<i2'", "False", "(2, 2)"), tensor.bytes), "x.npy"),
        tensor);
  }
  for (const uint32_t version : {0u, 4u, 255u}) {
    EXPECT_THAT(error_of(npy_file(version, header_of("'<i2'", "False", "(2, 2)"), tensor.bytes)),
                testing::HasSubstr("version " + std::to_string(version)));
  }
}

TEST(Npy, OrderOfEntriesAndQuotesIsFree) {
  const HostTensor tensor = counting(DType::kInt32, {3});
  const char* headers[] = {"{'shape': (3,), 'fortran_order': False, 'descr': '<i4'}",
                           "{'descr':'<i4','fortran_order':False,'shape':(3,)}",
                           "{'fortran_order': False, 'shape': (3,), 'descr': \"<i4\", }      \n"};
  for (const char* header : headers) {
    expect_equal(parse_npy(npy_file(1, header, tensor.bytes), "x.npy"), tensor);
  }
}

TEST(Npy, FortranOrderBecomesRowMajor) {
  // [[0, 1, 2], [3, 4, 5]] lies as 0 3 1 4 2 5.
  const Bytes columns = {std::byte{0}, std::byte{3}, std::byte{1},
                         std::byte{4}, std::byte{2}, std::byte{5}};
  const HostTensor matrix =
      parse_npy(npy_file(1, header_of("'|u1'", "True", "(2, 3)"), columns), "x.npy");
  for (size_t i = 0; i < 6; ++i) EXPECT_EQ(std::to_integer<size_t>(matrix.bytes[i]), i);

  const std::vector<uint32_t> dims = {2, 3, 4};
  Bytes elements(24 * 4);
  for (uint32_t i = 0; i < 2; ++i) {
    for (uint32_t j = 0; j < 3; ++j) {
      for (uint32_t k = 0; k < 4; ++k) {
        const uint32_t number = (i * 3 + j) * 4 + k;
        std::memcpy(elements.data() + 4 * (i + 2 * (j + 3 * k)), &number, 4);
      }
    }
  }
  const HostTensor cube =
      parse_npy(npy_file(2, header_of("'<u4'", "True", "(2, 3, 4)"), elements), "x.npy");
  EXPECT_EQ(cube.dims, dims);
  for (uint32_t i = 0; i < 24; ++i) {
    uint32_t number = 0;
    std::memcpy(&number, cube.bytes.data() + 4 * i, 4);
    EXPECT_EQ(number, i);
  }
  EXPECT_TRUE(
      parse_npy(npy_file(1, header_of("'<f4'", "True", "(2, 0)"), {}), "x.npy").bytes.empty());
}

TEST(Npy, ByteOrderOfSingleBytesDoesNotMatter) {
  for (const char* descr : {"'|i1'", "'<i1'", "'>i1'", "'=i1'"}) {
    EXPECT_EQ(error_of(npy_file(1, header_of(descr, "False", "(2,)"), Bytes(2))), "");
  }
  EXPECT_THAT(error_of(npy_file(1, header_of("'>f4'", "False", "(2,)"), Bytes(8))),
              testing::AllOf(testing::StartsWith("x.npy: "), testing::HasSubstr("big-endian")));
}

TEST(Npy, RefusalsSayWhatIsWrong) {
  const Bytes four(4);
  const struct {
    Bytes file;
    const char* says;
  } kCases[] = {
      {{}, "magic"},
      {bytes_of("\x93NUMPZ\x01xxxxxx"), "magic"},
      {bytes_of(std::string("\x93NUMPY\x01\0\xff\xff", 10)), "ends inside its header"},
      {bytes_of(std::string("\x93NUMPY\x02\0\x00\x00", 10)), "ends inside its header"},
      {npy_file(1, "{'fortran_order': False, 'shape': (1,)}", four), "'descr'"},
      {npy_file(1, "{'descr': '<f4', 'fortran_order': False}", four), "'shape'"},
      {npy_file(1, "{'descr': '<f4', 'shape': (1,)}", four), "'fortran_order'"},
      {npy_file(1, header_of("[('a', '<f4')]", "False", "(1,)"), four), "no string"},
      {npy_file(1, header_of("'<c8'", "False", "(1,)"), Bytes(8)), "'<c8' is not supported"},
      {npy_file(1, header_of("'|S3'", "False", "(1,)"), Bytes(3)), "'|S3' is not supported"},
      {npy_file(1, header_of("'<f16'", "False", "(1,)"), Bytes(16)), "not supported"},
      {npy_file(1, header_of("'<f4'", "Perhaps", "(1,)"), four), "fortran_order"},
      {npy_file(1, header_of("'<f4'", "False", "[1]"), four), "no tuple"},
      {npy_file(1, header_of("'<f4'", "False", "(-1,)"), four), "dimension"},
      {npy_file(1, header_of("'<f4'", "False", "(4294967296,)"), four), "dimension"},
      {npy_file(1, header_of("'<f4'", "False", "(1, 1, 1, 1, 1, 1, 1, 1, 1, 1)"), four),
       "9 dimensions"},
      {npy_file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1", four), "does not end"},
      {npy_file(1, header_of("'<f4'", "False", "(4294967295, 4294967295)"), four), "4 GiB"},
      {npy_file(1, header_of("'<f8'", "False", "(4294967295,)"), four), "4 GiB"},
      {npy_file(1, header_of("'<f4'", "False", "(2,)"), four),
       "expected 8 bytes of elements, found 4"},
      {npy_file(1, header_of("'<f4'", "False", "(1,)"), Bytes(5)),
       "expected 4 bytes of elements, found 5"},
  };
  for (const auto& refused : kCases) {
    EXPECT_THAT(error_of(refused.file),
                testing::AllOf(testing::StartsWith("x.npy: "), testing::HasSubstr(refused.says)));
  }
}

TEST(Npy, EveryTruncationIsRefused) {
  const Bytes whole = serialize_npy(counting(DType::kFloat32, {2, 3}));
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(error_of(Bytes(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size))), "")
        << size;
  }
}

// A header that still parses must give a tensor whose bytes are those of its shape.
TEST(Npy, ChangedHeadersAreRefusedOrConsistent) {
  std::mt19937 random(5);
  constexpr std::string_view kLetters = "0123456789(),'\"<>|=fiubTrueFals{}: \xff";
  uint32_t accepted = 0;
  for (uint32_t round = 0; round < 20000; ++round) {
    Bytes file = serialize_npy(counting(kAllTypes[round % 12], {2, 3, 1 + round % 3}));
    for (uint64_t n = 1 + random() % 3; n > 0; --n) {
      const auto letter = static_cast<std::byte>(kLetters[random() % kLetters.size()]);
      const size_t at = 6 + random() % 70;
      switch (random() % 4) {
        case 0:
          file.erase(file.begin() + static_cast<ptrdiff_t>(at));
          break;
        case 1:
          file.insert(file.begin() + static_cast<ptrdiff_t>(at), letter);
          break;
        case 2:
          file[at] = static_cast<std::byte>(random());
          break;
        default:
          file[at] = letter;
      }
    }
    try {
      const HostTensor tensor = parse_npy(file, "x.npy");
      uint64_t bytes = element_bytes(tensor.dtype);
      for (const uint32_t dim : tensor.dims) bytes *= dim;
      EXPECT_EQ(tensor.bytes.size(), bytes);
      ++accepted;
    } catch (const InputError&) {
    }
  }
  EXPECT_GT(accepted, 100u);
}

}  // namespace
}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
