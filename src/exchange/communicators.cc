/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/communicators.h"

#include "base/errors.h"

#include <numeric>
#include <string>
#include <utility>

namespace inca
{

namespace
{

void
Require(bool holds, const std::string& what)
{
    if (!holds)
    {
        throw InvariantError("communicators: " + what);
    }
}

Communicator
AllWorkers(const StepPlan& plan)
{
    Communicator workers(plan.WorkerCount());
    std::iota(workers.begin(), workers.end(), 0U);
    return workers;
}

/** One channel of the plans of all communicators, or all of them. */
class PlacedPlan : public StepPlan
{
  public:
    /** @param channel of the plans; empty: all, one after the other */
    PlacedPlan(Rank ranks,
               std::shared_ptr<const Communicators> communicators,
               std::vector<std::shared_ptr<const StepPlan>> plans,
               bool areNodes,
               std::optional<std::uint32_t> channel = std::nullopt)
        : StepPlan(ranks, 0, plans.front()->Elements(), plans.front()->Means()),
          m_communicators(std::move(communicators)),
          m_plans(std::move(plans)),
          m_areNodes(areNodes),
          m_channel(channel)
    {
        for (std::uint32_t i = 0; !m_channel && i < m_plans.front()->ChannelCount(); ++i)
        {
            m_channels.push_back(
                std::make_unique<PlacedPlan>(ranks, m_communicators, m_plans, m_areNodes, i));
        }
    }

    const Communicators* GetCommunicators() const override
    {
        return m_communicators.get();
    }

    std::uint32_t ChannelCount() const override
    {
        return m_channel ? 1 : m_plans.front()->ChannelCount();
    }

    const StepPlan& Channel(std::uint32_t channel) const override
    {
        return m_channel ? *this : *m_channels[channel];
    }

    std::uint32_t StageOf(std::uint32_t channel) const override
    {
        return m_channel ? 0 : m_plans.front()->StageOf(channel);
    }

    std::vector<std::uint32_t> AwaitedBy(std::uint32_t stage) const override
    {
        return m_channel ? std::vector<std::uint32_t>{} : m_plans.front()->AwaitedBy(stage);
    }

    std::uint32_t StepCount(Rank rank) const override
    {
        const auto place = m_communicators->Of(rank);
        return place ? PlanOf(*place).StepCount(place->member) : 0;
    }

    Step At(Rank rank, std::uint32_t index) const override
    {
        const auto place = m_communicators->Of(rank).value();
        const auto& members = m_communicators->All()[place.communicator];
        auto step = WithPeers(PlanOf(place).At(place.member, index),
                              [&members](Rank member) { return members[member]; });
        step.among = step.reduction ? &members : nullptr;
        step.addsInNodes = step.reduction && m_areNodes;
        return step;
    }

  private:
    const StepPlan& PlanOf(const Communicators::Place& place) const
    {
        const auto& plan = *m_plans[m_plans.size() == 1 ? 0 : place.communicator];
        return m_channel ? plan.Channel(*m_channel) : plan;
    }

    std::shared_ptr<const Communicators> m_communicators;
    std::vector<std::shared_ptr<const StepPlan>>
        m_plans; ///< one for all communicators, or one for each
    bool m_areNodes;
    std::optional<std::uint32_t> m_channel;
    std::vector<std::unique_ptr<PlacedPlan>> m_channels;
};

} // namespace

Communicators::Communicators(std::vector<Communicator> all)
    : m_all(std::move(all))
{
    Require(!m_all.empty(), "there is none");
    for (std::size_t communicator = 0; communicator < m_all.size(); ++communicator)
    {
        const auto& members = m_all[communicator];
        Require(!members.empty(), "one has no member");
        for (Rank member = 0; member < members.size(); ++member)
        {
            const bool isNew =
                m_places.emplace(members[member], Place{communicator, member}).second;
            Require(isNew, "rank " + std::to_string(members[member]) + " has two places");
        }
    }
}

std::optional<Communicators::Place>
Communicators::Of(Rank rank) const
{
    const auto found = m_places.find(rank);
    return found == m_places.end() ? std::nullopt : std::optional(found->second);
}

std::shared_ptr<const Communicators>
SplitRanks(Rank ranks, const std::function<std::optional<std::uint32_t>(Rank rank)>& colorOf)
{
    std::map<std::uint32_t, Communicator> byColor;
    for (Rank rank = 0; rank < ranks; ++rank)
    {
        if (const auto color = colorOf(rank))
        {
            byColor[*color].push_back(rank);
        }
    }
    std::vector<Communicator> all;
    for (auto& [color, members] : byColor)
    {
        all.push_back(std::move(members));
    }
    return std::make_shared<const Communicators>(std::move(all));
}

std::shared_ptr<const StepPlan>
PlanOver(Rank ranks,
         std::shared_ptr<const Communicators> communicators,
         std::vector<std::shared_ptr<const StepPlan>> plans,
         bool areNodes)
{
    const auto& all = communicators->All();
    Require(plans.size() == 1 || plans.size() == all.size(),
            "there must be one plan, or one for each");
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        const auto& plan = *plans[plans.size() == 1 ? 0 : i];
        const auto& first = *plans.front();
        Require(plan.RankCount() == plan.WorkerCount() && plan.WorkerCount() == all[i].size(),
                "one of " + std::to_string(all[i].size()) + " ranks has a plan of " +
                    std::to_string(plan.RankCount()) + ", all of which must be workers");
        Require(plan.Elements() == first.Elements() &&
                    plan.ChannelCount() == first.ChannelCount() && plan.Means() == first.Means(),
                "plans differ in elements, channels or meaning");
        for (const auto rank : all[i])
        {
            Require(rank < ranks, "there is no rank " + std::to_string(rank));
        }
    }
    return std::make_shared<PlacedPlan>(
        ranks, std::move(communicators), std::move(plans), areNodes);
}

bool
TakesPart(const StepPlan& plan, Rank rank)
{
    return plan.GetCommunicators() == nullptr || plan.GetCommunicators()->Of(rank).has_value();
}

std::size_t
MemberCount(const StepPlan& plan)
{
    const auto* const some = plan.GetCommunicators();
    return some != nullptr ? some->MemberCount() : plan.WorkerCount();
}

std::vector<Communicator>
CommunicatorsOf(const StepPlan& plan)
{
    const auto* const some = plan.GetCommunicators();
    return some != nullptr ? some->All() : std::vector<Communicator>{AllWorkers(plan)};
}

Communicator
SummedRanks(const StepPlan& plan, const Communicator& members)
{
    return plan.SummedAmong() == plan.GetCommunicators() ? members : AllWorkers(plan);
}

} // namespace inca
