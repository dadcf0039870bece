/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_COLLECTIVE_NAME_H
#define INCA_IMPORT_COLLECTIVE_NAME_H

#include "import/import-report.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** "ALL_REDUCE", "all_reduce", "allreduce" are "allreduce". */
std::string NormalisedCollective(const std::string& name);

/** What PyTorch's process groups and PARAM's benchmarks call collectives, normalised. */
const std::vector<std::string>& KnownCollectives();

/** @return whether it moves nothing: a wait, a barrier, ...; by its normalised name */
bool IsSilent(const std::string& collective);

/** Says of a normalised name that is none of the known ones that it is. @param prefix its place */
void CheckCollective(const std::string& prefix,
                     const std::string& collective,
                     ImportReport& report);

/** @return whether its result is a sum: an all-reduce or reduce-scatter, by its normalised name */
bool IsSum(const std::string& collective);

/** Says what a sum of gradients that is no all-reduce is taken for. */
void AssumeOfSum(const std::string& collective, ImportReport& report);

/** @return why a collective is not in the trace */
std::string WhyCollectiveLeftOut(const std::string& collective, std::uint64_t bytes);

} // namespace inca

#endif // INCA_IMPORT_COLLECTIVE_NAME_H
