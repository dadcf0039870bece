/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_MODULE_NAMES_H
#define INCA_IMPORT_MODULE_NAMES_H

#include "import/torch-recording.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** A call of a module's forward, as profiles with stacks have it. (ns) */
struct ModuleCall
{
    std::uint32_t thread{0};
    std::int64_t begin{0};
    std::int64_t end{0};
    std::string name; ///< "Linear_0"
};

/** @return "Linear_0" of "nn.Module: Linear_0"; empty if @p name is no module's call */
std::string ModuleOfCall(const std::string& name);

/**
 * @return "encoder.fc" of "TOP(Net)::forward.encoder(Block)::forward.fc(Linear)::forward.", which
 * with_modules records of TorchScript; empty if no module below the model is in it
 */
std::string ModuleOfHierarchy(const std::string& hierarchy);

/** Names operators that have no module yet by the innermost call that they begin in, on their thread. */
void NameForwards(TorchRecording& recording, std::vector<ModuleCall> calls);

} // namespace inca

#endif // INCA_IMPORT_MODULE_NAMES_H
