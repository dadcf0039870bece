/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A topology of one's own: two switches with two workers each, joined by a slower trunk. Where ns-3 is built with logs, try
//   LogComponentEnable("IncaTopologyHelper", LOG_LEVEL_FUNCTION), or IncaSwitch.
#include "ns3/inca-module.h"

#include <iostream>

namespace
{

/** Who is wired to whom. Flows go up to where both hosts are below, and down again. */
inca::TopologyPlan
TwoRacks()
{
    constexpr std::uint32_t upper = 0;
    constexpr std::uint32_t lower = 1;
    inca::TopologyPlan plan;
    plan.name = "two racks";
    plan.switches = {{"upper rack", 1}, {"lower rack", 0}}; // names and tiers
    plan.hostSwitch = {upper, upper, lower, lower};         // by host
    plan.trunks = {{lower, upper, true}};                   // true: frames for everybody take it
    return plan;
}

void
PrintEnd(inca::Rank worker, std::uint32_t /*exchange*/)
{
    std::cout << "worker " << worker << " has the sum of 10 MB at "
              << ns3::Simulator::Now().As(ns3::Time::MS) << "\n";
}

} // namespace

int
main(int argc, char** argv)
{
    inca::SetPicosecondResolution();
    const auto plan = TwoRacks();
    ns3::CommandLine command(__FILE__);
    std::string trunk = "2.5Gbps";
    command.AddValue("trunk", "rate between the switches", trunk);
    command.Parse(argc, argv);

    inca::TrainingHelper training;
    training.SetAttribute("Trace", ns3::StringValue("tensor:10MB"));
    inca::TopologyHelper helper;
    helper.SetNicAttribute("DataRate", ns3::StringValue("10Gbps"));
    helper.SetTrunkRate(ns3::DataRate(trunk));
    const auto ranks = training.Install(helper.Install(plan).hosts);
    for (auto rank = ranks.Begin(); rank != ranks.End(); ++rank)
    {
        (*rank)->TraceConnectWithoutContext("ExchangeEnd", ns3::MakeCallback(&PrintEnd));
    }
    ns3::Simulator::Run();
    ns3::Simulator::Destroy();
}
