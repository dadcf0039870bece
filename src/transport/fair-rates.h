/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRANSPORT_FAIR_RATES_H
#define INCA_TRANSPORT_FAIR_RATES_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace inca
{

/** What a unit of a flow, such as a frame, takes of a resource: a link's direction, a host's path, an engine. */
struct ResourceUse
{
    std::uint32_t resource{0}; ///< its number
    double psPerUnit{0};       ///< of the resource's time
};

/**
 * Max-min fair rates of flows that use several resources each (Bertsekas and Gallager, Data Networks, section 6.5.2).
 * No resource works more than all of the time. Flows that share a full resource get the same rate, in their own
 * units, but for those that get less elsewhere: so it is where connections take turns frame by frame. It knows no
 * clock.
 *
 * Update looks only at flows that a change may reach: those that share resources, one after the other.
 */
class FairRates
{
  public:
    using FlowId = std::uint32_t; ///< the number of a flow

    /** @param resources how many there are; they have the numbers from 0 on */
    explicit FairRates(std::size_t resources)
        : m_resources(resources)
    {
    }

    /**
     * @param uses at least one, of different resources
     * @param most units per ps: it never gets more; above 0
     */
    FlowId Add(const std::vector<ResourceUse>& uses, double most);

    /** As Add, from now on. */
    void SetMost(FlowId flow, double most);

    /** Its number may be given to another flow. */
    void Remove(FlowId flow);

    /**
     * Something else takes so much more of a resource's time, as a share of it. Rates heed that when they change
     * next; what is given back, unless it is little, changes them.
     */
    void Take(std::uint32_t resource, double share);

    /** Whether Update has anything to look at. */
    bool AreChanged() const
    {
        return !m_changed.empty();
    }

    /** Rates after all changes since the last call. @return the flows whose rates may be other ones */
    const std::vector<FlowId>& Update();

    /** Units per ps. */
    double RateOf(FlowId flow) const
    {
        return m_flows[flow].rate;
    }

    /** Share of a resource's time that flows take. */
    double BusyShare(std::uint32_t resource) const;

  private:
    /** A resource of a flow, and where the flow stands among the resource's. */
    struct Use
    {
        ResourceUse is;         ///< which resource, and how much of it
        std::uint32_t place{0}; ///< in Resource::flows
    };

    /** A flow, from Add to Remove; or one that is over, whose number is unused. */
    struct Flow
    {
        std::vector<Use> uses;   ///< of the resources that it takes
        double most{0};          ///< units per ps: it never gets more
        double rate{0};          ///< units per ps, by the last Update; 0 before that
        bool isOpen{false};      ///< in this Update, its rate is not known yet
        std::uint64_t update{0}; ///< the last that looked at it
    };

    /** A flow of a resource: its number, and which of the flow's uses that is. */
    using Member = std::pair<FlowId, std::uint32_t>;

    /** A resource, and the flows that use it. */
    struct Resource
    {
        std::vector<Member> flows; ///< that use it, in no order
        double taken{0};           ///< share that no flow can have
        double left{1};            ///< share that they could have at the last Update
        bool isChanged{false};     ///< its flows, or what they may have
        std::uint64_t update{0};   ///< the last that looked at it
        // -- in this Update
        double free{0};        ///< share that no flow with a known rate has
        double psPerUnits{0};  ///< what a unit of each of its other flows takes together
        std::uint32_t open{0}; ///< their number
    };

    void MarkChanged(const Flow& flow);       ///< has Update look at its resources
    void MarkChanged(std::uint32_t resource); ///< has Update look at its flows
    void Reach(FlowId flow);                  ///< adds a flow to those affected, once
    void Gather(FlowId first);
    void Fill();
    std::uint32_t Shortest() const;
    void Fix(Flow& flow, double rate); ///< settles a rate, and takes it off the resources

    std::vector<Resource> m_resources;    ///< by their numbers
    std::vector<Flow> m_flows;            ///< by their numbers
    std::vector<FlowId> m_unused;         ///< numbers of flows that are over
    std::vector<std::uint32_t> m_changed; ///< resources
    std::uint64_t m_update{0};            ///< counts calls of Update
    std::vector<FlowId> m_affected;       ///< flows that this Update has looked at, group by group
    std::size_t m_firstOfGroup{0};        ///< of m_affected
    std::vector<std::uint32_t> m_ofGroup; ///< resources
    std::size_t m_open{0};                ///< flows of the group
};

} // namespace inca

#endif // INCA_TRANSPORT_FAIR_RATES_H
