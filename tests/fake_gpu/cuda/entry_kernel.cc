// Entry points: modules, functions, launches.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "tests/fake_gpu/cuda/entry.h"
#include "tests/fake_gpu/cuda/launch.h"

using namespace cutopsy::fake;

namespace {

Loader loader_for(const Driver& driver, const Device& device) {
  const auto is_on = [](const char* variable) {
    const char* const value = std::getenv(variable);
    return value && std::strcmp(value, "0") != 0;
  };
  return {device.compute_capability(), driver.cuda_version(), is_on("CUDA_FORCE_PTX_JIT"),
          is_on("CUDA_DISABLE_PTX_JIT")};
}

int load(Driver& driver, Module** module, const void* image, std::string* log) {
  if (!module || !image) return status::invalid_value;
  const Device& device = *driver.current()->device;
  auto it = std::make_unique<Module>();
  it->context = driver.current();
  it->image = choose_image(image, loader_for(driver, device));
  if (it->image.status == 0 && !it->image.compiled) {
    it->image.status = static_cast<int>(device.section().number("jit"));
  }
  *log = it->image.log;
  if (it->image.status != 0) return it->image.status;
  *module = driver.modules.insert(std::move(it)).first->get();
  return status::success;
}

void write_log(const std::string& log, unsigned count, const int* options, void** values) {
  char* buffer = nullptr;
  std::size_t room = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == jit_option::error_log_buffer) buffer = static_cast<char*>(values[i]);
    if (options[i] == jit_option::error_log_buffer_size) room = reinterpret_cast<std::uintptr_t>(values[i]);
    if (options[i] == jit_option::info_log_buffer) static_cast<char*>(values[i])[0] = '\0';
  }
  if (!buffer || room == 0) return;
  const std::size_t length = std::min(log.size(), room - 1);
  std::memcpy(buffer, log.data(), length);
  buffer[length] = '\0';
}

const cutopsy::kernels::HostKernel* host_kernel(std::string_view name) {
  const auto kernels = cutopsy::kernels::host_kernels();
  const auto found =
      std::find_if(kernels.begin(), kernels.end(), [&](const auto& kernel) { return kernel.name == name; });
  return found == kernels.end() ? nullptr : &*found;
}

// A function is known when the loaded modules hold it.
bool is_function(const Driver& driver, const Function* function) {
  return std::any_of(driver.modules.begin(), driver.modules.end(), [&](const auto& module) {
    return std::any_of(module->functions.begin(), module->functions.end(),
                       [&](const auto& entry) { return &entry.second == function; });
  });
}

}  // namespace

CUTOPSY_EXPORT int cuModuleLoadDataEx(Module** module, const void* image, unsigned count, int* options, void** values) {
  CUTOPSY_ENTER(context);
  std::string log;
  const int status = load(driver, module, image, &log);
  if (options && values) write_log(log, count, options, values);
  return status;
}

CUTOPSY_EXPORT int cuModuleLoadData(Module** module, const void* image) {
  CUTOPSY_ENTER(context);
  std::string log;
  return load(driver, module, image, &log);
}

CUTOPSY_EXPORT int cuModuleUnload(Module* module) {
  CUTOPSY_ENTER(context);
  if (!owned(driver.modules, module)) return status::invalid_handle;
  if (const int error = driver.finish_all(driver.current()); error != 0) return error;
  std::erase_if(driver.modules, [&](const auto& it) { return it.get() == module; });
  return status::success;
}

CUTOPSY_EXPORT int cuModuleGetFunction(Function** function, Module* module, const char* name) {
  CUTOPSY_ENTER(context);
  if (!function || !name) return status::invalid_value;
  if (!owned(driver.modules, module)) return status::invalid_handle;
  const auto* const kernel = host_kernel(name);
  if (!kernel || !module->image.has_kernel(name)) return status::not_found;
  Function& it = module->functions[name];
  it.kernel = kernel;
  it.module = module;
  if (it.most_shared_bytes == 0) {
    it.most_shared_bytes = *driver.current()->device->attribute(attribute::max_shared_memory_per_block);
  }
  *function = &it;
  return status::success;
}

CUTOPSY_EXPORT int cuFuncGetAttribute(int* value, int number, Function* function) {
  CUTOPSY_ENTER(context);
  if (!is_function(driver, function)) return status::invalid_handle;
  if (!value) return status::invalid_value;
  switch (number) {
    case function_attribute::max_threads_per_block:
      *value = static_cast<int>(function->kernel->max_threads);
      break;
    case function_attribute::shared_size_bytes:
      *value = 0;
      break;
    case function_attribute::num_regs:
      *value = 32;
      break;
    case function_attribute::ptx_version:
    case function_attribute::binary_version:
      *value = function->module->image.architecture;
      break;
    case function_attribute::max_dynamic_shared_size_bytes:
      *value = function->most_shared_bytes;
      break;
    default:
      return status::invalid_value;
  }
  return status::success;
}

CUTOPSY_EXPORT int cuFuncSetAttribute(Function* function, int number, int value) {
  CUTOPSY_ENTER(context);
  if (!is_function(driver, function)) return status::invalid_handle;
  const int most = *driver.current()->device->attribute(attribute::max_shared_memory_per_block_optin);
  if (number != function_attribute::max_dynamic_shared_size_bytes || value < 0 || value > most) {
    return status::invalid_value;
  }
  function->most_shared_bytes = value;
  return status::success;
}

CUTOPSY_EXPORT int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function* function, int threads,
                                                               std::size_t shared_bytes) {
  CUTOPSY_ENTER(context);
  if (!is_function(driver, function)) return status::invalid_handle;
  if (!blocks || threads <= 0) return status::invalid_value;
  const auto room =
      static_cast<std::size_t>(*driver.current()->device->attribute(attribute::max_shared_memory_per_multiprocessor));
  *blocks = static_cast<int>(
      std::min<std::size_t>({room / (shared_bytes + 1024), 2048U / static_cast<unsigned>(threads), 32}));
  return status::success;
}

CUTOPSY_EXPORT int cuLaunchKernel(Function* function, unsigned grid, unsigned grid_y, unsigned grid_z, unsigned block,
                                  unsigned block_y, unsigned block_z, unsigned shared_bytes, Stream* stream,
                                  void** arguments, void** extra) {
  CUTOPSY_ENTER(context);
  if (!is_function(driver, function)) return status::invalid_handle;
  if (!driver.is_stream(stream)) return status::invalid_handle;
  if (grid == 0 || block == 0 || block > function->kernel->max_threads ||
      shared_bytes > static_cast<unsigned>(function->most_shared_bytes)) {
    return status::invalid_value;
  }
  // The kernels of this simulator count in one dimension.
  if (grid_y != 1 || grid_z != 1 || block_y != 1 || block_z != 1 || extra) return status::not_supported;
  if (!arguments && !function->kernel->argument_bytes.empty()) return status::invalid_value;
  queue_launch(driver, *function->kernel, {grid, block, shared_bytes}, stream, arguments);
  return status::success;
}
