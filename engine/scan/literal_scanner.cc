#include "engine/scan/literal_scanner.h"

#include <hs.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>

namespace cutopsy {

struct LiteralScanner::Database {
  hs_database_t* hs = nullptr;
  std::atomic<bool> ready{false};
  ~Database() { hs_free_database(hs); }
};

struct LiteralScanner::Scratch::Handle {
  hs_scratch_t* hs = nullptr;
  ~Handle() { hs_free_scratch(hs); }
};

LiteralScanner::Scratch::Scratch() : handle_(std::make_unique<Handle>()) {}
LiteralScanner::Scratch::~Scratch() = default;

LiteralScanner::LiteralScanner(std::vector<std::string> literals)
    : literals_(std::move(literals)), pairs_(literals_), database_(std::make_unique<Database>()) {}
LiteralScanner::~LiteralScanner() = default;

const LiteralScanner::Database& LiteralScanner::database() const {
  std::call_once(compiled_, [this] {
    std::vector<const char*> expressions;
    std::vector<unsigned> flags;
    std::vector<unsigned> ids;
    std::vector<std::size_t> lengths;
    for (std::size_t i = 0; i < literals_.size(); ++i) {
      expressions.push_back(literals_[i].data());
      flags.push_back(0);
      ids.push_back(static_cast<unsigned>(i));
      lengths.push_back(literals_[i].size());
    }
    hs_compile_error_t* error = nullptr;
    if (hs_compile_lit_multi(expressions.data(), flags.data(), ids.data(), lengths.data(),
                             static_cast<unsigned>(expressions.size()), HS_MODE_BLOCK, nullptr, &database_->hs,
                             &error) != HS_SUCCESS) {
      std::string message = error ? error->message : "unknown reason";
      hs_free_compile_error(error);
      throw std::runtime_error("cannot compile the literal database: " + message);
    }
    database_->ready = true;
  });
  return *database_;
}

void LiteralScanner::prepare_for_large_input() const {
  database();
}

namespace {

struct LineCutter {
  std::string_view bytes;
  std::size_t covered = 0;  // the end of the last line reported
  std::vector<std::pair<std::size_t, std::size_t>> lines;
  std::vector<ChunkHits::Hit> hits;
};

int cut_line(unsigned id, unsigned long long, unsigned long long to, unsigned, void* context) {
  auto& cutter = *static_cast<LineCutter*>(context);
  cutter.hits.push_back({static_cast<std::size_t>(to), static_cast<LiteralId>(id)});
  std::size_t last = static_cast<std::size_t>(to) - 1;
  if (last < cutter.covered) return 0;
  auto before = last == 0 ? std::string_view::npos : cutter.bytes.rfind('\n', last - 1);
  std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  std::size_t end = std::min(cutter.bytes.find('\n', last), cutter.bytes.size());
  cutter.lines.emplace_back(begin, end);
  cutter.covered = end;
  return 0;
}

void scan_or_throw(const hs_database_t* database, std::string_view bytes, hs_scratch_t** scratch,
                   match_event_handler on_match, void* context) {
  if (!*scratch && hs_alloc_scratch(database, scratch) != HS_SUCCESS) {
    throw std::runtime_error("cannot allocate scratch memory for the literal scan");
  }
  if (hs_scan(database, bytes.data(), static_cast<unsigned>(bytes.size()), 0, *scratch, on_match, context) !=
      HS_SUCCESS) {
    throw std::runtime_error("the literal scan failed");
  }
}

}  // namespace

void LiteralScanner::candidate_lines(std::string_view bytes, Scratch& scratch, ChunkHits& hits,
                                     const std::function<void(std::size_t, std::size_t)>& on_line) const {
  LineCutter cutter{bytes, 0, {}, {}};
  if (database_->ready) {
    scan_or_throw(database_->hs, bytes, &scratch.handle_->hs, cut_line, &cutter);
  } else {
    pairs_.search(bytes, [&](ChunkHits::Hit hit) { cut_line(hit.id, 0, hit.end, 0, &cutter); });
  }
  hits.keep(bytes, std::move(cutter.hits));
  std::sort(cutter.lines.begin(), cutter.lines.end());
  cutter.lines.erase(std::unique(cutter.lines.begin(), cutter.lines.end()), cutter.lines.end());
  for (auto [begin, end] : cutter.lines) on_line(begin, end);
}

void LiteralScanner::literals_in(std::string_view text, std::vector<LiteralId>& found) const {
  found.clear();
  pairs_.search(text, [&](ChunkHits::Hit hit) { found.push_back(hit.id); });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

}  // namespace cutopsy
