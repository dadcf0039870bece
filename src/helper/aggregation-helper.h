/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_HELPER_AGGREGATION_HELPER_H
#define INCA_HELPER_AGGREGATION_HELPER_H

#include "helper/cluster.h"

#include <cstdint>
#include <string>

namespace inca
{

/**
 * Puts the aggregation program @p name on every switch of @p cluster's aggregation tree, and its
 * client on each of the first @p workers hosts. Their attributes have their defaults.
 * @throws InputError if there is no such program, or a switch's memory is too small for it
 */
void InstallAggregation(Cluster& cluster, const std::string& name, std::uint32_t workers);

} // namespace inca

#endif // INCA_HELPER_AGGREGATION_HELPER_H
