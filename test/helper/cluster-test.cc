/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/cluster.h"

#include "helper/time-resolution.h"
#include "helper/topology-helper.h"
#include "topology/topology-catalog.h"

#include "ns3/simulator.h"

#include <gtest/gtest.h>

#include <sstream>

namespace inca
{

namespace
{

std::string
TextOf(ns3::Mac48Address address)
{
    std::ostringstream text;
    text << address;
    return text.str();
}

} // namespace

TEST(Cluster, NumbersHostsAndSwitchesApart)
{
    EXPECT_EQ(TextOf(HostAddress(0)), "02:00:00:00:00:01");
    EXPECT_EQ(TextOf(HostAddress(65'535)), "02:00:00:01:00:00");
    EXPECT_EQ(TextOf(SwitchAddress(0)), "02:01:00:00:00:00");
    EXPECT_EQ(TextOf(SwitchAddress(258)), "02:01:00:00:01:02");
}

/* Racks of 3 and 2: host 4 is the second of rack 1. Its port sends as fast as its NIC. */
TEST(Cluster, KnowsWhereHostsArePluggedIn)
{
    SetPicosecondResolution();
    TopologySpec spec;
    spec.name = "rack-pair";
    spec.hosts = 5;
    TopologyHelper helper;
    helper.SetHostRate(4, ns3::DataRate("2Gbps"));
    const auto cluster = helper.Install(MakeTopology(spec));
    EXPECT_EQ(cluster.SwitchOf(2), cluster.switches[0]);
    EXPECT_EQ(cluster.SwitchOf(4), cluster.switches[1]);
    EXPECT_EQ(cluster.PortTo(4), cluster.switches[1]->GetPort(1));
    EXPECT_EQ(cluster.PortTo(4)->BitsPerSecond(), 2'000'000'000U);
    EXPECT_EQ(cluster.PortTo(3)->BitsPerSecond(), 10'000'000'000U);
    EXPECT_EQ(TextOf(cluster.Address(4)), TextOf(HostAddress(4)));
    EXPECT_EQ(cluster.Devices().GetN(), 5U);
    ns3::Simulator::Destroy();
}

} // namespace inca
