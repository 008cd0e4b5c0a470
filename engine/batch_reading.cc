#include "engine/batch_reading.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <numeric>
#include <system_error>
#include <thread>
#include <utility>

#include "engine/chunk_scans.h"
#include "engine/scan_crew.h"
#include "engine/source/input.h"
#include "engine/worker_threads.h"

namespace cutopsy {
namespace {

constexpr std::uint64_t kSharedArchiveBytes = 1 << 20;  // smaller ones are read by one thread
constexpr std::uint64_t kBytesForAThread = 256 << 10;   // fewer are read before a thread has started

// An input, or one part of an archive.
struct Item {
  std::size_t input = 0;
  ArchivePart part = {};
  std::uint64_t bytes = 0;
};

struct ReadText {
  std::size_t number = 0;  // of the member
  Reading reading;
};

struct ItemResult {
  std::vector<ReadText> texts;
  ArchiveNotes notes;
};

std::uint64_t size_of(const std::string& path) {
  std::error_code error;
  const bool has_size = path != "-" && std::filesystem::is_regular_file(path, error);
  return has_size ? std::filesystem::file_size(path, error) : 0;
}

class BatchReader {
 public:
  BatchReader(const RuleIndex& index, const InputList& list, const BatchReadOptions& options)
      : index_(index), list_(list), options_(options) {
    for (const InputName& input : list.inputs) limits_.push_back(std::make_shared<UnpackingLimit>(input.path));
  }

  BatchReadings read() {
    plan();
    results_.resize(items_.size());
    const std::uint64_t bytes = std::accumulate(items_.begin(), items_.end(), std::uint64_t{0},
                                                [](std::uint64_t sum, const Item& item) { return sum + item.bytes; });
    if (options_.progress) options_.progress->all_bytes = bytes;
    if (options_.progress) options_.progress->all_inputs = items_.size();
    const std::jthread preparation = prepare_scanner(bytes);
    const auto jobs = static_cast<unsigned>(std::min<std::uint64_t>(options_.jobs, 1 + bytes / kBytesForAThread));
    for_each_item(in_order_of_work(), jobs, [this](std::size_t i) { results_[i] = read_item(items_[i]); },
                  {[this] { crew_.help(); }, [this] { crew_.close(); }});
    return collect();
  }

 private:
  void plan() {
    for (std::size_t input = 0; input < list_.inputs.size(); ++input) {
      const std::string& path = list_.inputs[input].path;
      const std::uint64_t bytes = size_of(path);
      const bool shared = options_.jobs > 1 && bytes >= kSharedArchiveBytes && can_be_shared(path);
      const std::size_t parts = shared ? options_.jobs : 1;
      for (std::size_t part = 0; part < parts; ++part) items_.push_back({input, {part, parts}, bytes / parts});
    }
  }

  // Until the literal database is there, chunks are searched without it; and where it cannot be made.
  std::jthread prepare_scanner(std::uint64_t bytes) {
    if (!options_.read.scan || bytes < ChunkScans::kSmallInputBytes) return {};
    const auto prepare = [this] {
      try {
        index_.scanner().prepare_for_large_input();
      } catch (const std::exception&) {
      }
    };
    try {
      if (options_.jobs > 1) return std::jthread(prepare);
    } catch (const std::system_error&) {  // no further thread
    }
    prepare();
    return {};
  }

  // The largest first, so that no thread is left with a large one at the end; one thread keeps to the list.
  std::vector<std::size_t> in_order_of_work() const {
    std::vector<std::size_t> order(items_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (options_.jobs > 1) {
      std::ranges::stable_sort(order, std::greater<>(), [this](std::size_t i) { return items_[i].bytes; });
    }
    return order;
  }

  ItemResult read_item(const Item& item) {
    ItemResult result;
    const std::string& path = list_.inputs[item.input].path;
    ReadOptions read = options_.read;
    read.crew = path == "-" ? nullptr : &crew_;  // a pipe's lines are read when they come
    InputTexts texts{path, limits_[item.input], item.part, options_.open_stdin, {}};
    if (options_.progress) texts.on_read = [this](std::uint64_t bytes) { options_.progress->bytes += bytes; };
    try {
      result.notes = texts.read([&](const ArchiveMember& member) {
        result.texts.push_back({member.number, read_input(index_, member.name, member.text, read)});
      });
    } catch (const SourceError& error) {
      result.notes.errors.push_back({0, error.what()});
    }
    if (options_.progress) ++options_.progress->inputs;
    return result;
  }

  BatchReadings collect() {
    BatchReadings all;
    all.skipped = list_.skipped;
    all.errors = list_.errors;
    next_folder_ = 1;
    for (const InputName& input : list_.inputs) next_folder_ = std::max(next_folder_, input.folder + 1);
    for (std::size_t first = 0; first < items_.size(); first += items_[first].part.of) {
      add(items_[first].input, merged(first), all);
    }
    return all;
  }

  // What the parts of one input gave, in the order of its members.
  ItemResult merged(std::size_t first) {
    const Item& item = items_[first];
    if (item.part.of > 1 && limits_[item.input]->is_reached()) {
      // Which members were read before the limit depends on the threads' speed: read it again in one.
      limits_[item.input] = std::make_shared<UnpackingLimit>(list_.inputs[item.input].path);
      return read_item({item.input, {}, item.bytes});
    }
    ItemResult all;
    for (std::size_t i = first; i < first + item.part.of; ++i) {
      std::ranges::move(results_[i].texts, std::back_inserter(all.texts));
      std::ranges::move(results_[i].notes.errors, std::back_inserter(all.notes.errors));
      for (const auto& [reason, count] : results_[i].notes.skipped) all.notes.skipped[reason] += count;
    }
    std::ranges::stable_sort(all.texts, {}, &ReadText::number);
    return all;
  }

  void add(std::size_t index, ItemResult result, BatchReadings& all) {
    const InputName& input = list_.inputs[index];
    const bool is_archive = result.texts.empty() || result.texts.front().reading.summary.name != input.path;
    for (const ReadText& text : result.texts) {
      const std::string& error = text.reading.summary.error;
      if (!error.empty()) result.notes.errors.push_back({text.number, error});
    }
    if (result.texts.empty() && result.notes.errors.empty() && input.folder != 0) {
      ++all.skipped["archive without a log"];
    } else if (result.texts.empty() && result.notes.errors.empty()) {
      result.notes.errors.push_back({0, input.path + ": holds no log; unpack it and name the files to be read"});
    }
    std::ranges::stable_sort(result.notes.errors, {}, &ArchiveNotes::Error::number);
    for (ArchiveNotes::Error& error : result.notes.errors) all.errors.push_back(std::move(error.text));
    for (const auto& [reason, count] : result.notes.skipped) all.skipped[reason] += count;
    const std::size_t folder = is_archive && input.folder == 0 ? next_folder_++ : input.folder;
    for (ReadText& text : result.texts) {
      all.readings.push_back(std::move(text.reading));
      all.folders.push_back(folder);
    }
  }

  const RuleIndex& index_;
  const InputList& list_;
  const BatchReadOptions& options_;
  ScanCrew crew_;
  std::vector<std::shared_ptr<UnpackingLimit>> limits_;  // by input
  std::vector<Item> items_;                              // the parts of an input stand together
  std::vector<ItemResult> results_;                      // by item
  std::size_t next_folder_ = 1;
};

}  // namespace

BatchReadings read_batch(const RuleIndex& index, const InputList& list, const BatchReadOptions& options) {
  return BatchReader(index, list, options).read();
}

}  // namespace cutopsy
