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
    : literals_(std::move(literals)), database_(std::make_unique<Database>()) {}
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

int collect_literal(unsigned id, unsigned long long, unsigned long long, unsigned, void* context) {
  static_cast<std::vector<LiteralId>*>(context)->push_back(static_cast<LiteralId>(id));
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
  hits.clear();
  if (database_->ready) {
    scan_or_throw(database_->hs, bytes, &scratch.handle_->hs, cut_line, &cutter);
    hits.keep(bytes, std::move(cutter.hits));
  } else {  // one hit in each line is enough
    for (const std::string& literal : literals_) {
      cutter.covered = 0;
      for (auto at = bytes.find(literal); at != std::string_view::npos; at = bytes.find(literal, cutter.covered)) {
        cut_line(0, 0, at + literal.size(), 0, &cutter);
      }
    }
  }
  std::sort(cutter.lines.begin(), cutter.lines.end());
  cutter.lines.erase(std::unique(cutter.lines.begin(), cutter.lines.end()), cutter.lines.end());
  for (auto [begin, end] : cutter.lines) on_line(begin, end);
}

void LiteralScanner::literals_in(std::string_view text, Scratch& scratch, std::vector<LiteralId>& found) const {
  found.clear();
  if (database_->ready) {
    scan_or_throw(database_->hs, text, &scratch.handle_->hs, collect_literal, &found);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return;
  }
  for (std::size_t i = 0; i < literals_.size(); ++i) {
    if (text.find(literals_[i]) != std::string_view::npos) found.push_back(static_cast<LiteralId>(i));
  }
}

}  // namespace cutopsy
