/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/training-helper.h"

#include "aggregation/aggregation-client.h"
#include "base/errors.h"
#include "base/interrupt.h"
#include "base/wire-format.h"
#include "device/set-up-error.h"
#include "exchange/exchange-catalog.h"
#include "exchange/shift-symmetry.h"
#include "helper/time-resolution.h"
#include "job/codec-coding.h"
#include "job/data-parallel.h"
#include "rank/worker-application.h"
#include "transport/tcp-transport.h"

#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/string.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaTrainingHelper");

namespace
{

std::shared_ptr<ExchangeOrder>
MakeUnboundOrder(const TrainingJob& job)
{
    if (!job.priority)
    {
        return std::make_shared<ExchangeOrder>(static_cast<std::uint32_t>(job.chunks.size()));
    }
    std::vector<std::uint32_t> priorities;
    for (const auto& chunk : job.chunks)
    {
        priorities.push_back(chunk.firstLayer);
    }
    return std::make_shared<ExchangeOrder>(std::move(priorities));
}

/** @param workers that ask for it */
std::shared_ptr<ExchangeOrder>
MakeOrder(const TrainingJob& job, Rank workers)
{
    auto order = MakeUnboundOrder(job);
    if (job.startTogether)
    {
        order->StartTogether(workers);
    }
    if (job.cyclePs > 0)
    {
        order->cycles.emplace(workers, job.cyclePs, job.cycleRoundPs);
    }
    return order;
}

ns3::Ptr<RankApplication>
MakeRank(const TrainingJob& job, Rank rank)
{
    if (job.IsWorker(rank))
    {
        return ns3::CreateObject<WorkerApplication>();
    }
    return ns3::CreateObject<RankApplication>();
}

void
RequireChunks(const TrainingJob& job)
{
    INCA_ABORT_MSG_IF(job.chunks.empty(), "the job exchanges nothing: it has no chunks");
    for (const auto& chunk : job.chunks)
    {
        const bool isInSome = chunk.rounds.back().plan->GetCommunicators() != nullptr;
        const bool isOfSome = chunk.MemberCount() < job.workers;
        INCA_ABORT_MSG_IF(chunk.rounds.back().plan->RankCount() != job.RankCount(),
                          "exchanges of one job are plans of different numbers of ranks");
        INCA_ABORT_MSG_IF(isInSome && chunk.coding,
                          "exchanges in communicators have no coding of sketches");
        INCA_ABORT_MSG_IF(isOfSome && (job.priority || job.startTogether),
                          "exchanges of some ranks have neither priorities nor a common start");
    }
}

/**
 * @param hub what frames to ranks that are not simulated pass
 * @param below of these, the first ranks, to which they turn here; others go further up
 */
void
ReflectRanks(const Cluster& cluster,
             Switch* hub,
             Rank below,
             Rank ranks,
             Rank simulated,
             const ShiftSymmetry& symmetry)
{
    const auto reflect = [hub, below, first = cluster.hostsBefore, ranks, simulated, symmetry](
                             ns3::Ptr<Frame> frame, std::size_t from) {
        const auto to = HostAt(frame->destination) - first;
        if (to >= simulated && to < below)
        {
            const auto sender = HostAt(frame->source) - first;
            frame->destination = HostAddress(first + StandInOf(to, simulated));
            frame->source = HostAddress(first + SenderSeen(sender, to, simulated, ranks, symmetry));
        }
        hub->Forward(std::move(frame), from);
    };
    for (const auto kind : {FrameKind::STACK, FrameKind::DATA, FrameKind::ACK, FrameKind::PROBE})
    {
        hub->SetFrameReceiver(kind, reflect);
    }
}

/**
 * What a simulated rank sends to rank r arrives at the rank that stands for r, as if it came from
 * as far before that one (SenderSeen). It passes a switch at the top, as r is plugged into another one below, or the one
 * inside a node of which only the first ranks are simulated. Of several switches, ports count where the order of events decides, as that may be another one for other ranks.
 */
void
ReflectRanks(const Cluster& cluster, Rank ranks, Rank simulated, const ShiftSymmetry& symmetry)
{
    const auto top = std::max_element(cluster.plan.switches.begin(),
                                      cluster.plan.switches.end(),
                                      [](const auto& a, const auto& b) { return a.tier < b.tier; })
                         ->tier;
    for (std::size_t number = 0; number < cluster.switches.size(); ++number)
    {
        const bool isTop = cluster.plan.switches[number].tier == top;
        if (isTop || (number < cluster.plan.nodes && simulated < cluster.plan.nodeSize))
        {
            ReflectRanks(cluster,
                         ns3::PeekPointer(cluster.switches[number]),
                         isTop ? ranks : cluster.plan.nodeSize,
                         ranks,
                         simulated,
                         symmetry);
        }
        for (std::size_t port = 0;
             cluster.switches.size() > 1 && port < cluster.switches[number]->PortCount();
             ++port)
        {
            cluster.switches[number]->GetPort(port)->CountTies();
        }
    }
    for (const auto& nic : cluster.nics)
    {
        nic->CountTies();
    }
}

/** @return the job with programs for its workers */
std::shared_ptr<const TrainingJob>
WithProgram(const std::shared_ptr<const TrainingJob>& job)
{
    if (!job->programs.empty())
    {
        return job;
    }
    auto made = std::make_shared<TrainingJob>(*job);
    made->programs = {MakeDataParallelProgram(*job)};
    return made;
}

/** The messages of the other job would come to it, too. */
void
RequireNewId(const TrainingJob& job,
             const ns3::Ptr<ns3::Node>& node,
             const ns3::Ptr<MessageTransport>& transport)
{
    for (std::uint32_t i = 0; i < node->GetNApplications(); ++i)
    {
        const auto rank = ns3::DynamicCast<RankApplication>(node->GetApplication(i));
        INCA_ABORT_MSG_IF(rank && rank->GetJob().id == job.id && rank->GetTransport() == transport,
                          "node " + std::to_string(node->GetId()) + " has a rank of " +
                              job.id.Text() + " already: give every job an id of its own");
    }
}

/** @param worker number of the one that sends over @p nic */
void
RequireSums(const TrainingJob& job, Rank worker, const ns3::Ptr<Nic>& nic)
{
    const auto first = FirstReduction(*job.chunks.front().rounds.front().plan, worker);
    if (!first)
    {
        return; // it takes no part
    }
    const auto [count, member] = SummandsOf(*first, worker, job.workers);
    const auto clients = nic ? nic->GetObject<HostClients>() : nullptr;
    ns3::Ptr<AggregationClient> client;
    if (clients)
    {
        client = clients->Find(job.id, first->addsInNodes);
    }
    INCA_ABORT_MSG_IF(!client || client->Place().worker != member ||
                          client->Place().workers != count,
                      "the network is to add for the " + std::to_string(count) + " workers of " +
                          job.id.Text() + ", but switches add for " +
                          (client ? "others, or for them in another order" : "none of them") +
                          "; let an AggregationHelper install it for them first");
}

/** Gives the NIC engines, and has the transport fill frames with what the codec decodes together. */
void
InstallCodec(const MessageCoding& coding,
             const ns3::Ptr<Nic>& nic,
             const ns3::Ptr<MessageTransport>& transport)
{
    INCA_ABORT_MSG_IF(
        !nic || !transport->HasFrames(),
        "codecs in NICs need INCA's NICs and a transport of frames; over TCP they run on hosts "
        "(inca::CodecFactory::Placement)");
    nic->SetCodec(coding.EngineCodec());
    transport->SetGroup(coding.FrameGroup());
}

/** The first address of a node that is no loopback's. */
ns3::Ipv4Address
FirstAddress(const ns3::Ptr<ns3::Ipv4>& stack)
{
    for (std::uint32_t i = 0; i < stack->GetNInterfaces(); ++i)
    {
        for (std::uint32_t j = 0; j < stack->GetNAddresses(i); ++j)
        {
            const auto address = stack->GetAddress(i, j).GetLocal();
            if (address != ns3::Ipv4Address::GetLoopback())
            {
                return address;
            }
        }
    }
    return ns3::Ipv4Address::GetAny();
}

/** Every transport over a node's own stack finds the others of its job. */
void
Introduce(const std::vector<std::pair<ns3::Mac48Address, ns3::Ptr<MessageTransport>>>& known)
{
    const auto all = std::make_shared<std::map<ns3::Mac48Address, MessageTransport*>>();
    for (const auto& [address, transport] : known)
    {
        (*all)[address] = ns3::PeekPointer(transport);
        transport->SetPeers([all](ns3::Mac48Address of) { return all->at(of); });
    }
}

} // namespace

