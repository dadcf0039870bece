/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_MODEL_STAR_FIXTURE_H
#define INCA_TEST_MODEL_STAR_FIXTURE_H

#include "device/nic.h"
#include "device/switch.h"
#include "transport/host-path.h"
#include "transport/transport.h"

#include "ns3/error-model.h"
#include "ns3/node.h"
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
 * Hosts around one switch, wired by hand: 10 Gb/s, 1 us per link, MTU 1500. A full frame is 1538 bytes,
 * 1230.4 ns; an acknowledgement 84 bytes, 67.2 ns.
 */
class StarFixture : public testing::Test
{
  protected:
    StarFixture()
    {
        if (ns3::Time::GetResolution() != ns3::Time::PS)
        {
            ns3::Time::SetResolution(ns3::Time::PS);
        }
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
        const std::uint8_t bytes[6]{2, 0, 0, 0, 0, static_cast<std::uint8_t>(host + 1)};
        ns3::Mac48Address address;
        address.CopyFrom(bytes);
        return address;
    }

    /** Builds @p count hosts; @p settle sets attributes of each before it is plugged in. */
    void Hosts(std::size_t count,
               const std::function<void(Nic&, SwitchPort&, Transport&)>& settle = {})
    {
        hub = ns3::CreateObject<Switch>();
        ns3::CreateObject<ns3::Node>()->AggregateObject(hub);
        for (std::size_t host = 0; host < count; ++host)
        {
            AddHost(host, settle);
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

  private:
    void AddHost(std::size_t host, const std::function<void(Nic&, SwitchPort&, Transport&)>& settle)
    {
        auto nic = ns3::CreateObject<Nic>();
        auto port = ns3::CreateObject<SwitchPort>();
        auto transport = ns3::CreateObject<Transport>();
        if (settle)
        {
            settle(*nic, *port, *transport);
        }
        auto link = ns3::CreateObject<Link>();
        ns3::CreateObject<ns3::Node>()->AddDevice(nic);
        nic->SetAddress(Address(host));
        nic->Attach(link);
        hub->Learn(Address(host), hub->AddPort(port, link));
        transport->SetNic(nic);
        transport->SetReceiver(JobId(), [this, host](ReceivedMessage message) {
            arrivals.push_back({host, NowPs(), std::move(message)});
        });
        nics.push_back(nic);
        links.push_back(link);
        transports.push_back(transport);
    }
};

} // namespace inca

#endif // INCA_TEST_MODEL_STAR_FIXTURE_H
