#include <array>
#include <string>

#include "validators/checks/checks.h"
#include "validators/job.h"
#include "validators/pci_devices.h"
#include "validators/python_site.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {
    Parameter{"pid", "process id of the job"},
    Parameter{"site", "the folder of the job's Python packages (site-packages)"},
    Parameter{"python", "the path of the job's interpreter; it is not run"},
};

bool has_nvidia_gpu(const Host& host) {
  return !nvidia_gpus(host).empty() || host.exists("/dev/nvidiactl") || host.exists("/dev/dxg");
}

Answer judge(const Host& host, const TorchBuild& torch, bool is_the_jobs) {
  const std::string name = "PyTorch " + torch.version;
  if (!torch.cuda.empty()) {
    const std::string built = name + " is built for CUDA " + torch.cuda;
    return is_the_jobs ? Answer::no(built)
                       : Answer::undecided("this environment's " + built + "; the job may have had another",
                                           "Name the job's: --python or --pid.");
  }
  if (!has_nvidia_gpu(host)) {
    return Answer::not_applicable(name +
                                  " is built without CUDA, and this machine shows no NVIDIA GPU for another build");
  }
  return Answer::yes(
      torch.hip.empty() ? name + " is built without CUDA" : name + " is built for ROCm " + torch.hip + ", not for CUDA",
      "Install the build for CUDA: pip install torch --index-url https://download.pytorch.org/whl/cu128 (or the CUDA "
      "that your driver runs).");
}

Answer ask(const Inquiry& inquiry) {
  const Job job = Job::find(inquiry.host, inquiry.parameters);
  const auto site = find_torch_site(inquiry.host, inquiry.parameters, job);
  if (!site)
    return Answer::not_applicable("no PyTorch is found; name its site-packages (site), interpreter or process");
  const auto torch = site->torch(inquiry.host);
  if (!torch) return Answer::could_not_run(site->folder + "/torch/version.py does not say what torch was built for");
  return judge(inquiry.host, *torch, names_site(inquiry.parameters))
      .with("site", site->folder)
      .with("torch", torch->version)
      .with("cuda", torch->cuda)
      .with("hip", torch->hip);
}

}  // namespace

extern const Check kTorchBuild = {
    .name = "torch-build",
    .question = "Is the job's PyTorch built without CUDA?",
    .decision =
        "yes when torch/version.py names no CUDA and the machine has an NVIDIA GPU; no only of a PyTorch that is named",
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