TrainingHelper::TrainingHelper() = default;

TrainingHelper::TrainingHelper(std::shared_ptr<const TrainingJob> job)
    : m_given(std::move(job))
{
}

void
TrainingHelper::SetAttribute(const std::string& name, const ns3::AttributeValue& value)
{
    NS_ABORT_MSG_IF(m_given, "inca::Training::" << name << " has no effect: the job is given");
    m_training.Set(name, value);
}

void
TrainingHelper::SetRankAttribute(const std::string& name, const ns3::AttributeValue& value)
{
    ns3::TypeId::AttributeInformation information;
    NS_ABORT_MSG_UNLESS(WorkerApplication::GetTypeId().LookupAttributeByName(name, &information),
                        "ranks have no attribute " << name);
    m_ofRanks.emplace_back(name, value.Copy());
}

void
TrainingHelper::SetTransportAttribute(const std::string& name, const ns3::AttributeValue& value)
{
    m_transports.Set(name, value);
}

std::uint32_t
TrainingHelper::HostsNeeded(std::uint32_t workers) const
{
    if (m_given)
    {
        return m_given->RankCount();
    }
    return AsSetUp([&] {
        const auto exchange = m_training.Create<Training>()->ExchangeOf(workers);
        return workers + ExchangeCatalog().Find(exchange.algorithm).otherRanks(exchange);
    });
}

