/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// All attributes and trace sources that docs/reference/attributes.md lists do what it says of them, in small networks.
#include "aggregation/aggregation-client.h"
#include "aggregation/aggregation-program.h"
#include "device/random-loss.h"
#include "helper/job-fixture.h"
#include "rank/worker-application.h"
#include "support/end-of.h"
#include "topology/topology-catalog.h"
#include "transport/linux-tcp-socket.h"
#include "transport/transport.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/integer.h"
#include "ns3/node-list.h"
#include "ns3/object-factory.h"
#include "ns3/object-ptr-container.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>

#include <unistd.h>

#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace inca
{

namespace
{

using Value = ns3::Ptr<const ns3::AttributeValue>;

constexpr std::uint64_t g_values{25'000}; ///< of jobs with values

/** What a run did, by the name of what told it. */
using Firings = std::map<std::string, std::uint64_t>;

/** A listed attribute, by its full path. */
struct Attribute
{
    ns3::TypeId type;
    ns3::TypeId::AttributeInformation info;

    std::string Path() const
    {
        return type.GetName() + "::" + info.name;
    }

    std::string ValueType() const
    {
        const auto name =
            info.checker->GetValueTypeName(); // from ns-3.41 on "ns3::EnumValue<type>"
        const auto bare = name.substr(0, name.find('<'));
        return bare.substr(bare.rfind(':') + 1);
    }
};

template <typename Action>
void
ForEachOwnType(const Action& action)
{
    for (std::uint16_t i = 0; i < ns3::TypeId::GetRegisteredN(); ++i)
    {
        const auto type = ns3::TypeId::GetRegistered(i);
        if (type.GetName().rfind("inca::", 0) == 0)
        {
            action(type);
        }
    }
}

/** Those that a value can be given to: not lists of objects. */
std::vector<Attribute>
AllListed()
{
    std::vector<Attribute> all;
    ForEachOwnType([&all](const ns3::TypeId& type) {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            if (const auto info = type.GetAttribute(i); info.accessor->HasSetter())
            {
                all.push_back({type, info});
            }
        }
    });
    return all;
}

template <typename ValueOf, typename... T>
std::vector<Value>
ValuesOf(T... of)
{
    return {ns3::Create<ValueOf>(of)...};
}

/** All values of an enumeration: ns-3's own asserts end the program at others. */
std::vector<Value>
NamesOf(const Attribute& attribute)
{
    std::vector<Value> names;
    std::istringstream all(attribute.info.checker->GetUnderlyingTypeInformation());
    for (std::string name; std::getline(all, name, '|');)
    {
        names.push_back(ns3::Create<ns3::StringValue>(name));
    }
    return names;
}

/** Of each type of values some that are common, some of which fit. */
std::vector<Value>
CommonValues(const Attribute& attribute)
{
    if (attribute.ValueType() == "EnumValue")
    {
        return NamesOf(attribute);
    }
    static const std::map<std::string, std::vector<Value>> all{
        {"UintegerValue", ValuesOf<ns3::UintegerValue>(2U, 1U, 1000U)},
        {"IntegerValue", ValuesOf<ns3::IntegerValue>(3)},
        {"DoubleValue", ValuesOf<ns3::DoubleValue>(0.5)},
        {"BooleanValue", ValuesOf<ns3::BooleanValue>(false, true)},
        {"TimeValue", ValuesOf<ns3::TimeValue>(ns3::MicroSeconds(30), ns3::MicroSeconds(3))},
        {"DataRateValue", ValuesOf<ns3::DataRateValue>(ns3::DataRate("1Gbps"))},
        {"StringValue", ValuesOf<ns3::StringValue>("fp32", "block", "300MHz")}};
    return all.at(attribute.ValueType());
}

/** ns-3's own asserts end the program at sums of times that are beyond the longest. */
ns3::Time
Longest()
{
#ifdef NS3_ASSERT_ENABLE
    return ns3::Seconds(100'000);
#else
    return ns3::Time::Max();
#endif
}

/** Of each type the ends of its range, and what is beyond that of some attributes. */
std::vector<Value>
ExtremeValues(const Attribute& attribute)
{
    static const std::map<std::string, std::vector<Value>> all{
        {"UintegerValue",
         ValuesOf<ns3::UintegerValue>(0U, 1U, std::numeric_limits<std::uint64_t>::max())},
        {"IntegerValue",
         ValuesOf<ns3::IntegerValue>(std::numeric_limits<std::int16_t>::min(),
                                     std::numeric_limits<std::int64_t>::max())},
        {"DoubleValue", ValuesOf<ns3::DoubleValue>(-1.0, 1.0, 1e300)},
        {"BooleanValue", {}},
        {"TimeValue",
         ValuesOf<ns3::TimeValue>(
             ns3::Time(-1), ns3::Time(0), ns3::Time(1), ns3::Seconds(100'000), Longest())},
        {"DataRateValue",
         ValuesOf<ns3::DataRateValue>(ns3::DataRate(0),
                                      ns3::DataRate(1),
                                      ns3::DataRate(std::numeric_limits<std::uint64_t>::max()))},
        {"EnumValue", {}},
        {"StringValue", ValuesOf<ns3::StringValue>("", "0", "0Hz", "x", "1e300Hz")}};
    return all.at(attribute.ValueType());
}

/** An object that has the attributes of @p type, which may be abstract. */
ns3::Ptr<ns3::Object>
MakeSome(const ns3::TypeId& type)
{
    ns3::Ptr<ns3::Object> some;
    ForEachOwnType([&](const ns3::TypeId& each) {
        const bool isOne = each == type || each.IsChildOf(type);
        if (!some && isOne && each.HasConstructor())
        {
            some = ns3::ObjectFactory(each.GetName()).Create();
        }
    });
    return some;
}

/** @return whether @p object took it; whether it threw, or ns-3's checkers refused it, is the same here */
bool
Takes(const ns3::Ptr<ns3::Object>& object, const std::string& name, const Value& value)
{
    try
    {
        return object->SetAttributeFailSafe(name, *value);
    }
    catch (const std::runtime_error&)
    {
        return false;
    }
}

/** As an attribute of @p attribute's type says it. */
std::string
TextOf(const Attribute& attribute, const ns3::Ptr<ns3::Object>& object)
{
    const auto value = attribute.info.checker->Create();
    object->GetAttribute(attribute.info.name, *value);
    return value->SerializeToString(attribute.info.checker);
}

// -- what trace sources tell: not the same number whatever they tell

std::uint64_t
Weight(std::uint64_t number)
{
    return 1 + number;
}

std::uint64_t
Weight(const ns3::Ptr<const ns3::Packet>& packet)
{
    return packet->GetSize();
}

std::uint64_t
Weight(const ns3::Ptr<const Frame>& frame)
{
    return frame->wireBytes + (frame->congested ? 1 : 0);
}

template <typename Other>
std::uint64_t
Weight(const Other& /*other*/)
{
    return 1;
}

/** Connects a sink to a trace source of an object. @return whether it took it */
using Connect =
    std::function<bool(ns3::Object& object, const std::string& name, std::uint64_t& told)>;

/** By the type that is documented, which is there. */
template <typename... Arguments>
Connect
SinkOf(void (* /*documented*/)(Arguments...))
{
    return [](ns3::Object& object, const std::string& name, std::uint64_t& told) {
        return object.TraceConnectWithoutContext(
            name, ns3::Callback<void, Arguments...>([&told](Arguments... arguments) {
                told += (1 + ... + Weight(arguments));
            }));
    };
}

const Connect&
SinkNamed(const std::string& documented)
{
    static const std::map<std::string, Connect> all{
        {"ns3::Packet::TracedCallback", SinkOf(ns3::Packet::TracedCallback{})},
        {"ns3::TracedValueCallback::Void", SinkOf(ns3::TracedValueCallback::Void{})},
        {"ns3::TracedValueCallback::Uint64", SinkOf(ns3::TracedValueCallback::Uint64{})},
        {"inca::AggregationProgram::CompletedTracedCallback",
         SinkOf(AggregationProgram::CompletedTracedCallback{})},
        {"inca::AggregationProgram::DroppedTracedCallback",
         SinkOf(AggregationProgram::DroppedTracedCallback{})},
        {"inca::AggregationProgram::FrameTracedCallback",
         SinkOf(AggregationProgram::FrameTracedCallback{})},
        {"inca::AggregationProgram::SlotsTracedCallback",
         SinkOf(AggregationProgram::SlotsTracedCallback{})},
        {"inca::Engine::BusyTracedCallback", SinkOf(Engine::BusyTracedCallback{})},
        {"inca::Engine::WorkTracedCallback", SinkOf(Engine::WorkTracedCallback{})},
        {"inca::LinkPort::FrameTracedCallback", SinkOf(LinkPort::FrameTracedCallback{})},
        {"inca::MessageTransport::MessageTracedCallback",
         SinkOf(MessageTransport::MessageTracedCallback{})},
        {"inca::Nic::BytesTracedCallback", SinkOf(Nic::BytesTracedCallback{})},
        {"inca::RankApplication::ExchangeCallback", SinkOf(RankApplication::ExchangeCallback{})},
        {"inca::RankApplication::StepMessageCallback",
         SinkOf(RankApplication::StepMessageCallback{})},
        {"inca::RankApplication::WorkCallback", SinkOf(RankApplication::WorkCallback{})},
        {"inca::Transport::PeerTracedCallback", SinkOf(Transport::PeerTracedCallback{})},
        {"inca::WorkerApplication::TaskBeginCallback",
         SinkOf(WorkerApplication::TaskBeginCallback{})},
        {"inca::WorkerApplication::TaskEndCallback", SinkOf(WorkerApplication::TaskEndCallback{})}};
    return all.at(documented);
}

/** Listens to all trace sources of all INCA's objects in the simulation. */
class Listener
{
  public:
    explicit Listener(Firings& seen)
        : m_seen(seen)
    {
        for (auto node = ns3::NodeList::Begin(); node != ns3::NodeList::End(); ++node)
        {
            Visit(*node);
            for (std::uint32_t i = 0; i < (*node)->GetNDevices(); ++i)
            {
                Visit((*node)->GetDevice(i));
            }
            for (std::uint32_t i = 0; i < (*node)->GetNApplications(); ++i)
            {
                Visit((*node)->GetApplication(i));
            }
        }
    }

  private:
    /** With what is aggregated to it, and what that has. */
    void Visit(const ns3::Ptr<ns3::Object>& object)
    {
        for (auto each = object->GetAggregateIterator(); each.HasNext();)
        {
            const auto next = each.Next();
            Listen(ns3::ConstCast<ns3::Object>(next));
            for (const auto* name : {"Clients", "Programs"})
            {
                ns3::ObjectPtrContainerValue all;
                if (next->GetAttributeFailSafe(name, all))
                {
                    std::for_each(all.Begin(), all.End(), [this](auto one) { Listen(one.second); });
                }
            }
            if (const auto nic = ns3::DynamicCast<const Nic>(next); nic && nic->Compression())
            {
                Listen(nic->Compression());
                Listen(nic->Decompression());
            }
        }
    }

    void Listen(const ns3::Ptr<ns3::Object>& object)
    {
        for (auto type = object->GetInstanceTypeId(); type != ns3::Object::GetTypeId();
             type = type.GetParent())
        {
            for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i)
            {
                const auto source = type.GetTraceSource(i);
                const auto path = type.GetName() + "::" + source.name;
                if (path.rfind("inca::", 0) == 0)
                {
                    EXPECT_TRUE(SinkNamed(source.callback)(*object, source.name, m_seen[path]))
                        << path;
                }
            }
        }
    }

    Firings& m_seen;
};

} // namespace

/** A program: the defaults that it sets, and what it builds on a network of its hosts. */
struct Program
{
    std::vector<std::pair<std::string, std::string>> defaults;
    std::function<void(TrainingHelper&)> describe;
    std::uint32_t hosts{4};
    std::string transport{"inca::Transport"};
    bool switchesAdd{false};
    bool carriesValues{false};
};

/** Small programs, with errors on their links, in which everything that is listed happens somewhere. */
class ListedAttributes : public JobFixture
{
  protected:
    ListedAttributes()
    {
        const auto layers = Trace(
            "three-layers", "in,100,1000,2000,500\nmid,100,1000,2000,500\nout,100,1000,2000,500\n");
        // over engines and two paths, with ports that drop
        m_programs.push_back({{{"inca::SwitchPort::Buffer", "4000"},
                               {"inca::Nic::Buffer", "5000"},
                               {"inca::RankApplication::SumRate", "8Gbps"},
                               {"inca::CodecFactory::Name", "inceptionn"}},
                              Trained("tensor:300kB", "tree")});
        // on hosts, by codecs whose arguments are defaults
        for (const auto* codec : {"truncate", "cast", "block", "inceptionn"})
        {
            m_programs.push_back({{{"inca::CodecFactory::Name", codec},
                                   {"inca::CodecFactory::Placement",
                                    codec == std::string("inceptionn") ? "nic" : "host"},
                                   {"inca::RankApplication::EncodeRate", "8Gbps"},
                                   {"inca::RankApplication::DecodeRate", "8Gbps"},
                                   {"inca::Training::Trace", "tensor:30kB"}},
                                  [](TrainingHelper&) {}});
        }
        // in groups
        m_programs.push_back({{}, Trained("tensor:3kB", "hierarchical-ring")});
        // flows that have not ended when the simulation does: they fill windows, and some begin while others are sent
        m_programs.push_back({{{"inca::Nic::DataRate", "2Mbps"},
                               {"inca::Link::Delay", "10ms"},
                               {"inca::FlowTransport::Window", "4"},
                               {"inca::Training::ChunkBytes", "20000"},
                               {"inca::Training::Concurrent", "2"}},
                              Trained("tensor:300kB", "tree"),
                              4,
                              "inca::FlowTransport"});
        // sums of switches, the first with values that do not fit
        m_programs.push_back({{{"inca::SlotClient::Scaling", "fixed"},
                               {"inca::SlotClient::FixedExponent", "-60"},
                               {"inca::SlotClient::Slots", "4"},
                               {"inca::SlotProgram::Slots", "4"}},
                              [](TrainingHelper&) {},
                              3,
                              "inca::Transport",
                              true,
                              true});
        // and of codecs of which the type of sums, or what is put together, is a default
        for (const auto* codec : {"cast", "netzip"})
        {
            m_programs.push_back({{{"inca::CodecFactory::Placement", "host"}},
                                  [codec](TrainingHelper& training) { training.SetCodec(codec); },
                                  3,
                                  "inca::Transport",
                                  false,
                                  true});
        }
        m_programs.push_back({{{"inca::SlotProgram::AdderRate", "1000000000"}},
                              Trained("tensor:100kB", "switch-slots"),
                              3,
                              "inca::Transport",
                              true});
        // layers, in two buckets or three, whose gradients are copied
        m_programs.push_back({{{"inca::WorkerApplication::CopyRate", "8Gbps"},
                               {"inca::Training::FirstBucketBytes", "400"}},
                              [layers](TrainingHelper& training) {
                                  training.SetAttribute("Trace", ns3::StringValue(layers));
                              }});
        // and TCP, with a pause between two iterations that is longer than a timeout
        const auto pausing = Trace("pausing", "only,50000,450000000,2000,500\n");
        m_programs.push_back(
            {{{"inca::Link::Delay", "100us"}, {"inca::RandomLoss::ErrorRate", "0"}},
             [pausing](TrainingHelper& training) {
                 training.SetAttribute("Trace", ns3::StringValue(pausing));
                 training.SetAttribute("Iterations", ns3::UintegerValue(2));
             },
             2,
             "inca::TcpTransport"});
    }

    static std::string Trace(const std::string& name, const std::string& rows)
    {
        const auto path = testing::TempDir() + name + "-" + std::to_string(getpid()) + ".csv";
        std::ofstream(path)
            << "#inca-trace v1\n# model: test\n# source: test\n# class: assumed\n# device: none\n# "
               "batch: 8\n"
               "# gradient_type: fp32\nlayer,elements,forward_ns,backward_ns,update_ns\n"
            << rows;
        return path;
    }

    static std::function<void(TrainingHelper&)> Trained(const std::string& trace,
                                                        const std::string& exchange)
    {
        return [trace, exchange](TrainingHelper& training) {
            training.SetAttribute("Trace", ns3::StringValue(trace));
            training.SetAttribute("Exchange", ns3::StringValue(exchange));
        };
    }

    /** @param attribute null: none but the program's */
    static Firings Run(const Program& program,
                       const Attribute* attribute = nullptr,
                       const Value& value = {})
    {
        const Clean clean;
        Firings seen;
        try
        {
            UseLinuxTcpDefaults();
            ns3::Config::SetDefault("inca::RandomLoss::ErrorRate", ns3::StringValue("0.05"));
            for (const auto& [path, text] : program.defaults)
            {
                ns3::Config::SetDefault(path, ns3::StringValue(text));
            }
            if (attribute == nullptr || ns3::Config::SetDefaultFailSafe(attribute->Path(), *value))
            {
                Simulate(program, seen);
            }
        }
        catch (const std::runtime_error& error)
        {
            seen[error.what()] = 1;
        }
        return seen;
    }

    std::vector<Program> m_programs;

  private:
    struct Clean
    {
        ~Clean()
        {
            ns3::Simulator::Destroy();
            ns3::Config::Reset();
        }
    };

    static void SendFirstFrameAgain(const Cluster& cluster)
    {
        auto frame = MakeTransportFrame(FrameKind::DATA, 4);
        frame->destination = cluster.Address(1);
        if (cluster.transports[1]->DeliveredBytes() > 0)
        {
            cluster.nics[0]->SendFrame(frame);
        }
    }

    static TrainingHelper HelperOf(const Program& program)
    {
        if (!program.carriesValues)
        {
            TrainingHelper training;
            program.describe(training);
            return training;
        }
        const auto job = MakeTensorJob(
            Exchange(program.switchesAdd ? "switch-slots" : "ring", program.hosts), g_values);
        job->ownGradient = [](Rank rank, ElementRange range, float* out) {
            std::fill_n(
                out, range.count, static_cast<float>(rank + 1) / 3); // rounded by every type
        };
        TrainingHelper training(job);
        program.describe(training);
        return training;
    }

    static void Simulate(const Program& program, Firings& seen)
    {
        TopologySpec spec;
        spec.name = program.switchesAdd ? "star" : "leaf-spine";
        spec.hosts = program.hosts;
        spec.hostsPerLeaf = 2;
        TopologyHelper topology;
        topology.SetTransport(program.transport);
        auto cluster = topology.Install(MakeTopology(spec));
        for (const auto& link : cluster.links)
        {
            link->SetErrorModel(0, ns3::CreateObject<RandomLoss>());
            link->SetErrorModel(1, ns3::CreateObject<RandomLoss>());
        }
        TopologyHelper::AssignStreams(cluster, 1);
        if (program.switchesAdd)
        {
            AggregationHelper().Install(cluster, program.hosts);
        }
        const auto training = HelperOf(program);
        for (const auto& rank : RanksOf(training.Install(cluster.hosts)))
        {
            rank->SetValueSink([&seen](Rank, std::uint32_t, const ExchangeOutcome& outcome) {
                std::vector<Word> sums(g_values);
                outcome.values->Read({0, g_values}, sums.data());
                seen["sums"] = std::accumulate(sums.begin(), sums.end(), seen["sums"]);
            });
        }
        if (!program.switchesAdd)
        {
            TrainingHelper other; // the job that has another number
            other.SetAttribute("Trace", ns3::StringValue("tensor:400B"));
            other.SetAttribute("Job", ns3::UintegerValue(1));
            other.SetCodec("none");
            other.Install(cluster.hosts);
        }
        const Listener listener(seen);
        cluster.nics[0]->Send(ns3::Create<ns3::Packet>(65'000), cluster.Address(1), 0x800);
        cluster.nics[0]->Send(ns3::Create<ns3::Packet>(60), cluster.Address(1), 0x800);
        if (program.transport == "inca::Transport")
        {
            ns3::Simulator::Schedule(ns3::MilliSeconds(900), &SendFirstFrameAgain, cluster);
        }
        ns3::Simulator::Stop(ns3::Seconds(1));
        ns3::Simulator::Run();
        seen["end"] = static_cast<std::uint64_t>(ns3::Simulator::Now().GetTimeStep());
    }
};

/* Of a new object, and of all that are made later. */
TEST_F(ListedAttributes, AreSetAndReadBack)
{
    const auto all = AllListed();
    EXPECT_GT(all.size(), 60U);
    for (const auto& attribute : all)
    {
        SCOPED_TRACE(attribute.Path());
        const auto some = MakeSome(attribute.type);
        EXPECT_EQ(TextOf(attribute, some),
                  attribute.info.initialValue->SerializeToString(attribute.info.checker));
        std::set<std::string> texts{TextOf(attribute, some)};
        for (const auto& value : CommonValues(attribute))
        {
            if (Takes(some, attribute.info.name, value))
            {
                texts.insert(TextOf(attribute, some));
            }
        }
        EXPECT_GT(texts.size(), 1U);
    }
}

/* What is set changes what happens, or is refused by whoever uses it, in some of the networks. */
TEST_F(ListedAttributes, MatterSomewhere)
{
    std::set<std::string> idle;
    const auto all = AllListed();
    for (const auto& attribute : all)
    {
        idle.insert(attribute.Path());
    }
    for (const auto& program : m_programs)
    {
        const auto before = Run(program);
        for (const auto& attribute : all)
        {
            const auto path = attribute.Path();
            const auto values = CommonValues(attribute);
            const bool matters = idle.count(path) > 0 &&
                                 std::any_of(values.begin(), values.end(), [&](const auto& value) {
                                     const auto seen = Run(program, &attribute, value);
                                     return !seen.empty() && seen != before;
                                 });
            if (matters)
            {
                idle.erase(path);
            }
        }
    }
    EXPECT_THAT(idle, testing::IsEmpty());
}

/* No value of an attribute ends in a signal: it is refused, or the network runs. */
TEST_F(ListedAttributes, AreRefusedOrRun)
{
    for (const auto& attribute : AllListed())
    {
        for (const auto& value : ExtremeValues(attribute))
        {
            const auto end = EndOf([&] {
                for (const auto& program : m_programs)
                {
                    Run(program, &attribute, value);
                }
            });
            EXPECT_EQ(end, 0) << attribute.Path() << " = "
                              << value->SerializeToString(attribute.info.checker);
        }
    }
}

TEST_F(ListedAttributes, TraceSourcesTakeTheirSinksAndTellThem)
{
    Firings told;
    for (const auto& program : m_programs)
    {
        for (const auto& [path, weight] : Run(program))
        {
            told[path] += weight;
        }
    }
    std::set<std::string> silent;
    std::size_t sources = 0;
    ForEachOwnType([&](const ns3::TypeId& type) {
        for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i)
        {
            const auto path = type.GetName() + "::" + type.GetTraceSource(i).name;
            ++sources;
            if (told[path] == 0)
            {
                silent.insert(path);
            }
        }
    });
    EXPECT_GT(sources, 40U);
    EXPECT_THAT(silent, testing::IsEmpty());
}

} // namespace inca
