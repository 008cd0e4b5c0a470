// The limit that the scan is measured against: a bare read() + hs_scan() loop with cutopsy's own buffer size and
// literals.
//
//   bench_peer literals          prints the literals, one a line (for `rg -F -f`)
//   bench_peer regexes           prints the regexes of the rules' `line:` signatures (for `rg -f`)
//   bench_peer scan FILE         scans FILE and prints the number of hits
#include <fcntl.h>
#include <hs.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "engine/match/rule_index.h"
#include "engine/source/chunk.h"

namespace {

int count_hit(unsigned, unsigned long long, unsigned long long, unsigned, void* hits) {
  ++*static_cast<unsigned long long*>(hits);
  return 0;
}

int scan(const std::vector<std::string>& literals, const char* path) {
  std::vector<const char*> expressions;
  std::vector<unsigned> flags(literals.size(), 0);
  std::vector<unsigned> ids;
  std::vector<std::size_t> lengths;
  for (const std::string& literal : literals) {
    ids.push_back(static_cast<unsigned>(ids.size()));
    expressions.push_back(literal.data());
    lengths.push_back(literal.size());
  }
  hs_database_t* database = nullptr;
  hs_compile_error_t* error = nullptr;
  hs_scratch_t* scratch = nullptr;
  if (hs_compile_lit_multi(expressions.data(), flags.data(), ids.data(), lengths.data(),
                           static_cast<unsigned>(expressions.size()), HS_MODE_BLOCK, nullptr, &database,
                           &error) != HS_SUCCESS ||
      hs_alloc_scratch(database, &scratch) != HS_SUCCESS) {
    std::fprintf(stderr, "bench_peer: cannot compile the literals\n");
    return 1;
  }
  int file = open(path, O_RDONLY);
  if (file < 0) {
    std::perror(path);
    return 1;
  }
  std::vector<char> buffer(cutopsy::ChunkReader::kBufferBytes);
  unsigned long long hits = 0;
  ssize_t bytes = 0;
  while ((bytes = read(file, buffer.data(), buffer.size())) > 0) {
    if (hs_scan(database, buffer.data(), static_cast<unsigned>(bytes), 0, scratch, count_hit, &hits) != HS_SUCCESS) {
      return 1;
    }
  }
  std::printf("%llu\n", hits);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  cutopsy::RuleIndex index(cutopsy::RuleSet::built_in());
  std::string verb = argc > 1 ? argv[1] : "";
  if (verb == "literals") {
    for (const std::string& literal : index.scanner().literals()) std::printf("%s\n", literal.c_str());
    return 0;
  }
  if (verb == "regexes") {
    for (const cutopsy::SignatureRef& ref : index.all_line_signatures())
      std::printf("%.*s\n", static_cast<int>(ref.signature->line.size()), ref.signature->line.data());
    return 0;
  }
  if (verb == "scan" && argc > 2) return scan(index.scanner().literals(), argv[2]);
  std::fprintf(stderr, "usage: bench_peer literals | bench_peer regexes | bench_peer scan FILE\n");
  return 2;
}