/** A job of @p ranks ranks, as many of them workers as the exchange leaves. */
std::shared_ptr<const TrainingJob>
TrainingHelper::JobFor(std::uint32_t ranks) const
{
    if (m_given)
    {
        RequireChunks(*m_given);
    }
    auto workers = ranks;
    while (!m_given && workers > 1 && HostsNeeded(workers) > ranks)
    {
        --workers;
    }
    INCA_ABORT_MSG_IF(HostsNeeded(workers) != ranks,
                      "the job has " + std::to_string(HostsNeeded(workers)) +
                          " ranks, but is put on " + std::to_string(ranks) + " hosts");
    if (m_given && !m_setsCodec)
    {
        return m_given;
    }
    const auto training = m_training.Create<Training>();
    const auto trace = m_given ? nullptr : training->Trace();
    const auto job =
        m_given ? std::make_shared<TrainingJob>(*m_given) : training->MakeJob(trace, workers);
    job->coding = m_codec.Create<CodecFactory>()->MakeCoding(trace.get(), job->HasValues());
    const auto codec = job->coding.FirstCodec();
    job->bytesPerElement =
        codec ? VALUE_BYTES : job->bytesPerElement; // whatever the gradients' type
    if (const auto rounding = SumRounding(job->HasValues() ? codec : nullptr))
    {
        for (auto& chunk : job->chunks)
        {
            chunk.rounds.front().hooks.roundSum = rounding;
        }
    }
    return job;
}

TrainingHelper::Seat
TrainingHelper::SeatOf(const ns3::Ptr<Nic>& nic)
{
    const auto transport = nic->GetObject<MessageTransport>();
    INCA_ABORT_MSG_IF(!transport,
                      "a NIC has no transport: aggregate one to it, as TopologyHelper does");
    return {nic->GetNode(), transport, ns3::Mac48Address::ConvertFrom(nic->GetAddress()), nic};
}

TrainingHelper::Seat
TrainingHelper::SeatOf(const ns3::Ptr<ns3::Ipv4>& stack, ns3::Ipv4Address address) const
{
    const auto node = stack->GetObject<ns3::Node>();
    const auto transport = m_transports.Create<TcpTransport>();
    transport->SetStack(node, address);
    return {node, transport, transport->GetAddress(), nullptr};
}

ns3::ApplicationContainer
TrainingHelper::Install(const ns3::NodeContainer& nodes) const
{
    std::vector<Seat> seats;
    for (std::uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const auto node = nodes.Get(i);
        ns3::Ptr<Nic> nic;
        for (std::uint32_t device = 0; !nic && device < node->GetNDevices(); ++device)
        {
            nic = ns3::DynamicCast<Nic>(node->GetDevice(device));
        }
        const auto stack = node->GetObject<ns3::Ipv4>();
        const auto address = stack ? FirstAddress(stack) : ns3::Ipv4Address::GetAny();
        INCA_ABORT_MSG_IF(
            !nic && address == ns3::Ipv4Address::GetAny(),
            "node " + std::to_string(node->GetId()) +
                " has neither an inca::Nic (TopologyHelper) nor an Internet stack with an address");
        seats.push_back(nic ? SeatOf(nic) : SeatOf(stack, address));
    }
    return Install(seats);
}

ns3::ApplicationContainer
TrainingHelper::Install(const ns3::NetDeviceContainer& nics) const
{
    std::vector<Seat> seats;
    for (std::uint32_t i = 0; i < nics.GetN(); ++i)
    {
        const auto nic = ns3::DynamicCast<Nic>(nics.Get(i));
        INCA_ABORT_MSG_IF(!nic,
                          "device " + std::to_string(i) +
                              " is no inca::Nic: over others a job goes by addresses");
        seats.push_back(SeatOf(nic));
    }
    return Install(seats);
}

