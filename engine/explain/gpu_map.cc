#include "engine/explain/gpu_map.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <utility>

#include "parsers/pci_address.h"

namespace cutopsy {
namespace {

constexpr std::size_t kWholeJob = std::numeric_limits<std::size_t>::max();

// "node1" of "node1.cluster.local". Addresses stay.
std::string_view short_name(std::string_view host) {
  const bool is_address = host.find_first_not_of("0123456789.:") == host.npos;
  return is_address ? host : host.substr(0, host.find('.'));
}

bool agree(std::string_view a, std::string_view b) {
  return a.empty() || b.empty() || a == b;
}

struct Member {
  std::string rank;
  std::size_t ranks = 0;
  std::string pci;
};

// "3 of 8 at 0000:86:00.0"
std::optional<Member> read_member(std::string_view text) {
  constexpr std::string_view kOf = " of ";
  constexpr std::string_view kAt = " at ";
  const std::size_t of = text.find(kOf);
  const std::size_t at = text.find(kAt);
  if (of == text.npos || at == text.npos || at < of) return std::nullopt;
  Member member{std::string(text.substr(0, of)), 0, std::string(text.substr(at + kAt.size()))};
  const std::string_view ranks = text.substr(of + kOf.size(), at - of - kOf.size());
  std::from_chars(ranks.data(), ranks.data() + ranks.size(), member.ranks);
  return member;
}

std::string address_in(const Finding& finding) {
  const std::string address = canonical_pci_address(finding.fields.get("gpu_pci"));
  return address.empty() ? canonical_pci_address(finding.fields.get("pci")) : address;
}

std::string_view field_or(const Finding& finding, std::string_view name, std::string_view otherwise) {
  const std::string_view value = finding.fields.get(name);
  return value.empty() ? otherwise : value;
}

}  // namespace

bool may_be_same(const std::optional<GpuAddress>& a, const std::optional<GpuAddress>& b) {
  return !a || !b || (a->pci == b->pci && agree(a->host, b->host));
}

GpuMap::GpuMap(std::span<const Fact> facts) {
  for (const Fact& fact : facts) {
    const Envelope& envelope = fact.envelope;
    Entry entry{
        {std::string(short_name(envelope.host)), fact.value}, envelope.rank, fact.gpu, envelope.pid, fact.where.input};
    if (fact.name == "smi_gpu_pci") {
      smi_.push_back(std::move(entry));
    } else if (fact.name == "gpu_pci") {
      processes_.push_back(entry);
      entry.comm_ranks = kWholeJob;
      if (!entry.rank.empty()) add_rank(std::move(entry));
    } else if (fact.name == "comm_gpu" && entry.rank.empty()) {
      const auto member = read_member(fact.value);
      if (!member) continue;
      entry.rank = member->rank;
      entry.gpu.pci = member->pci;
      entry.comm_ranks = member->ranks;
      add_rank(std::move(entry));
    }
  }
}

void GpuMap::add_rank(Entry entry) {
  std::vector<Entry>& known = ranks_[entry.rank];
  if (!known.empty() && known.front().comm_ranks > entry.comm_ranks) return;
  if (!known.empty() && known.front().comm_ranks < entry.comm_ranks) known.clear();
  known.push_back(std::move(entry));
}

// The host's name as the job's lines print it; "" for hosts that they do not name (a container has a name of its own).
std::string GpuMap::known_host(std::string_view host) const {
  const std::string_view name = short_name(host);
  const bool known =
      std::any_of(processes_.begin(), processes_.end(), [&](const Entry& entry) { return entry.gpu.host == name; });
  return known ? std::string(name) : "";
}

// The one GPU of all entries that fit; nothing when there are several.
template <typename Fits>
std::optional<GpuAddress> GpuMap::only(const std::vector<Entry>& entries, Fits fits) const {
  std::optional<GpuAddress> gpu;
  for (const Entry& entry : entries) {
    if (!fits(entry)) continue;
    if (gpu && (gpu->pci != entry.gpu.pci || gpu->host != entry.gpu.host)) return std::nullopt;
    gpu = entry.gpu;
  }
  return gpu;
}

std::optional<GpuAddress> GpuMap::gpu_of(const Finding& finding) const {
  const std::string host = known_host(finding.envelope.host);
  if (std::string pci = address_in(finding); !pci.empty()) return GpuAddress{host, std::move(pci)};
  const std::string_view rank = field_or(finding, "rank", finding.envelope.rank);
  const std::string_view pid = field_or(finding, "pid", finding.envelope.pid);
  const std::string_view index = finding.fields.get("gpu");
  const auto on_host = [&](const Entry& entry) { return agree(entry.gpu.host, host); };
  if (const auto of_rank = ranks_.find(std::string(rank)); !rank.empty() && of_rank != ranks_.end()) {
    return only(of_rank->second, on_host);
  }
  const auto of_process = [&](const Entry& entry) {
    return entry.pid == pid && on_host(entry) && agree(entry.index, index);
  };
  if (!pid.empty()) {
    if (auto gpu = only(processes_, of_process)) return gpu;
  }
  if (index.empty()) return std::nullopt;
  return only(processes_, [&](const Entry& entry) {
    return entry.index == index && entry.input == finding.where.input && agree(entry.pid, pid) &&
           agree(entry.rank, rank) && on_host(entry);
  });
}

std::vector<std::string> GpuMap::ranks_on(const GpuAddress& gpu) const {
  std::vector<std::string> found;
  std::set<std::string> hosts;
  for (const auto& [rank, entries] : ranks_) {
    const auto only_gpu = only(entries, [](const Entry&) { return true; });
    if (!only_gpu || !may_be_same(only_gpu, gpu)) continue;
    found.push_back(rank);
    hosts.insert(only_gpu->host);
  }
  if (hosts.size() > 1) return {};
  std::sort(found.begin(), found.end(), [](const std::string& a, const std::string& b) {
    return std::pair(a.size(), a) < std::pair(b.size(), b);  // ranks are numbers
  });
  return found;
}

std::string GpuMap::smi_index_of(const GpuAddress& gpu) const {
  std::set<std::string> indices;
  for (const Entry& entry : smi_) {
    if (may_be_same(entry.gpu, gpu)) indices.insert(entry.index);
  }
  return indices.size() == 1 ? *indices.begin() : "";
}

}  // namespace cutopsy
