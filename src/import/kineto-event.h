/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_KINETO_EVENT_H
#define INCA_IMPORT_KINETO_EVENT_H

#include "import/json-members.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** What an event's category makes of it. */
enum class KinetoClass
{
    OPERATOR, ///< of PyTorch on the CPU, or a range of the user's
    DEVICE,   ///< work of a GPU
    LAUNCH,   ///< a call of its driver
    PYTHON,   ///< a call of Python's
    OTHER,
};

/** @return nothing if it is none of Kineto's categories */
std::optional<KinetoClass> KinetoClassOf(const std::string& category);

/** All categories, for hints. */
const std::vector<std::string>& KinetoCategories();

/** @return whether Chrome's format has events of a phase that Kineto writes and that have no duration */
bool IsPhaseWithoutDuration(const std::string& phase);

/** Keys that events have. */
const std::vector<std::string>& KinetoEventKeys();

/** @return how many of an event's args are never looked at */
std::size_t CountOtherArgs(const Json& args);

/** By NCCL's and RCCL's names, or by what the profiler says of it. @param args null: none */
bool IsCollectiveKernel(const std::string& name, const Json* args);

} // namespace inca

#endif // INCA_IMPORT_KINETO_EVENT_H
