#include "engine/cli/subject.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <iterator>
#include <utility>

#include "engine/cli/shell_notice.h"
#include "engine/pipeline.h"
#include "engine/rule/nearest.h"
#include "parsers/status_table.h"
#include "parsers/trim.h"

namespace cutopsy {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

struct FamilyName {
  std::string_view family;  ///< of the status table
  std::string_view name;    ///< for people
};

// In the order in which a bare number is most likely meant.
constexpr FamilyName kFamilies[] = {
    {"runtime", "CUDA runtime status"}, {"driver", "CUDA driver status"},  {"cublas", "cuBLAS status"},
    {"cudnn", "cuDNN status"},          {"nccl", "NCCL result"},           {"nvrtc", "NVRTC result"},
    {"cufft", "cuFFT result"},          {"cusolver", "cuSOLVER status"},   {"cusparse", "cuSPARSE status"},
    {"curand", "cuRAND status"},        {"nvjitlink", "nvJitLink result"},
};

// Signals whose exit status, 128 + the number, people ask about.
constexpr int kSignals[] = {SIGINT, SIGABRT, SIGBUS, SIGKILL, SIGSEGV, SIGTERM};

re2::StringPiece piece(std::string_view text) {
  return {text.data(), text.size()};
}

bool equal_but_for_case(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right,
                            [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

std::string lowered(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

struct TypicalMessage {
  std::string_view type;  ///< the end of the class's name
  std::string_view message;
};

// Classes that are always raised with the same words.
constexpr TypicalMessage kTypicalMessages[] = {
    {"OutOfMemoryError", "CUDA out of memory. Tried to allocate 2.00 GiB."},
    {"ChildFailedError", "train.py FAILED"},
    {"DistStoreError", "Timed out after 601 seconds waiting for clients. 1/2 clients joined."},
    {"RendezvousTimeoutError", "Timed out waiting for clients"},
};

std::string_view typical_message(std::string_view type) {
  const auto known = std::ranges::find_if(kTypicalMessages,
                                          [&](const TypicalMessage& typical) { return type.ends_with(typical.type); });
  return known == std::end(kTypicalMessages) ? std::string_view() : known->message;
}

bool is_other(const Rule* rule) {
  return rule->id.starts_with("other/");
}

void add_rule(Subject& subject, const Rule* rule) {
  if (rule && std::ranges::find(subject.rules, rule) == subject.rules.end()) subject.rules.push_back(rule);
}

class Finder {
 public:
  Finder(std::string_view query, const RuleIndex& index) : query_(query), index_(index) {}

  std::vector<Subject> find() {
    if (query_.empty()) return {};
    add_rules();
    if (!subjects_.empty()) return std::move(subjects_);
    add_number();
    add_status();
    if (subjects_.empty()) add_exception();
    if (subjects_.empty()) add_message();
    std::erase_if(subjects_,
                  [](const Subject& subject) { return subject.rules.empty() && !find_status(subject.name); });
    if (subjects_.empty()) add_titles();
    return std::move(subjects_);
  }

 private:
  void add_rules() {
    for (const Rule& rule : index_.rules().rules()) {
      if (id_matches(query_, rule.id)) subjects_.push_back({"rule", std::string(rule.id), "", {&rule}, {}});
    }
  }

  void add_number() {
    static const RE2 form(R"((?i)(?:([a-z]+)(?: *(?:status|code|error))?[ :#=-]*)?(\d{1,5}))");
    std::string what;
    int number = 0;
    if (!RE2::FullMatch(piece(query_), form, &what, &number)) return;
    const bool open = what.empty() || equal_but_for_case(what, "error") || equal_but_for_case(what, "code") ||
                      equal_but_for_case(what, "status");
    const auto asks_for = [&](std::string_view name) { return open || equal_but_for_case(what, name); };
    const bool cuda = equal_but_for_case(what, "cuda") || equal_but_for_case(what, "cudaError");
    for (const FamilyName& family : kFamilies) {
      const bool of_cuda = cuda && (family.family == "runtime" || family.family == "driver");
      if (of_cuda || asks_for(family.family)) add(find_status(family.family, number));
    }
    if (asks_for("exit")) add_exit_status(number);
    if (asks_for("xid")) add_by_id("Xid", number);
    if (asks_for("sxid")) add_by_id("SXid", number);
  }

  /// The driver's twin of a status of the runtime is no reading of its own.
  void add(const Status* status) {
    if (!status || status->code == 0) return;
    const auto same = [&](const Subject& known) {
      const Status* other = find_status(known.name);
      return other && same_fault(*other, *status);
    };
    if (std::ranges::any_of(subjects_, same)) return;
    const auto family = std::ranges::find(kFamilies, status->family, &FamilyName::family);
    Subject subject{std::string(family == std::end(kFamilies) ? status->family : family->name),
                    std::string(status->name),
                    std::string(status->printed),
                    {},
                    {}};
    read(fmt::format("error: {}", status->name), subject);
    subjects_.push_back(std::move(subject));
  }

  void add_by_id(std::string_view kind, int number) {
    const Rule* rule = index_.rules().find(fmt::format("driver/{}-{}", kind == "Xid" ? "xid" : "sxid", number));
    if (rule) subjects_.push_back({std::string(kind), fmt::format("{} {}", kind, number), "", {rule}, {}});
  }

  void add_exit_status(int number) {
    constexpr int kSignalled = 128;
    const int signal = number - kSignalled;
    if (std::ranges::find(kSignals, signal) == std::end(kSignals)) return;
    Subject subject{
        "exit status", fmt::format("exit status {}", number), fmt::format("128 + signal {}", signal), {}, {}};
    // Of an interrupt a shell says nothing, but Python does.
    read(signal == SIGINT ? "KeyboardInterrupt\n" : shell_notice(signal, 4711, false, "python train.py"), subject);
    subjects_.push_back(std::move(subject));
  }

  void add_status() {
    const Description description = find_description(query_, "");
    if (description.status && description.length == query_.size()) add(description.status);
    for (const Status& status : status_table()) {
      if (equal_but_for_case(status.name, query_)) add(&status);
    }
  }

  /// The rules that ask for this class, and the one that a message of it without words reaches.
  void add_exception() {
    static const RE2 form(R"([A-Za-z_][\w.]*(?:Error|Exception|Warning|Interrupt|Exit))");
    if (!RE2::FullMatch(piece(query_), form)) return;
    Subject subject{"exception", std::string(query_), "", {}, {}};
    read(traceback(fmt::format("{}: {}", query_, typical_message(query_))), subject);
    for (const Rule& rule : index_.rules().rules()) {
      if (std::ranges::any_of(rule.signatures, [&](const Signature& s) { return names_type(s, query_); }))
        add_rule(subject, &rule);
    }
    if (!std::ranges::all_of(subject.rules, is_other)) std::erase_if(subject.rules, is_other);
    subjects_.push_back(std::move(subject));
  }

  bool names_type(const Signature& signature, std::string_view type) const {
    return std::ranges::any_of(signature.where, [&](const Predicate& predicate) {
      if (predicate.field != "type") return false;
      if (predicate.op == Predicate::Op::search) return RE2::PartialMatch(piece(type), index_.regex(predicate.text));
      return predicate.op == Predicate::Op::equal && predicate.text == type;
    });
  }

  void add_message() {
    const Subject asked{"message", std::string(query_.substr(0, query_.find('\n'))), "", {}, {}};
    const auto is_known = [](const Subject& subject) {
      return !subject.rules.empty() && !is_other(subject.rules.front());
    };
    Subject best = asked;
    read(std::string(query_), best);
    // Else as an exception: of the class that it begins with, or of any.
    for (std::string_view type : {"", "RuntimeError: "}) {
      if (is_known(best)) break;
      Subject raised = asked;
      read(traceback(fmt::format("{}{}", type, query_)), raised);
      if (is_known(raised)) best = std::move(raised);
    }
    subjects_.push_back(std::move(best));
  }

  /// The rules whose titles hold every word of the query.
  void add_titles() {
    std::vector<std::string> words;
    static const RE2 word(R"(([A-Za-z0-9]{3,}))");
    re2::StringPiece rest = piece(query_);
    for (std::string found; RE2::FindAndConsume(&rest, word, &found);) words.push_back(lowered(found));
    if (words.empty()) return;
    for (const Rule& rule : index_.rules().rules()) {
      const std::string title = lowered(rule.title);
      const auto stands_there = [&](const std::string& text) { return title.find(text) != title.npos; };
      if (std::ranges::all_of(words, stands_there))
        subjects_.push_back({"rule", std::string(rule.id), "", {&rule}, {}});
    }
  }

  static std::string traceback(std::string_view last_line) {
    return fmt::format("Traceback (most recent call last):\n  File \"train.py\", line 1, in <module>\n    main()\n{}\n",
                       last_line);
  }

  /// Adds the rules that the log reaches.
  void read(std::string log, Subject& subject) const {
    const auto source = open_text(std::move(log));
    const Analysis analysis = analyse(index_, "query", *source);
    for (const Incident& incident : analysis.diagnosis.incidents) {
      if (subject.rules.empty()) subject.fields = incident.fields;
      add_rule(subject, incident.definition);
    }
  }

  std::string_view query_;
  const RuleIndex& index_;
  std::vector<Subject> subjects_;
};

}  // namespace

std::vector<Subject> find_subjects(std::string_view query, const RuleIndex& index) {
  return Finder(trim(query, kBlank), index).find();
}

std::vector<std::string_view> near_subjects(std::string_view query, const RuleSet& rules) {
  std::vector<std::string_view> names;
  for (const Rule& rule : rules.rules()) names.push_back(rule.id);
  for (const Status& status : status_table()) names.push_back(status.name);
  constexpr std::size_t kSuggestions = 5;
  return nearest(trim(query, kBlank), names, kSuggestions);
}

}  // namespace cutopsy
