// The files of another machine (--sysroot), asked by every check that reads files alone.
//
// The input is blocks: a line "== /path", then the file's bytes; where they begin with "-> ", a link. What stands
// before the first block are parameters, NAME=VALUE.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/fuzz/property.h"
#include "validators/check.h"
#include "validators/kernel_log.h"

namespace cutopsy {
namespace {

namespace fs = std::filesystem;

struct Block {
  std::string path, bytes;
};

// A path that stays where it is put.
bool is_safe(std::string_view path) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-/";
  return path.size() > 1 && path.size() < 200 && path[0] == '/' && path.back() != '/' && path.find("..") == path.npos &&
         path.find("//") == path.npos && path.find("/./") == path.npos && path.find_first_not_of(kLetters) == path.npos;
}

std::vector<Block> read_blocks(std::string_view text, Parameters& parameters) {
  std::vector<Block> blocks;
  for_each_line_of(text, [&](std::string_view line, std::uint64_t) {
    if (line.starts_with("== ")) {
      blocks.push_back({std::string(line.substr(3)), ""});
    } else if (!blocks.empty()) {
      (blocks.back().bytes += line) += '\n';
    } else if (const std::size_t equals = line.find('='); equals != line.npos) {
      parameters.set(std::string(line.substr(0, equals)), std::string(line.substr(equals + 1)));
    }
  });
  std::erase_if(blocks, [](const Block& block) { return !is_safe(block.path); });
  return blocks;
}

// A folder of this process that is laid out anew for every input.
class Copy {
 public:
  Copy() {
    std::string name = fs::exists("/dev/shm") ? "/dev/shm/fuzz-XXXXXX" : "/tmp/fuzz-XXXXXX";
    require(mkdtemp(name.data()) != nullptr, "a temporary folder can be made");
    root_ = name;
  }
  ~Copy() { clear(); }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  void lay_out(const std::vector<Block>& blocks) {
    clear();
    fs::create_directory(root_);
    for (const bool links : {false, true}) {  // files first: none is written through a link
      for (const Block& block : blocks) {
        if (block.bytes.starts_with("-> ") == links) links ? link(block) : write(block);
      }
    }
  }
  const std::string& root() const { return root_; }

 private:
  void clear() {
    std::error_code error;
    fs::remove_all(root_, error);
  }
  void write(const Block& block) {
    std::error_code error;
    fs::create_directories(fs::path(root_ + block.path).parent_path(), error);
    std::ofstream(root_ + block.path, std::ios::binary) << block.bytes;
  }
  void link(const Block& block) {
    std::error_code error;
    const fs::path place = root_ + block.path;
    fs::create_directories(place.parent_path(), error);
    if (!fs::weakly_canonical(place.parent_path(), error).string().starts_with(root_)) return;
    fs::create_symlink(block.bytes.substr(3, block.bytes.find('\n') - 3), place, error);
  }

  std::string root_;
};

void check(const Answer& answer, std::string_view name) {
  require((answer.reply == Reply::unknown) == (answer.doubt != Doubt::none), "only an unknown answer is in doubt",
          name);
  require(!answer.detail.empty(), "every answer says why", name);
  for (const Measurement& one : answer.measurements) require(!one.name.empty(), "every measurement has a name", name);
}

}  // namespace
}  // namespace cutopsy

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cutopsy;
  static Copy copy;
  Parameters parameters;
  copy.lay_out(read_blocks(bytes_of(data, size), parameters));
  const Host host(copy.root());
  Gpu gpu;
  gpu.index = "0";
  gpu.pci_address = "0000:3b:00.0";
  for (const Check* one : all_checks()) {
    if (one->need != Need::nothing) continue;
    check(one->ask({.host = host, .parameters = parameters, .gpu = gpu, .budget = std::chrono::seconds(1)}), one->name);
  }
  if (const auto log = read_kernel_log(host)) require(!log->lines.empty(), "a kernel log that was read has lines");
  return 0;
}
