// The inner parts by themselves, in bytes a second: the stripper, the literal scan of a chunk, and an input's whole
// reading; and what the number of rules costs.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "engine/pipeline.h"
#include "engine/rule/loader.h"
#include "engine/scanned_chunk.h"
#include "parsers/envelope/stripper.h"
#include "tests/bench/generated_log.h"

namespace cutopsy {
namespace {

constexpr std::size_t kChunkBytes = ChunkReader::kBufferBytes;
constexpr std::size_t kInputBytes = 16 << 20;  // large enough for libhs

const RuleIndex& built_in() {
  static const RuleIndex index(RuleSet::built_in());
  return index;
}

// As many rules as asked for, half on lines and half on events, as in the built-in set; none of them matches.
std::string generated_rules(int count) {
  std::string rules;
  for (int i = 0; i < count; ++i) {
    const std::string word = fmt::format("{}{}{}ixo{}", static_cast<char>('k' + i % 16), i * 7919 % 10007,
                                         static_cast<char>('f' + i % 19), i);
    const std::string match = i % 2 == 0 ? fmt::format("{{ line: 'cannot {} the (?P<name>\\w+)' }}", word)
                                         : fmt::format("{{ event: cuda.status, where: {{ text: '{}' }} }}", word);
    rules += fmt::format("- id: x/rule-{}\n  title: t\n  match: {}\n  cause: c\n  fix: [{{ do: f }}]\n", i, match);
  }
  return rules;
}

void read(benchmark::State& state, const RuleIndex& index, const std::string& text) {
  index.scanner().prepare_for_large_input();
  for (auto _ : state) {
    const auto source = open_text(text);
    benchmark::DoNotOptimize(read_input(index, "log", *source).findings.size());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

void strip(benchmark::State& state, std::string_view kind) {
  const std::string text = generated_text(kind, kChunkBytes);
  Stripper stripper;
  for (auto _ : state) {
    std::size_t lines = 0;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin);
      stripper.strip(std::string_view(text).substr(begin, end - begin), {}, [&](const Line&) { ++lines; });
      begin = end + 1;
    }
    benchmark::DoNotOptimize(lines);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

void scan(benchmark::State& state, std::string_view kind) {
  const std::string text = generated_text(kind, kChunkBytes);
  const LiteralScanner& scanner = built_in().scanner();
  scanner.prepare_for_large_input();
  LiteralScanner::Scratch scratch;
  ScannedChunk chunk;
  chunk.bytes = text;
  for (auto _ : state) {
    scan_chunk(scanner, scratch, chunk);
    benchmark::DoNotOptimize(chunk.newlines);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

void read_kind(benchmark::State& state, std::string_view kind) {
  read(state, built_in(), generated_text(kind, kInputBytes));
}

void read_with_rules(benchmark::State& state) {
  const LoadedRules loaded = load_rules_from_text("generated.yaml", generated_rules(static_cast<int>(state.range(0))));
  if (loaded.rules.rules().size() != static_cast<std::size_t>(state.range(0))) {
    state.SkipWithError("the generated rules have mistakes");
    return;
  }
  const RuleIndex index(loaded.rules);
  read(state, index, generated_text("clean", kInputBytes));
}

BENCHMARK_CAPTURE(strip, clean, "clean");
BENCHMARK_CAPTURE(strip, ci, "ci");
BENCHMARK_CAPTURE(strip, kernel, "kernel");
BENCHMARK_CAPTURE(scan, clean, "clean");
BENCHMARK_CAPTURE(scan, near, "near");
BENCHMARK_CAPTURE(scan, dense, "dense");
BENCHMARK_CAPTURE(read_kind, clean, "clean");
BENCHMARK_CAPTURE(read_kind, dense, "dense");
BENCHMARK_CAPTURE(read_kind, candidates, "candidates");
BENCHMARK(read_with_rules)->Arg(80)->Arg(500)->Arg(2000);

}  // namespace
}  // namespace cutopsy

BENCHMARK_MAIN();
