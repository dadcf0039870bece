/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/exchanges.h"

#include <string>
#include <utility>

namespace inca
{

namespace
{

class SwitchSum : public StepPlan
{
  public:
    explicit SwitchSum(const ExchangeSpec& spec, std::uint64_t elements)
        : StepPlan(spec.workers, 0, elements, spec.Means()),
          m_phase(spec.phase),
          m_oneIn(spec.OneIn()),
          m_gathered(spec.sharded && spec.expertsPerToken == 0 ? PayloadKind::WEIGHT
                                                               : PayloadKind::GRADIENT),
          m_steps(spec.sharded && spec.phase == SumPhase::ALL_REDUCE ? 2 : 1)
    {
    }

    Rank OneIn() const override
    {
        return m_oneIn;
    }

    std::uint32_t StepCount(Rank /*rank*/) const override
    {
        return m_steps;
    }

    Step At(Rank /*rank*/, std::uint32_t index) const override
    {
        Step step;
        step.reduction = ElementRange{0, Elements()};
        step.phase = m_steps == 1 ? m_phase
                     : index == 0 ? SumPhase::REDUCE_SCATTER
                                  : SumPhase::ALL_GATHER;
        step.update = step.phase == SumPhase::REDUCE_SCATTER && Means() != Meaning::COMBINE;
        step.gathered = m_gathered;
        step.oneIn = m_oneIn;
        return step;
    }

  private:
    SumPhase m_phase;
    Rank m_oneIn;
    PayloadKind m_gathered;
    std::uint32_t m_steps;
};

/**
 * Workers are homogeneous, but those with a part of their own get it in turn; switches cut nothing else. What some of them
 * add or get comes at a time of its own to each.
 */
ExchangeEntry
OnSwitches(std::string name, std::string meaning)
{
    ExchangeEntry entry{std::move(name), std::move(meaning), MakeSwitchSum};
    entry.aggregation = "slots";
    entry.shards = true;
    entry.blocks = [](const ExchangeSpec& spec) -> std::uint64_t {
        return spec.sharded ? spec.workers * spec.OneIn() : 1;
    };
    entry.symmetry = [](const ExchangeSpec& spec, bool /*alternates*/) {
        return spec.OneIn() > 1 ? ShiftSymmetry() : ShiftSymmetry{spec.sharded ? 0U : 1U, true};
    };
    return entry;
}

} // namespace

ExchangeEntry
SwitchSlotsExchange()
{
    auto entry = OnSwitches("switch-slots",
                            "the one switch of a star adds packet by packet, in a pool of slots");
    entry.inOneSwitch = true;
    return entry;
}

ExchangeEntry
SwitchTreeExchange()
{
    return OnSwitches(
        "switch-tree",
        "switches add in pools of slots, level by level up a tree, and pass the sums down");
}

std::unique_ptr<StepPlan>
MakeSwitchSum(const ExchangeSpec& spec, std::uint64_t elements)
{
    return std::make_unique<SwitchSum>(spec, elements);
}

} // namespace inca
