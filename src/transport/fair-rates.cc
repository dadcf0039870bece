/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/fair-rates.h"

#include <algorithm>
#include <utility>

namespace inca
{

namespace
{

/** Share of a resource's time that flows can have. */
double
LeftBy(double taken)
{
    constexpr double least = 0.01;
    return std::clamp(1 - taken, least, 1.0);
}

} // namespace

FairRates::FlowId
FairRates::Add(const std::vector<ResourceUse>& uses, double most)
{
    if (m_unused.empty())
    {
        m_unused.push_back(static_cast<FlowId>(m_flows.size()));
        m_flows.emplace_back();
    }
    const auto number = m_unused.back();
    m_unused.pop_back();
    auto& flow = m_flows[number];
    flow.uses.clear();
    flow.rate = 0;
    flow.most = most;
    for (const auto& use : uses)
    {
        auto& members = m_resources[use.resource].flows;
        flow.uses.push_back({use, static_cast<std::uint32_t>(members.size())});
        members.emplace_back(number, static_cast<std::uint32_t>(flow.uses.size() - 1));
    }
    MarkChanged(flow);
    return number;
}

void
FairRates::SetMost(FlowId number, double most)
{
    if (std::exchange(m_flows[number].most, most) != most)
    {
        MarkChanged(m_flows[number]);
    }
}

void
FairRates::Remove(FlowId number)
{
    const auto& flow = m_flows[number];
    MarkChanged(flow);
    for (const auto& use : flow.uses)
    {
        auto& members = m_resources[use.is.resource].flows;
        const auto last = members.back();
        members[use.place] = last;
        m_flows[last.first].uses[last.second].place = use.place;
        members.pop_back();
    }
    m_unused.push_back(number);
}

void
FairRates::Take(std::uint32_t number, double share)
{
    auto& resource = m_resources[number];
    resource.taken += share;
    constexpr double little = 0.01;
    if (share < 0 && !resource.flows.empty() &&
        LeftBy(resource.taken) > resource.left * (1 + little))
    {
        MarkChanged(number);
    }
}

const std::vector<FairRates::FlowId>&
FairRates::Update()
{
    ++m_update;
    m_affected.clear();
    for (const auto number : m_changed)
    {
        m_resources[number].isChanged = false;
        for (const auto& [flow, use] : m_resources[number].flows)
        {
            Gather(flow);
        }
    }
    m_changed.clear();
    return m_affected;
}

double
FairRates::BusyShare(std::uint32_t resource) const
{
    double share = 0;
    for (const auto& [flow, use] : m_resources[resource].flows)
    {
        share += m_flows[flow].uses[use].is.psPerUnit * m_flows[flow].rate;
    }
    return share;
}

void
FairRates::MarkChanged(const Flow& flow)
{
    for (const auto& use : flow.uses)
    {
        MarkChanged(use.is.resource);
    }
}

void
FairRates::MarkChanged(std::uint32_t number)
{
    if (!std::exchange(m_resources[number].isChanged, true))
    {
        m_changed.push_back(number);
    }
}

void
FairRates::Reach(FlowId number)
{
    if (std::exchange(m_flows[number].update, m_update) != m_update)
    {
        m_affected.push_back(number);
    }
}

/** Gives rates to all flows that reach each other, one of which is @p first, unless they have got them. */
void
FairRates::Gather(FlowId first)
{
    m_firstOfGroup = m_affected.size();
    m_ofGroup.clear();
    Reach(first);
    for (auto next = m_firstOfGroup; next < m_affected.size(); ++next)
    {
        for (const auto& use : m_flows[m_affected[next]].uses)
        {
            auto& resource = m_resources[use.is.resource];
            if (std::exchange(resource.update, m_update) != m_update)
            {
                m_ofGroup.push_back(use.is.resource);
                for (const auto& [member, place] : resource.flows)
                {
                    Reach(member);
                }
            }
        }
    }
    Fill();
}

/** Raises all rates of a group together, until a resource is full or flows have their most; then the others'. */
void
FairRates::Fill()
{
    m_open = m_affected.size() - m_firstOfGroup;
    for (const auto number : m_ofGroup)
    {
        auto& resource = m_resources[number];
        resource.left = LeftBy(resource.taken);
        resource.free = resource.left;
        resource.psPerUnits = 0;
        resource.open = static_cast<std::uint32_t>(resource.flows.size());
        for (const auto& [flow, use] : resource.flows)
        {
            m_flows[flow].isOpen = true;
            resource.psPerUnits += m_flows[flow].uses[use].is.psPerUnit;
        }
    }
    while (m_open > 0)
    {
        const auto shortest = Shortest();
        const auto rate = m_resources[shortest].free / m_resources[shortest].psPerUnits;
        const auto openBefore = m_open;
        for (auto i = m_firstOfGroup; i < m_affected.size(); ++i)
        {
            if (auto& flow = m_flows[m_affected[i]]; flow.isOpen && flow.most <= rate)
            {
                Fix(flow, flow.most);
            }
        }
        if (m_open < openBefore)
        {
            continue; // which leaves more for the others
        }
        for (const auto& [number, use] : m_resources[shortest].flows)
        {
            if (m_flows[number].isOpen)
            {
                Fix(m_flows[number], rate);
            }
        }
    }
}

/** The resource of the group that is full first. */
std::uint32_t
FairRates::Shortest() const
{
    return *std::min_element(
        m_ofGroup.begin(), m_ofGroup.end(), [this](std::uint32_t a, std::uint32_t b) {
            const auto& one = m_resources[a];
            const auto& other = m_resources[b];
            const bool isOpen = one.open > 0 && other.open > 0;
            return isOpen ? one.free * other.psPerUnits < other.free * one.psPerUnits
                          : one.open > other.open;
        });
}

void
FairRates::Fix(Flow& flow, double rate)
{
    flow.isOpen = false;
    flow.rate = rate;
    --m_open;
    for (const auto& use : flow.uses)
    {
        auto& resource = m_resources[use.is.resource];
        resource.free -= use.is.psPerUnit * rate;
        resource.psPerUnits -= use.is.psPerUnit;
        --resource.open;
    }
}

} // namespace inca
