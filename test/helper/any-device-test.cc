/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Ranks over the Internet stacks of ns-3's nodes, whatever their devices, and codecs that are said once.
#include "helper/job-fixture.h"

#include "ns3/bridge-helper.h"
#include "ns3/double.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/simple-net-device-helper.h"
#include "support/float-words.h"
#include "support/why-not.h"

#include <map>

namespace inca
{

class AnyDevice : public JobFixture
{
  protected:
    static constexpr std::uint64_t ELEMENTS{100'000};

    AnyDevice()
    {
        ns3::Config::SetDefault("ns3::ArpL3Protocol::RequestJitter", // else of up to 10 ms
                                ns3::StringValue("ns3::ConstantRandomVariable[Constant=0]"));
        link.SetDeviceAttribute("DataRate", ns3::StringValue("1Gbps"));
        link.SetChannelAttribute("Delay", ns3::StringValue("10us"));
    }

    /** Worker w's value at position p is 100 w + p: W workers come to 100 (W - 1) W / 2 + W p, which fp32 holds. */
    static std::shared_ptr<TrainingJob> Job(const std::string& exchange,
                                            Rank workers,
                                            std::uint64_t elements = ELEMENTS)
    {
        auto job = MakeTensorJob(Exchange(exchange, workers), elements);
        job->ownGradient = [](Rank rank, ElementRange range, float* out) {
            for (std::uint64_t i = 0; i < range.count; ++i)
            {
                out[i] = static_cast<float>(100 * rank + range.begin + i);
            }
        };
        return job;
    }

    /** Runs what is installed. @return when the last rank has its sums, each of which is right (ps) */
    std::int64_t RunToSums(const ns3::ApplicationContainer& installed,
                           Rank workers,
                           std::uint64_t elements = ELEMENTS)
    {
        std::map<Rank, std::vector<float>> sums;
        std::int64_t endPs = 0;
        for (const auto& rank : RanksOf(installed))
        {
            rank->SetValueSink([&](Rank from, std::uint32_t, const ExchangeOutcome& outcome) {
                std::vector<Word> words(elements);
                outcome.values->Read({0, elements}, words.data());
                sums[from] = ToFloats(words);
                endPs = ns3::Simulator::Now().GetTimeStep();
            });
        }
        ns3::Simulator::Stop(ns3::Seconds(60));
        ns3::Simulator::Run();
        for (Rank worker = 0; worker < workers; ++worker)
        {
            EXPECT_EQ(sums[worker].size(), elements) << worker;
            for (std::uint64_t p = 0; p < sums[worker].size(); p += 997)
            {
                EXPECT_EQ(sums[worker][p],
                          static_cast<float>(50 * (workers - 1) * workers + workers * p))
                    << worker;
            }
        }
        return endPs;
    }

    ns3::Ipv4InterfaceContainer Connect(const ns3::NodeContainer& nodes, const char* network)
    {
        ns3::Ipv4AddressHelper addresses(network, "255.255.255.0");
        return addresses.Assign(link.Install(nodes));
    }

    ns3::SimpleNetDeviceHelper link;
};

/* Two workers, a link between them: each of two steps takes 200,000 bytes at 1 Gb/s one way, in 139 segments of 1448 bytes
 * and 66 to 70 more around each. With the handshake, of which each way takes 10 us, ARP, and slow start from 10 segments over
 * round trips of 20 us and more, during which less than 70 us are idle: 2 x (1.6 ms + 5 %) and 2 x 0.2 ms at most. */
TEST_F(AnyDevice, ANodeNeedsAnInternetStackAndNothingElse)
{
    for (const bool byAddress : {false, true})
    {
        ns3::NodeContainer nodes;
        nodes.Create(2);
        ns3::InternetStackHelper().Install(nodes);
        const auto addresses = Connect(nodes, "10.1.1.0");
        const TrainingHelper training(Job("ring", 2));
        const auto endPs =
            RunToSums(byAddress ? training.Install(addresses) : training.Install(nodes), 2);
        EXPECT_GT(endPs, 2 * 1'600 * US);
        EXPECT_LT(endPs, 2 * (1'680 + 200) * US);
        ns3::Simulator::Destroy();
    }
}

/* Two LANs of a bridge, with a router between them: of all exchanges, and with several sockets. */
TEST_F(AnyDevice, RanksAreBehindBridgesAndRouters)
{
    for (const auto* exchange : {"ring", "tree", "worker-aggregator", "two-shot"})
    {
        SCOPED_TRACE(exchange);
        ns3::NodeContainer hosts;
        hosts.Create(4);
        const auto router = ns3::CreateObject<ns3::Node>();
        ns3::InternetStackHelper stack;
        stack.Install(hosts);
        stack.Install(router);
        for (std::uint32_t lan = 0; lan < 2; ++lan)
        {
            const auto bridge = ns3::CreateObject<ns3::Node>();
            ns3::NetDeviceContainer ports;
            ns3::NetDeviceContainer ends;
            for (const auto& node : {hosts.Get(2 * lan), hosts.Get(2 * lan + 1), router})
            {
                const auto both = link.Install(ns3::NodeContainer(node, bridge));
                ends.Add(both.Get(0));
                ports.Add(both.Get(1));
            }
            ns3::BridgeHelper().Install(bridge, ports);
            ns3::Ipv4AddressHelper addresses(lan == 0 ? "10.1.1.0" : "10.1.2.0", "255.255.255.0");
            addresses.Assign(ends);
        }
        ns3::Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        const bool hasAggregator = std::string(exchange) == "worker-aggregator";
        const Rank workers = hasAggregator ? 3 : 4;
        TrainingHelper training(Job(exchange, workers));
        training.SetTransportAttribute("Sockets", ns3::UintegerValue(2));
        EXPECT_GT(RunToSums(training.Install(hosts), workers), 0);
        ns3::Simulator::Destroy();
    }
}

/* A codec on hosts takes what TCP carries down: truncated to 16 bits, 2 of 4 bytes. One in NICs has no NIC here. */
TEST_F(AnyDevice, CodecsRunOnHosts)
{
    std::vector<std::int64_t> byCodecPs;
    for (const auto* codec : {"none", "truncate"})
    {
        ns3::NodeContainer nodes;
        nodes.Create(2);
        ns3::InternetStackHelper().Install(nodes);
        Connect(nodes, "10.1.1.0");
        TrainingHelper training;
        training.SetAttribute("Trace", ns3::StringValue("tensor:4MB"));
        training.SetCodec(codec, "Placement", ns3::StringValue("host"));
        std::int64_t endPs = 0;
        for (const auto& rank : RanksOf(training.Install(nodes)))
        {
            rank->TraceConnectWithoutContext(
                "ExchangeEnd", ns3::Callback<void, Rank, std::uint32_t>([&](Rank, std::uint32_t) {
                    endPs = ns3::Simulator::Now().GetTimeStep();
                }));
        }
        ns3::Simulator::Run();
        ns3::Simulator::Destroy();
        byCodecPs.push_back(endPs);
    }
    EXPECT_NEAR(static_cast<double>(byCodecPs[0]) / static_cast<double>(byCodecPs[1]), 2, 0.05);
    ns3::NodeContainer nodes;
    nodes.Create(2);
    ns3::InternetStackHelper().Install(nodes);
    Connect(nodes, "10.1.1.0");
    TrainingHelper training;
    training.SetCodec("inceptionn");
    EXPECT_EQ(
        WhyNot([&] { training.Install(nodes); }),
        "codecs in NICs need INCA's NICs and a transport of frames; over TCP they run on hosts "
        "(inca::CodecFactory::Placement)");
}

TEST_F(AnyDevice, SaysWhatIsMissing)
{
    ns3::NodeContainer nodes;
    nodes.Create(2);
    const auto number = std::to_string(nodes.Get(0)->GetId());
    EXPECT_EQ(
        WhyNot([&] { TrainingHelper(Job("ring", 2)).Install(nodes); }),
        "node " + number +
            " has neither an inca::Nic (TopologyHelper) nor an Internet stack with an address");
    const auto star = StarHelper().Install(3);
    ns3::InternetStackHelper().Install(nodes);
    Connect(nodes, "10.1.1.0");
    EXPECT_EQ(
        WhyNot([&] {
            TrainingHelper(Job("ring", 3)).Install(ns3::NodeContainer(nodes, star.hosts.Get(0)));
        }),
        "some nodes have an inca::Nic, and others do not: give the addresses of all");
    TrainingHelper training(Job("ring", 3, 10));
    training.SetCodec("inceptionn"); // values travel: they tell how large they are
    EXPECT_EQ(WhyNot([&] { training.Install(star.Devices()); }), "");
    EXPECT_TRUE(star.nics[2]->Compression());
    TrainingHelper sizesOnly(MakeTensorJob(Exchange("ring", 3), 10));
    sizesOnly.SetCodec("inceptionn");
    EXPECT_EQ(WhyNot([&] { sizesOnly.Install(StarHelper().Install(3).hosts); }),
              "inca::CodecFactory::MeanBits: nothing tells what a value takes in codec inceptionn: "
              "set it, let the job have a "
              "trace, or values (TrainingJob::ownGradient)");
    const auto other = Job("ring", 3, 10);
    other->id = JobId(1);
    TrainingHelper another(other);
    another.SetCodec("truncate");
    EXPECT_EQ(WhyNot([&] { another.Install(star.Devices()); }),
              "a NIC has engines with another codec already");
    EXPECT_EQ(WhyNot([] {
                  TrainingHelper sketches;
                  sketches.SetCodec("homomorphic");
                  sketches.Install(StarHelper().Install(2).hosts);
              }),
              "inca::CodecFactory::Name: homomorphic codes whole buckets (MakeSketchCoding, "
              "JobChunk::coding)");
}

/* In a program that does not catch, it ends as one of ns-3's models does. */
TEST_F(AnyDevice, EndsTheProgram)
{
    EXPECT_DEATH(
        {
            g_throwsSetUpErrors = false;
            TrainingHelper training;
            training.SetAttribute("Exchange", ns3::StringValue("rign"));
            training.Install(StarHelper().Install(2).hosts);
        },
        "rign");
}

} // namespace inca
