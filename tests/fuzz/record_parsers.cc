// Every parser of records may open one at every line, and is fed what follows, as if there were no other parser.
#include <memory>
#include <vector>

#include "parsers/envelope/stripper.h"
#include "parsers/registry.h"
#include "tests/fuzz/vocabulary.h"

namespace cutopsy {
namespace {

// The record of one parser, or none.
class Lane {
 public:
  explicit Lane(const RecordParser& parser) : parser_(parser) {}

  void read(const Line& line) {
    if (record_) {
      const Record::Step step = record_->feed(line);
      if (step != Record::Step::taken) finish();
      if (step != Record::Step::refused) return;
    }
    record_ = parser_.open(line);
    require(!record_ || holds_one_of(line.text, parser_.triggers),
            "a line that opens a record holds one of the parser's triggers", parser_.name);
  }

  void finish() {
    if (!record_) return;
    record_->level();
    VocabularySink sink;
    record_->finish(sink);
    record_.reset();
  }

 private:
  const RecordParser& parser_;
  std::unique_ptr<Record> record_;
};

}  // namespace
}  // namespace cutopsy

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cutopsy;
  std::vector<Lane> lanes(record_parsers().begin(), record_parsers().end());
  Stripper stripper;
  for_each_line_of(bytes_of(data, size), [&](std::string_view raw, std::uint64_t number) {
    stripper.strip(raw.substr(0, Stripper::kMaxLineBytes), {0, number}, [&](const Line& line) {
      for (Lane& lane : lanes) lane.read(line);
    });
  });
  for (Lane& lane : lanes) lane.finish();
  return 0;
}
