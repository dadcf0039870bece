/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_HELPER_STAR_HELPER_H
#define INCA_HELPER_STAR_HELPER_H

#include "helper/topology-helper.h"

#include <cstdint>

namespace inca
{

/** The simplest topology: hosts around one switch, whose port i leads to host i. */
class StarHelper : public TopologyHelper
{
  public:
    using TopologyHelper::Install;

    /**
     * Builds @p hosts nodes and a switch.
     * @throws InputError for less than 2 hosts, or if ns-3 does not count picoseconds
     */
    Cluster Install(std::uint32_t hosts) const;

    /** The same around @p nodes, which may have anything else already. */
    Cluster Install(const ns3::NodeContainer& nodes) const;
};

} // namespace inca

#endif // INCA_HELPER_STAR_HELPER_H
