#include "validators/python_site.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace cutopsy {

namespace {

std::string parent(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? "" : std::string(path.substr(0, slash));
}

bool has_torch(const Host& host, const std::string& folder) {
  return host.exists(folder + "/torch/version.py");
}

// Below an installation's prefix: PREFIX/lib/python3.11/site-packages, and the forms of Debian and Fedora.
std::optional<PythonSite> site_below(const Host& host, const std::string& prefix) {
  for (const std::string_view library : {"/lib", "/lib64", "/local/lib"}) {
    const std::string base = prefix + std::string(library);
    for (const std::string& python : host.list(base)) {
      if (!python.starts_with("python")) continue;
      for (const std::string_view packages : {"/site-packages", "/dist-packages"}) {
        std::string folder = base + "/" + python + std::string(packages);
        if (has_torch(host, folder)) return PythonSite{std::move(folder)};
      }
    }
  }
  return std::nullopt;
}

// The value of `name = 'value'` or `name: Optional[str] = 'value'` at a line's start; "" for None.
std::optional<std::string> assigned(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.starts_with(name) || line.size() == name.size()) continue;
    if (line[name.size()] != ' ' && line[name.size()] != ':' && line[name.size()] != '=') continue;
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    line.remove_prefix(equals + 1);
    const std::size_t open = line.find_first_of("'\"");
    if (open == std::string_view::npos) return "";
    line.remove_prefix(open + 1);
    return std::string(line.substr(0, line.find_first_of("'\"")));
  }
  return std::nullopt;
}

std::optional<PythonSite> loaded_site(const Host& host, const Job& job) {
  const auto files = job.is_named() ? job.mapped_files(host) : std::nullopt;
  if (!files) return std::nullopt;
  for (const MappedFile& file : *files) {
    const std::size_t torch = file.path.find("/torch/lib/libtorch");
    if (torch == std::string::npos) continue;
    PythonSite site{job.root() + file.path.substr(0, torch)};
    if (has_torch(host, site.folder)) return site;
  }
  return std::nullopt;
}

}  // namespace

std::optional<TorchBuild> PythonSite::torch(const Host& host) const {
  const auto text = host.read(folder + "/torch/version.py");
  if (!text) return std::nullopt;
  const auto version = assigned(*text, "__version__");
  const auto cuda = assigned(*text, "cuda");
  if (!version || !cuda) return std::nullopt;
  return TorchBuild{*version, *cuda, assigned(*text, "hip").value_or("")};
}

std::vector<std::string> PythonSite::torch_libraries(const Host& host) const {
  std::vector<std::string> libraries;
  for (const std::string& name : host.list(folder + "/torch/lib")) {
    if (name.starts_with("libtorch_cuda") && name.ends_with(".so")) libraries.push_back(folder + "/torch/lib/" + name);
  }
  return libraries;
}

std::map<std::string, std::string> PythonSite::nvidia_packages(const Host& host) const {
  constexpr std::string_view kEnd = ".dist-info";
  std::map<std::string, std::string> packages;
  for (const std::string& name : host.list(folder)) {
    const std::size_t dash = name.find('-');
    if (!name.starts_with("nvidia_") || !name.ends_with(kEnd) || dash + 1 >= name.size() - kEnd.size()) continue;
    packages[name.substr(0, dash)] = name.substr(dash + 1, name.size() - kEnd.size() - dash - 1);
  }
  return packages;
}

std::vector<std::string> PythonSite::nvidia_libraries(const Host& host) const {
  std::vector<std::string> libraries;
  for (const std::string& package : host.list(folder + "/nvidia")) {
    for (const std::string& name : host.list(folder + "/nvidia/" + package + "/lib")) {
      if (name.find(".so.") != std::string::npos) libraries.push_back(name);
    }
  }
  return libraries;
}

bool names_site(const Parameters& parameters) {
  return parameters.text("site") || parameters.text("python") || parameters.text("pid");
}

std::optional<PythonSite> find_torch_site(const Host& host, const Parameters& parameters, const Job& job) {
  if (const auto site = parameters.path("site")) {
    PythonSite named{job.root() + *site};
    if (!has_torch(host, named.folder)) return std::nullopt;
    return named;
  }
  // PREFIX/bin/python: the link itself counts, that of a virtual environment leads out of it.
  if (const auto python = parameters.path("python")) return site_below(host, job.root() + parent(parent(*python)));
  if (auto site = loaded_site(host, job)) return site;
  for (const std::string_view variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const auto prefix = job.variable(variable);
    if (!prefix || !prefix->starts_with('/') || prefix->find("..") != std::string::npos) continue;
    if (auto site = site_below(host, job.root() + *prefix)) return site;
  }
  if (!job.is_named()) return std::nullopt;
  const auto program = host.link(job.folder() + "/exe");
  if (!program || !program->substr(program->rfind('/') + 1).starts_with("python")) return std::nullopt;
  return site_below(host, job.root() + parent(parent(*program)));
}

}  // namespace cutopsy
