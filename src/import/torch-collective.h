/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_TORCH_COLLECTIVE_H
#define INCA_IMPORT_TORCH_COLLECTIVE_H

#include "import/import-report.h"
#include "import/json-members.h"
#include "import/torch-recording.h"

#include <cstdint>
#include <optional>
#include <string>

namespace inca
{

/** What PyTorch calls the parts of a collective: an execution trace and a profile differ. */
struct TorchCollectiveKeys
{
    const char* name;
    const char* type;
    const char* elements;
    const char* group;
    const char* groupSize;
};

extern const TorchCollectiveKeys EXECUTION_TRACE_KEYS;
extern const TorchCollectiveKeys KINETO_KEYS;

/**
 * @param members with those keys
 * @return the collective; nothing if that names none, or only waits or moves nothing
 * @throws InputError if its size or type is none, or its name is unknown
 */
std::optional<TorchCollective> TorchCollectiveOf(const JsonPlace& place,
                                                 const Json& members,
                                                 const TorchCollectiveKeys& keys,
                                                 ImportReport& report);

/** @return "allreduce" of "gloo:all_reduce"; empty if @p name is no backend's */
std::string CollectiveOfBackend(const std::string& name);

/**
 * @return whether a gradient of @p shape is no dense tensor, so that nothing sums it with others: of an
 * embedding that makes sparse gradients, PyTorch records neither dimensions nor a type
 */
bool IsNoTensor(const Json& shape, const std::string& type);

/** Elements of one row of a tensor of @p shape: of all but its first dimension; 1 if there is no other. */
std::uint64_t ElementsOfRow(const Json& shape);

/** Elements of a tensor of @p shape, a list of numbers; 0 if it is none, or unknown. */
std::uint64_t ElementsOfShape(const Json& shape);

} // namespace inca

#endif // INCA_IMPORT_TORCH_COLLECTIVE_H
