/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_AGGREGATION_AGGREGATION_CATALOG_H
#define INCA_AGGREGATION_AGGREGATION_CATALOG_H

#include "aggregation/aggregation-client.h"
#include "aggregation/aggregation-program.h"

#include "ns3/ptr.h"

#include <functional>
#include <string>
#include <vector>

namespace inca
{

/** One row per aggregation program: a new one is a file pair for each side and a row. */
struct AggregationEntry
{
    std::string name;
    std::string meaning;
    std::function<ns3::Ptr<AggregationProgram>()> makeProgram;
    std::function<ns3::Ptr<AggregationClient>()> makeClient;
    bool isExtension{false}; ///< registered, no program of INCA's own
};

/**
 * Adds an aggregation program, before anything looks for one.
 * @throws InputError if the name is taken or is none, or one was looked for already
 */
void RegisterAggregation(AggregationEntry entry);

const std::vector<AggregationEntry>& AggregationCatalog();

/** @throws InputError if the name is unknown */
const AggregationEntry& FindAggregation(const std::string& name);

} // namespace inca

#endif // INCA_AGGREGATION_AGGREGATION_CATALOG_H
