/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/switch-checks.h"

#include "base/value-text.h"
#include "scenario/specs.h"

#include <fmt/format.h>

namespace inca
{

namespace
{

using Found = std::vector<KeyComplaint>;

/** {"switch-tree"}: exchanges that add as @p entry does, but in as many switches as there are. */
std::vector<std::string>
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
    return names;
}

/** A tree is more than one switch, and only its exchange knows how to make one. */
void
CheckOneSwitch(const Scenario& s, Found& found)
{
    const auto& exchange = FindExchange(s.exchange.algorithm);
    if (exchange.inOneSwitch && HasTrunks(s))
    {
        const auto names = NamesForSeveral(exchange);
        std::vector<Remedy> remedies{{"cluster.topology", "star"}};
        if (!names.empty())
        {
            remedies.insert(remedies.begin(), {"exchange.algorithm", names.front()});
        }
        found.push_back({"exchange.algorithm",
                         fmt::format("{} adds in one switch, and a {} has several; {} adds in all "
                                     "that are needed",
                                     exchange.name,
                                     s.cluster.topology,
                                     JoinNames(names)),
                         {"cluster.topology"},
                         remedies});
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
             {"exchange.algorithm"},
             {{"codec.name", "none"}, {"exchange.algorithm", "ring"}}});
    }
}

} // namespace

std::vector<KeyComplaint>
SwitchComplaints(const Scenario& scenario)
{
    Found found;
    if (SumsInNetwork(scenario))
    {
        CheckOneSwitch(scenario, found);
        CheckNoCodec(scenario, found);
        const auto more = MakeScheme(scenario)->Complaints();
        found.insert(found.end(), more.begin(), more.end());
    }
    return found;
}

} // namespace inca
