/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// All attributes and trace sources that docs/reference/attributes.md lists do what it says of them, in small networks.
#include "aggregation/aggregation-client.h"
#include "aggregation/aggregation-program.h"
#include "device/random-loss.h"
#include "experiment/attributes.h"
#include "experiment/scenario-fixture.h"
#include "helper/aggregation-helper.h"
#include "helper/job-helper.h"
#include "helper/time-resolution.h"
#include "helper/topology-helper.h"
#include "plan/plan-maker.h"
#include "rank/worker-application.h"
#include "scenario/specs.h"
#include "support/end-of.h"
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

#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace inca
{

namespace
{

using Value = ns3::Ptr<const ns3::AttributeValue>;

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
        const auto name = info.checker->GetValueTypeName();
        return name.substr(name.rfind(':') + 1);
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

/** Of each type of values some that are common, some of which fit. */
std::vector<Value>
CommonValues(const Attribute& attribute)
{
    static const std::map<std::string, std::vector<Value>> all{
        {"UintegerValue", ValuesOf<ns3::UintegerValue>(2U, 1U, 1000U)},
        {"IntegerValue", ValuesOf<ns3::IntegerValue>(3)},
        {"DoubleValue", ValuesOf<ns3::DoubleValue>(0.5)},
        {"BooleanValue", ValuesOf<ns3::BooleanValue>(false, true)},
        {"TimeValue", ValuesOf<ns3::TimeValue>(ns3::MicroSeconds(30), ns3::MicroSeconds(3))},
        {"DataRateValue", ValuesOf<ns3::DataRateValue>(ns3::DataRate("1Gbps"))},
        {"EnumValue", ValuesOf<ns3::StringValue>("wire", "d-mod-k")},
        {"StringValue", ValuesOf<ns3::StringValue>("fp32", "block", "300MHz")}};
    return all.at(attribute.ValueType());
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
             ns3::Time(-1), ns3::Time(0), ns3::Time(1), ns3::Seconds(100'000), ns3::Time::Max())},
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
    catch (const UnitError&)
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
        {"inca::WorkerApplication::TaskEndCallback",
         SinkOf(WorkerApplication::TaskEndCallback{})}};
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

/** Networks that C++ builds, with the defaults of the attributes that their scenarios say. */
class ListedAttributes : public ScenarioFixture
{
  protected:
    ListedAttributes()
    {
        SetPicosecondResolution();
        const std::string ring = "training.trace=tensor:300kB cluster.workers=4 ";
        const std::string slots = "exchange.algorithm=switch-slots cluster.workers=3 ";
        // over engines and two paths, with ports that drop
        Add(ring + "exchange.algorithm=tree cluster.topology=leaf-spine cluster.hosts_per_leaf=2 "
                   "codec.name=inceptionn host.sum_rate=1GB/s cluster.buffer=4kB",
            {{"inca::Nic::Buffer", "5000"}});
        Add(ring + "codec.name=truncate codec.placement=cpu codec.encode_rate=1GB/s "
                   "codec.decode_rate=1GB/s cluster.gpus=2");
        // flows that have not ended when the simulation does: they fill windows, and some begin while others are sent
        Add(ring + "simulation.mode=flow exchange.algorithm=tree tree.chunk_bytes=20kB cluster.bandwidth=2Mbps "
                   "cluster.latency=10ms transport.window=4");
        // sums of switches, the first with values that do not fit
        Add("training.trace=tensor:100kB training.values=true switch.scaling=fixed "
            "switch.fixed_exponent=-60 switch.slots=4 " +
            slots);
        Add("training.trace=tensor:100kB switch.adder_rate=1Gvalues/s " + slots);
        // shards, of which weights are gathered
        Add("training.sharding=full host.copy_rate=1GB/s training.trace=" + TwoLayers());
        // and TCP, with a pause between two iterations that is longer than a timeout
        const auto pausing = WriteTrace("pausing",
                                        "layer,elements,forward_ns,backward_ns,update_ns",
                                        "only,50000,450000000,2000,500\n");
        Add("transport.name=tcp training.iterations=2 cluster.latency=100us training.trace=" +
                pausing,
            {},
            "0");
    }

    void Add(const std::string& sets,
             const AttributeTexts& attributes = {},
             const std::string& errorRate = "0.05")
    {
        auto scenario = With(Bare("tensor:1MB"), sets);
        scenario.attributes = attributes;
        scenario.attributes.emplace_back("inca::RandomLoss::ErrorRate", errorRate);
        m_plans.push_back(MakePlan(scenario));
    }

    /** @param attribute null: none but the scenario's */
    static Firings Run(const Plan& plan,
                       const Attribute* attribute = nullptr,
                       const Value& value = {})
    {
        const Clean clean;
        Firings seen;
        try
        {
            SetAttributeDefaults(plan.Settings());
            if (attribute == nullptr || ns3::Config::SetDefaultFailSafe(attribute->Path(), *value))
            {
                Simulate(plan, seen);
            }
        }
        catch (const std::runtime_error& error)
        {
            seen[error.what()] = 1;
        }
        return seen;
    }

    std::vector<Plan> m_plans;

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

    static void Simulate(const Plan& plan, Firings& seen)
    {
        const auto& job = plan.Job().job;
        TopologyHelper topology;
        topology.SetCodec(job->coding.IsInEngines() ? plan.Settings().codec : nullptr);
        topology.SetTransport(plan.Settings().TransportType());
        auto cluster = topology.Install(plan.Settings().topology);
        for (const auto& link : cluster.links)
        {
            link->SetErrorModel(0, ns3::CreateObject<RandomLoss>());
            link->SetErrorModel(1, ns3::CreateObject<RandomLoss>());
        }
        TopologyHelper::AssignStreams(cluster, 1);
        if (plan.Settings().scheme)
        {
            InstallAggregation(cluster, "slots", job->workers);
        }
        const auto ranks = InstallJob(cluster, job);
        const Listener listener(seen);
        cluster.nics[0]->Send(ns3::Create<ns3::Packet>(65'000), cluster.Address(1), 0x800);
        cluster.nics[0]->Send(ns3::Create<ns3::Packet>(60), cluster.Address(1), 0x800);
        if (plan.Settings().scenario.exchange.algorithm == "ring")
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
    EXPECT_GT(all.size(), 45U);
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
    for (const auto& plan : m_plans)
    {
        const auto before = Run(plan);
        for (const auto& attribute : all)
        {
            const auto path = attribute.Path();
            const auto values = CommonValues(attribute);
            const bool matters = idle.count(path) > 0 &&
                                 std::any_of(values.begin(), values.end(), [&](const auto& value) {
                                     const auto seen = Run(plan, &attribute, value);
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
                for (const auto& plan : m_plans)
                {
                    Run(plan, &attribute, value);
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
    for (const auto& plan : m_plans)
    {
        for (const auto& [path, weight] : Run(plan))
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
