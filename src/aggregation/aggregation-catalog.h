/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_AGGREGATION_AGGREGATION_CATALOG_H
#define INCA_AGGREGATION_AGGREGATION_CATALOG_H

#include "inca/aggregation/aggregation-client.h"
#include "inca/aggregation/aggregation-program.h"
#include "inca/base/catalog.h"

#include "ns3/ptr.h"

#include <functional>
#include <string>

namespace inca
{

/** One row per aggregation program: a new one is a file pair for each side and a row. */
struct AggregationEntry
{
    std::string name;                                          ///< by which settings choose it
    std::string meaning;                                       ///< for people who look at the list
    std::function<ns3::Ptr<AggregationProgram>()> makeProgram; ///< what a switch runs
    std::function<ns3::Ptr<AggregationClient>()> makeClient;   ///< a worker's side of it
    bool isExtension{false}; ///< registered, no program of INCA's own
};

/** INCA's own aggregation programs, and those that a program registers. */
Catalog<AggregationEntry>& AggregationCatalog();

} // namespace inca

#endif // INCA_AGGREGATION_AGGREGATION_CATALOG_H