ns3::ApplicationContainer
TrainingHelper::Install(const ns3::Ipv4InterfaceContainer& addresses) const
{
    std::vector<Seat> seats;
    for (std::uint32_t i = 0; i < addresses.GetN(); ++i)
    {
        seats.push_back(SeatOf(addresses.Get(i).first, addresses.GetAddress(i)));
    }
    return Install(seats);
}

ns3::ApplicationContainer
TrainingHelper::Install(const std::vector<Seat>& seats) const
{
    std::vector<ns3::Mac48Address> byRank;
    std::vector<std::pair<ns3::Mac48Address, ns3::Ptr<MessageTransport>>> overStacks;
    std::set<ns3::Mac48Address> seen;
    for (const auto& seat : seats)
    {
        INCA_ABORT_MSG_IF(!seen.insert(seat.address).second,
                          "node " + std::to_string(seat.node->GetId()) + " is named twice");
        byRank.push_back(seat.address);
        if (!seat.nic)
        {
            overStacks.emplace_back(seat.address, seat.transport);
        }
    }
    INCA_ABORT_MSG_IF(!overStacks.empty() && overStacks.size() < seats.size(),
                      "some nodes have an inca::Nic, and others do not: give the addresses of all");
    Introduce(overStacks);
    const auto job = AsSetUp([&] { return JobFor(static_cast<std::uint32_t>(seats.size())); });
    return Install(job, seats, std::move(byRank));
}

ns3::ApplicationContainer
TrainingHelper::InstallFolded(const Cluster& cluster,
                              Rank simulated,
                              const ShiftSymmetry& symmetry) const
{
    NS_ABORT_MSG_UNLESS(m_given, "ranks that stand for others are of a job that is given");
    const auto& job = m_given;
    RequireChunks(*job);
    std::vector<Seat> seats;
    for (Rank rank = 0; rank < simulated; ++rank)
    {
        seats.push_back(SeatOf(cluster.nics.at(rank)));
    }
    std::vector<ns3::Mac48Address> byRank;
    for (Rank rank = 0; rank < job->RankCount(); ++rank)
    {
        byRank.push_back(HostAddress(cluster.hostsBefore + rank));
    }
    ReflectRanks(cluster, job->RankCount(), simulated, symmetry);
    return Install(job, seats, std::move(byRank));
}

/** @p byRank is of all ranks, of which the first are on @p seats, and stand for the others. */
ns3::ApplicationContainer
TrainingHelper::Install(const std::shared_ptr<const TrainingJob>& given,
                        const std::vector<Seat>& seats,
                        std::vector<ns3::Mac48Address> byRank) const
{
    NS_LOG_FUNCTION(this << seats.size());
    RequirePicosecondResolution();
    RequireSequentialSimulator();
    const auto job = WithProgram(given);
    const bool networkAdds = NetworkAdds(*job->chunks.front().rounds.front().plan);
    const auto simulated = static_cast<Rank>(seats.size());
    const auto order = MakeOrder(*job, job->WorkersAmong(simulated));
    const auto addresses = std::make_shared<const RankAddresses>(std::move(byRank));
    ns3::ApplicationContainer applications;
    for (Rank rank = 0; rank < simulated; ++rank)
    {
        ThrowIfInterrupted();
        const auto& seat = seats[rank];
        RequireNewId(*job, seat.node, seat.transport);
        if (networkAdds && job->IsWorker(rank))
        {
            RequireSums(*job, rank, seat.nic);
        }
        if (job->coding.IsAt(CodingPlace::ENGINE))
        {
            InstallCodec(job->coding, seat.nic, seat.transport);
        }
        const auto application = MakeRank(*job, rank);
        for (const auto& [name, value] : m_ofRanks)
        {
            application->SetAttributeFailSafe(name, *value);
        }
        application->SetJob(job, addresses, order, rank);
        application->SetNetwork(seat.transport, seat.nic);
        seat.node->AddApplication(application);
        applications.Add(application);
    }
    return applications;
}

std::vector<ns3::Ptr<RankApplication>>
RanksOf(const ns3::ApplicationContainer& installed)
{
    std::vector<ns3::Ptr<RankApplication>> ranks;
    for (std::uint32_t i = 0; i < installed.GetN(); ++i)
    {
        ranks.push_back(ns3::DynamicCast<RankApplication>(installed.Get(i)));
    }
    return ranks;
}

} // namespace inca
