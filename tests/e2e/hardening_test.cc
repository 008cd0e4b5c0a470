// The released program stands memory faults as well as the compiler and linker can make it: read from its ELF headers
// (https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html).
#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace cutopsy {
namespace {

class Hardening : public ::testing::Test {
 protected:
  void SetUp() override {
#ifndef CUTOPSY_HARDENED
    GTEST_SKIP() << "this preset does not harden the program";
#endif
    std::ifstream file(CUTOPSY_BINARY, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
    header_ = at<Elf64_Ehdr>(0);
    ASSERT_EQ(std::memcmp(header_.e_ident, ELFMAG, SELFMAG), 0);
    for (std::size_t i = 0; i < header_.e_phnum; ++i)
      segments_.push_back(at<Elf64_Phdr>(header_.e_phoff + i * sizeof(Elf64_Phdr)));
  }

  template <typename T>
  T at(std::size_t offset) const {
    T value{};
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  const Elf64_Phdr* segment(Elf64_Word type) const {
    const auto found = std::ranges::find(segments_, type, &Elf64_Phdr::p_type);
    return found == segments_.end() ? nullptr : &*found;
  }

  /// The value of an entry of the dynamic section, 0 without one.
  Elf64_Xword dynamic(Elf64_Sxword tag) const {
    const Elf64_Phdr* section = segment(PT_DYNAMIC);
    for (std::size_t at_entry = 0; section && at_entry < section->p_filesz; at_entry += sizeof(Elf64_Dyn)) {
      const auto entry = at<Elf64_Dyn>(section->p_offset + at_entry);
      if (entry.d_tag == tag) return entry.d_un.d_val;
    }
    return 0;
  }

  std::string bytes_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Phdr> segments_;
};

TEST_F(Hardening, TheProgramIsLoadedAtAnAddressThatNobodyKnows) {
  EXPECT_EQ(header_.e_type, ET_DYN);
  EXPECT_TRUE(dynamic(DT_FLAGS_1) & DF_1_PIE);
}

TEST_F(Hardening, WhatTheLinkerFillsInIsReadOnlyBeforeMain) {
  EXPECT_NE(segment(PT_GNU_RELRO), nullptr);
  EXPECT_TRUE(dynamic(DT_FLAGS) & DF_BIND_NOW);
  EXPECT_TRUE(dynamic(DT_FLAGS_1) & DF_1_NOW);
}

TEST_F(Hardening, NoMemoryCanBeWrittenAndExecuted) {
  ASSERT_NE(segment(PT_GNU_STACK), nullptr);
  EXPECT_FALSE(segment(PT_GNU_STACK)->p_flags & PF_X);
  for (const Elf64_Phdr& segment : segments_) {
    const bool is_loaded = segment.p_type == PT_LOAD;
    EXPECT_FALSE(is_loaded && (segment.p_flags & PF_W) && (segment.p_flags & PF_X));
  }
}

TEST_F(Hardening, CopiesAndStackFramesAreChecked) {
  EXPECT_NE(bytes_.find("__stack_chk_fail"), bytes_.npos);
  EXPECT_NE(bytes_.find("__memcpy_chk"), bytes_.npos);
}

}  // namespace
}  // namespace cutopsy
