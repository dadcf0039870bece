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

constexpr double SLACK{1e-9}; ///< of what is rounded

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
    for (const auto& use : uses)
    {
        auto& members = m_resources[use.resource].flows;
        flow.uses.push_back({use, static_cast<std::uint32_t>(members.size())});
        members.emplace_back(number, static_cast<std::uint32_t>(flow.uses.size() - 1));
    }
    flow.alone = 1 / std::max_element(uses.begin(), uses.end(), [](const auto& a, const auto& b) {
                         return a.psPerUnit < b.psPerUnit;
                     })->psPerUnit;
    flow.most = std::min(most, flow.alone);
    Want(flow, flow.most);
    MarkChanged(flow);
    Ask(number);
    return number;
}

void
FairRates::SetMost(FlowId number, double most)
{
    auto& flow = m_flows[number];
    const auto before = std::exchange(flow.most, std::min(most, flow.alone));
    if (flow.most != before)
    {
        Want(flow, flow.most - before);
        MarkChanged(flow);
        Ask(number);
    }
}

void
FairRates::Remove(FlowId number)
{
    auto& flow = m_flows[number];
    Want(flow, -flow.most);
    MarkChanged(flow);
    for (const auto& use : flow.uses)
    {
        auto& resource = m_resources[use.is.resource];
        const auto last = resource.flows.back();
        resource.flows[use.place] = last;
        m_flows[last.first].uses[last.second].place = use.place;
        resource.flows.pop_back();
        if (resource.flows.empty())
        {
            resource.wanted = 0; // without what rounding has left
        }
    }
    if (std::exchange(flow.isAsked, false))
    {
        m_asked.erase(std::find(m_asked.begin(), m_asked.end(), number));
    }
    m_unused.push_back(number);
}

const std::vector<FairRates::FlowId>&
FairRates::Update()
{
    ++m_update;
    m_affected.clear();
    for (const auto number : m_asked)
    {
        m_flows[number].isAsked = false;
        Gather(number);
    }
    m_asked.clear();
    for (const auto number : m_changed)
    {
        auto& resource = m_resources[number];
        resource.isChanged = false;
        const bool isShort = IsShort(resource);
        if (std::exchange(resource.isShort, isShort) || isShort)
        {
            for (const auto& [flow, use] : resource.flows)
            {
                Gather(flow);
            }
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

double
FairRates::FreeShare(const Resource& resource)
{
    constexpr double least = 0.01;
    return std::clamp(1 - resource.taken, least, 1.0);
}

bool
FairRates::IsShort(const Resource& resource)
{
    return resource.flows.size() > 1 && resource.wanted > FreeShare(resource) * (1 + SLACK);
}

/** Its rate is to be found. */
void
FairRates::Ask(FlowId number)
{
    if (!std::exchange(m_flows[number].isAsked, true))
    {
        m_asked.push_back(number);
    }
}

void
FairRates::MarkChanged(const Flow& flow)
{
    for (const auto& use : flow.uses)
    {
        auto& resource = m_resources[use.is.resource];
        if (!std::exchange(resource.isChanged, true))
        {
            m_changed.push_back(use.is.resource);
        }
    }
}

/** A flow would take of its resources what @p rate more of it takes. */
void
FairRates::Want(const Flow& flow, double rate)
{
    for (const auto& use : flow.uses)
    {
        m_resources[use.is.resource].wanted += use.is.psPerUnit * rate;
    }
}

/** What it gets if it has each of its resources alone. */
double
FairRates::MostNow(const Flow& flow) const
{
    auto rate = flow.most;
    for (const auto& use : flow.uses)
    {
        rate = std::min(rate, FreeShare(m_resources[use.is.resource]) / use.is.psPerUnit);
    }
    return rate;
}

void
FairRates::Reach(FlowId number)
{
    auto& flow = m_flows[number];
    if (flow.update != m_update)
    {
        flow.update = m_update;
        m_affected.push_back(number);
    }
}

/** Gives rates to all flows that reach each other, one of which is @p first, unless they have got them. */
void
FairRates::Gather(FlowId first)
{
    m_firstOfGroup = m_affected.size();
    m_shortOfGroup.clear();
    Reach(first);
    for (auto next = m_firstOfGroup; next < m_affected.size(); ++next)
    {
        for (const auto& use : m_flows[m_affected[next]].uses)
        {
            auto& resource = m_resources[use.is.resource];
            if (resource.update == m_update || !IsShort(resource))
            {
                continue;
            }
            resource.update = m_update;
            m_shortOfGroup.push_back(use.is.resource);
            for (const auto& [member, place] : resource.flows)
            {
                Reach(member);
            }
        }
    }
    if (m_firstOfGroup < m_affected.size())
    {
        Fill();
    }
}

/** Raises all rates of a group together, until a resource is full or a flow has its most; then those of the others. */
void
FairRates::Fill()
{
    if (m_affected.size() == m_firstOfGroup + 1)
    {
        Fix(m_affected.back(), MostNow(m_flows[m_affected.back()]));
        return;
    }
    m_limits.clear();
    for (const auto number : m_shortOfGroup)
    {
        auto& resource = m_resources[number];
        resource.free = FreeShare(resource);
        resource.psPerUnits = 0;
        resource.open = static_cast<std::uint32_t>(resource.flows.size());
        for (const auto& [flow, use] : resource.flows)
        {
            resource.psPerUnits += m_flows[flow].uses[use].is.psPerUnit;
        }
        m_limits.push_back({resource.free / resource.psPerUnits, false, number});
    }
    for (auto i = m_firstOfGroup; i < m_affected.size(); ++i)
    {
        m_flows[m_affected[i]].isOpen = true;
        m_limits.push_back({MostNow(m_flows[m_affected[i]]), true, m_affected[i]});
    }
    std::make_heap(m_limits.begin(), m_limits.end());
    while (!m_limits.empty())
    {
        std::pop_heap(m_limits.begin(), m_limits.end());
        const auto limit = m_limits.back();
        m_limits.pop_back();
        if (limit.isOfFlow)
        {
            if (m_flows[limit.number].isOpen)
            {
                Fix(limit.number, limit.rate);
            }
            continue;
        }
        const auto& resource = m_resources[limit.number];
        if (resource.open == 0)
        {
            continue;
        }
        const auto rate = resource.free / resource.psPerUnits;
        if (rate > limit.rate * (1 + SLACK)) // some of its flows get less elsewhere
        {
            m_limits.push_back({rate, false, limit.number});
            std::push_heap(m_limits.begin(), m_limits.end());
            continue;
        }
        FillFrom(limit.number, limit.rate);
    }
}

/** A resource is full: its flows without a rate have the same. */
void
FairRates::FillFrom(std::uint32_t number, double rate)
{
    for (const auto& [flow, use] : m_resources[number].flows)
    {
        if (m_flows[flow].isOpen)
        {
            Fix(flow, rate);
        }
    }
}

void
FairRates::Fix(FlowId number, double rate)
{
    auto& flow = m_flows[number];
    flow.isOpen = false;
    flow.rate = rate;
    for (const auto& use : flow.uses)
    {
        auto& resource = m_resources[use.is.resource];
        resource.free -= use.is.psPerUnit * rate;
        resource.psPerUnits -= use.is.psPerUnit;
        --resource.open;
    }
}

} // namespace inca
