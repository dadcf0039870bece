/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_WORKLOAD_HEADER_H
#define INCA_IMPORT_WORKLOAD_HEADER_H

#include "base/errors.h"
#include "import/import-report.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** What the first line of a workload of ASTRA-sim 1 or SimAI says. */
struct WorkloadHeader
{
    std::string policy;
    std::optional<std::uint64_t> workers; ///< that exchange gradients; nothing: it does not say
};

/** The policies of parallelism that a workload, or one of its layers, may name. */
const std::vector<std::string>& WorkloadPolicies();

/** @return whether @p word is one of WorkloadPolicies() */
bool IsWorkloadPolicy(const std::string& word);

/**
 * Reads "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 ...": what data-parallel
 * workers do not exchange is left out, keys that are not known are told.
 * @param words of the line
 * @param place of the line
 * @throws InputError of @p place if the first word is no policy, or a key's number is none
 */
WorkloadHeader ReadWorkloadHeader(const std::vector<std::string>& words,
                                  const InputPlace& place,
                                  ImportReport& report);

} // namespace inca

#endif // INCA_IMPORT_WORKLOAD_HEADER_H
