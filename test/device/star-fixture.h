/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_MODEL_STAR_FIXTURE_H
#define INCA_TEST_MODEL_STAR_FIXTURE_H

#include "helper/time-resolution.h"
#include "helper/topology-helper.h"
#include "support/install.h"
#include "transport/transport.h"

#include "ns3/error-model.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <vector>

namespace inca
{

/**
 * Hosts around one switch: 10 Gb/s, 1 us per link, MTU 1500. A full frame is 1538 bytes,
 * 1230.4 ns; an acknowledgement 84 bytes, 67.2 ns.
 */
class StarFixture : public testing::Test
{
  protected:
    StarFixture()
    {
        SetPicosecondResolution();
    }

    /** For other hosts. */
    void Forget()
    {
        TearDown();
        nics.clear();
        links.clear();
        transports.clear();
        arrivals.clear();
        leftPs.clear();
    }

    void TearDown() override
    {
        ns3::Simulator::Destroy();
    }

    static ns3::Mac48Address Address(std::size_t host)
    {
        return HostAddress(static_cast<std::uint32_t>(host));
    }

    /** Builds @p count hosts; @p settle sets attributes of each. */
    void Hosts(std::size_t count,
               const std::function<void(Nic&, SwitchPort&, Transport&)>& settle = {})
    {
        TopologyPlan plan;
        plan.switches = {{"switch", 0}};
        plan.hostSwitch.assign(count, 0);
        const auto cluster = TopologyHelper().Install(plan);
        hub = cluster.switches[0];
        nics = cluster.nics;
        links = cluster.links;
        for (const auto& transport : cluster.transports)
        {
            transports.push_back(ns3::DynamicCast<Transport>(transport));
        }
        for (std::size_t host = 0; host < count; ++host)
        {
            transports[host]->SetReceiver(JobId(), [this, host](ReceivedMessage message) {
                arrivals.push_back({host, NowPs(), std::move(message)});
            });
            if (settle)
            {
                settle(*nics[host], *hub->GetPort(host), *transports[host]);
            }
        }
    }

    /** Sets an attribute of every host's path. */
    void HostPaths(const std::string& name, const ns3::AttributeValue& value)
    {
        for (const auto& nic : nics)
        {
            HostPath::Of(nic->GetNode())->SetAttribute(name, value);
        }
    }

    /** Sends a message without values; notes when it has left. */
    void Send(std::size_t from, std::size_t to, std::uint64_t plainBytes, std::uint32_t ordinal = 0)
    {
        Message message;
        message.to = Address(to);
        message.tag.ordinal = ordinal;
        message.plainBytes = plainBytes;
        Send(from, std::move(message));
    }

    void Send(std::size_t from, Message message)
    {
        transports[from]->Send(std::move(message), [this] { leftPs.push_back(NowPs()); });
    }

    /** Loses the frames of these ordinals, from 0, of what @p fromSide (0: the host) transmits. */
    void Lose(std::size_t host, unsigned fromSide, const std::list<std::uint32_t>& ordinals)
    {
        auto losses = ns3::CreateObject<ns3::ReceiveListErrorModel>();
        losses->SetList(ordinals);
        links[host]->SetErrorModel(fromSide, losses);
    }

    static std::int64_t NowPs()
    {
        return ns3::Simulator::Now().GetTimeStep();
    }

    std::uint64_t Retransmitted() const
    {
        std::uint64_t frames = 0;
        for (const auto& transport : transports)
        {
            frames += transport->RetransmittedFrames();
        }
        return frames;
    }

    /** A message that arrived, and when. */
    struct Arrival
    {
        std::size_t host;
        std::int64_t timePs;
        ReceivedMessage message;
    };

    ns3::Ptr<Switch> hub;
    std::vector<ns3::Ptr<Nic>> nics;
    std::vector<ns3::Ptr<Link>> links;
    std::vector<ns3::Ptr<Transport>> transports;
    std::vector<std::int64_t> leftPs;
    std::vector<Arrival> arrivals;
};

} // namespace inca

#endif // INCA_TEST_MODEL_STAR_FIXTURE_H
