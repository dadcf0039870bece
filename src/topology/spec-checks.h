/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TOPOLOGY_SPEC_CHECKS_H
#define INCA_TOPOLOGY_SPEC_CHECKS_H

#include "topology/topology-spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** Complaints of a spec: "key: text" each, as TopologyEntry wants them. */
using SpecComplaints = std::vector<std::string>;

/** Complains of less than 2 hosts, and of more than 131,072: 65,536 workers and as many servers. */
void CheckHosts(const TopologySpec& spec, SpecComplaints& complaints);

/** Complains of @p value outside @p fewest .. @p most. */
void CheckRange(const std::string& key,
                std::uint32_t value,
                std::uint32_t fewest,
                std::uint32_t most,
                SpecComplaints& complaints);

} // namespace inca

#endif // INCA_TOPOLOGY_SPEC_CHECKS_H
