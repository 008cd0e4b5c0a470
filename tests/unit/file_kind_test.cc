// Magic bytes as file(1) and the formats' documents give them.
#include "engine/source/file_kind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace cutopsy {
namespace {

using ::testing::HasSubstr;

struct Sample {
  std::string first_bytes;
  Compression compression;
  const char* refusal;
  Archive archive = Archive::none;
};

class FileKinds : public ::testing::TestWithParam<Sample> {};

TEST_P(FileKinds, AreToldByTheirFirstBytes) {
  const FileKind kind = file_kind(GetParam().first_bytes);
  EXPECT_EQ(kind.compression, GetParam().compression);
  EXPECT_EQ(kind.archive, GetParam().archive);
  EXPECT_THAT(std::string(kind.refusal), HasSubstr(GetParam().refusal));
  EXPECT_EQ(kind.refusal.empty(), GetParam().refusal[0] == '\0');
}

const Sample kSamples[] = {
    {{"\x1f\x8b\x08\x00", 4}, Compression::gzip, ""},
    {"BZh91AY&SY", Compression::bzip2, ""},
    {{"\xFD\x37\x7A\x58\x5A\x00\x00\x04", 8}, Compression::xz, ""},
    {"\x28\xB5\x2F\xFD\x04", Compression::zstd, ""},
    {"\x04\x22\x4D\x18\x64", Compression::lz4, ""},
    {"PK\x03\x04\x14", Compression::none, "", Archive::zip},
    {{"PK\x05\x06\x00", 5}, Compression::none, "", Archive::zip},
    {std::string(257, 'a') + "ustar  ", Compression::none, "", Archive::tar},
    {"7z\xBC\xAF\x27\x1C", Compression::none, "7z archive"},
    {"Rar!\x1A\x07\x01", Compression::none, "rar archive"},
    {"\x1f\x9d\x90", Compression::none, "compress(1)"},
    {"LPKSHHRH", Compression::none, "journalctl --file"},
    {"", Compression::none, ""},
    {"P", Compression::none, ""},
    {"PKG_CONFIG_PATH is not set", Compression::none, ""},
    {"[    0.000000] Linux version 6.8.0", Compression::none, ""},
    {std::string(257, 'a') + "custard", Compression::none, ""},
};

INSTANTIATE_TEST_SUITE_P(Samples, FileKinds, ::testing::ValuesIn(kSamples));

}  // namespace
}  // namespace cutopsy
