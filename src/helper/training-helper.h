/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_HELPER_TRAINING_HELPER_H
#define INCA_HELPER_TRAINING_HELPER_H

#include "inca/exchange/shift-symmetry.h"
#include "inca/helper/cluster.h"
#include "inca/helper/codec-factory.h"
#include "inca/helper/training.h"
#include "inca/job/training-job.h"
#include "inca/rank/rank-application.h"

#include "ns3/application-container.h"
#include "ns3/attribute.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

/**
 * @ingroup inca
 *
 * Puts a training job on nodes, one rank each: workers first, then aggregators or servers. Several jobs may share nodes and
 * devices, each with an id of its own ("Job" of inca::Training).
 *
 * A rank sends over the transport of its node's first inca::Nic, which a TopologyHelper has made; on a node without one, over
 * the node's own Internet stack, by TCP, whatever its devices are. NICs get engines where the codec runs in them.
 *
 * If switches add for the job (exchanges switch-slots and switch-tree), an AggregationHelper comes first.
 *
 * What cannot run ends the program with a text that says why (INCA_ABORT_MSG_IF).
 */
class TrainingHelper
{
  public:
    /** The job is what the attributes of inca::Training say. */
    TrainingHelper();

    /** The job is @p job, but for its codec, if SetCodec names one. Attributes of inca::Training have no effect. */
    explicit TrainingHelper(std::shared_ptr<const TrainingJob> job);

    /** Sets an attribute of inca::Training: "Trace", "Exchange", "Iterations". */
    void SetAttribute(const std::string& name, const ns3::AttributeValue& value);

    /** Sets an attribute of all ranks that have it: "SumRate" of all, "CopyRate" of workers. */
    void SetRankAttribute(const std::string& name, const ns3::AttributeValue& value);

    /** Sets an attribute of the transports that are made for nodes without an inca::Nic: "Sockets" of inca::TcpTransport. */
    void SetTransportAttribute(const std::string& name, const ns3::AttributeValue& value);

    /**
     * Has gradients coded, in NICs or on hosts: SetCodec("inceptionn", "Bound", ns3::UintegerValue(10)). Without a call, as
     * the defaults of inca::CodecFactory say, which are not at all, or as in the job that is given.
     * @param name of the catalogue of codecs (inca list codec, RegisterCodec)
     * @param attributes names and values of inca::CodecFactory's, in turn
     */
    template <typename... Attributes>
    void SetCodec(const std::string& name, Attributes&&... attributes)
    {
        m_setsCodec = true;
        m_codec = ns3::ObjectFactory("inca::CodecFactory");
        m_codec.Set("Name", ns3::StringValue(name), std::forward<Attributes>(attributes)...);
    }

    /** @return how many nodes so many workers need: themselves, and the exchange's aggregator or servers */
    std::uint32_t HostsNeeded(std::uint32_t workers) const;

    /** Puts rank i on node i. @{ */
    ns3::ApplicationContainer Install(const ns3::NodeContainer& nodes) const;
    /** Over device i, an inca::Nic, of a node that may have several. */
    ns3::ApplicationContainer Install(const ns3::NetDeviceContainer& nics) const;
    /** By TCP over the node's own stack, from address i. */
    ns3::ApplicationContainer Install(const ns3::Ipv4InterfaceContainer& addresses) const;
    /** @} */

    /**
     * Puts the first @p simulated ranks of a given job on all hosts of @p cluster, to stand for all: rank r does what rank
     * r mod simulated does, moved as @p symmetry says, and the switches at the top turn what they send to others into
     * what the others send to them. If the network adds for the job, an AggregationHelper with a tree in which host 0
     * stands for all comes first.
     */
    ns3::ApplicationContainer InstallFolded(const Cluster& cluster,
                                            Rank simulated,
                                            const ShiftSymmetry& symmetry) const;

  private:
    /** Where a rank is. */
    struct Seat
    {
        ns3::Ptr<ns3::Node> node;             ///< gets the rank's application
        ns3::Ptr<MessageTransport> transport; ///< carries the rank's messages
        ns3::Mac48Address address;            ///< to which other ranks send
        ns3::Ptr<Nic> nic;                    ///< null: it sends over the node's own stack
    };

    static Seat SeatOf(const ns3::Ptr<Nic>& nic); ///< of a rank there
    Seat SeatOf(const ns3::Ptr<ns3::Ipv4>& stack,
                ns3::Ipv4Address address) const; ///< of a rank there
    std::shared_ptr<const TrainingJob> JobFor(std::uint32_t ranks) const;
    /** Puts the job for so many ranks on @p seats, one each. */
    ns3::ApplicationContainer Install(const std::vector<Seat>& seats) const;
    ns3::ApplicationContainer Install(const std::shared_ptr<const TrainingJob>& job,
                                      const std::vector<Seat>& seats,
                                      std::vector<ns3::Mac48Address> byRank) const;

    ns3::ObjectFactory m_training{"inca::Training"};       ///< what the job is
    ns3::ObjectFactory m_transports{"inca::TcpTransport"}; ///< over the stacks of nodes
    ns3::ObjectFactory m_codec{"inca::CodecFactory"};      ///< how gradients are coded
    bool m_setsCodec{false};                               ///< also of a job that was given
    std::vector<std::pair<std::string, ns3::Ptr<ns3::AttributeValue>>>
        m_ofRanks;                              ///< attributes of applications
    std::shared_ptr<const TrainingJob> m_given; ///< null: it is made
};

/** The applications of @p installed, as what they are. */
std::vector<ns3::Ptr<RankApplication>> RanksOf(const ns3::ApplicationContainer& installed);

} // namespace inca

#endif // INCA_HELPER_TRAINING_HELPER_H
