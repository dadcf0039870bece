/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/switch-checks.h"

#include "base/units.h"
#include "base/wire-format.h"
#include "scenario/key-text.h"
#include "scenario/specs.h"

#include <fmt/format.h>

namespace inca
{

namespace
{

using Found = std::vector<WholeComplaint>;

constexpr std::uint64_t g_copies = 2; ///< of every slot: one fills while the other is kept

/** "switch-tree": exchanges that add as @p entry does, but in as many switches as there are. */
std::string
NamesForSeveral(const ExchangeEntry& entry)
{
    std::vector<std::string> names;
    for (const auto& other : ExchangeCatalog())
    {
        if (other.aggregation == entry.aggregation && !other.inOneSwitch)
        {
            names.push_back(other.name);
        }
    }
    return JoinNames(names);
}

/** A tree is more than one switch, and only its exchange knows how to make one. */
void
CheckOneSwitch(const Scenario& s, Found& found)
{
    const auto& exchange = FindExchange(s.exchange.algorithm);
    if (exchange.inOneSwitch && HasTrunks(s))
    {
        found.push_back({"exchange.algorithm",
                         fmt::format("{} adds in one switch, and a {} has several; {} adds in all "
                                     "that are needed",
                                     exchange.name,
                                     s.cluster.topology,
                                     NamesForSeveral(exchange)),
                         {"cluster.topology"}});
    }
}

void
CheckNoCodec(const Scenario& s, Found& found)
{
    if (HasCodec(s) && !HasSketch(s))
    {
        found.push_back(
            {"codec.name",
             fmt::format("must be none or homomorphic with exchange.algorithm = \"{}\": switches "
                         "add numbers, not the stream of {}",
                         s.exchange.algorithm,
                         s.codec.name),
             {"exchange.algorithm"}});
    }
}

/** With that, cluster.buffer holds the frame as well: it holds the largest that the MTU allows. */
void
CheckPacket(const Scenario& s, Found& found)
{
    const auto values = s.inSwitch.valuesPerPacket;
    const auto bytes = AGGREGATION_HEADER_BYTES + values * VALUE_BYTES;
    if (bytes > s.cluster.mtu)
    {
        found.push_back({"switch.values_per_packet",
                         fmt::format("{} values make an IP packet of {} + {} * {} = {} bytes, "
                                     "cluster.mtu is {}; {} values fit",
                                     values,
                                     AGGREGATION_HEADER_BYTES,
                                     VALUE_BYTES,
                                     values,
                                     bytes,
                                     s.cluster.mtu,
                                     (s.cluster.mtu - AGGREGATION_HEADER_BYTES) / VALUE_BYTES),
                         {"exchange.algorithm", "cluster.mtu"}});
    }
}

void
CheckMemory(const Scenario& s, Found& found)
{
    const auto slots = s.inSwitch.slots;
    const auto slotBytes = g_copies * s.inSwitch.valuesPerPacket * VALUE_BYTES;
    const auto memory = s.inSwitch.memoryBytes;
    if (slots * slotBytes > memory)
    {
        found.push_back({"switch.slots",
                         fmt::format("{} slots of {} copies of {} values need {}, switch.memory "
                                     "is {}; {} slots fit",
                                     slots,
                                     g_copies,
                                     s.inSwitch.valuesPerPacket,
                                     FormatBytes(slots * slotBytes),
                                     FormatBytes(memory),
                                     memory / slotBytes),
                         {"exchange.algorithm", "switch.values_per_packet", "switch.memory"}});
    }
}

} // namespace

std::vector<WholeComplaint>
SwitchComplaints(const Scenario& scenario)
{
    Found found;
    if (SumsInNetwork(scenario))
    {
        CheckOneSwitch(scenario, found);
        CheckNoCodec(scenario, found);
        CheckPacket(scenario, found);
        CheckMemory(scenario, found);
    }
    return found;
}

} // namespace inca
