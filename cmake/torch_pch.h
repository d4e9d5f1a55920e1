// Headers of everything that sees LibTorch, compiled once (docs/decisions/libtorch.md).
#pragma once

#include <torch/torch.h>

#include <c10/core/CPUAllocator.h>
#include <c10/core/CachingDeviceAllocator.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>
