/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/key-trials.h"

#include "base/errors.h"
#include "experiment/run-experiment.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace inca
{

namespace
{

/** The time of an iteration with another value of a key. (ps) */
double
TimeWith(const KeyEffect& effect, double value, const VaryScenario& vary)
{
    const auto text = effect.unit == "s"       ? fmt::format("{:.0f}ps", value * 1e12)
                      : effect.unit == "bit/s" ? fmt::format("{:.0f}bps", value)
                      : effect.unit == "B/s"   ? fmt::format("{:.0f}Bps", value)
                      : effect.unit.empty()    ? fmt::format("{}", value)
                                               : fmt::format("{:.0f}{}", value, effect.unit);
    auto scenario = vary(effect.key + "=" + text);
    scenario.simulation.explains = false;
    return static_cast<double>(RunExperiment(scenario, {}).results.iterationTimePs);
}

/** Simulates other values of a key. */
class KeyTrial
{
  public:
    /** All outlive it. @param beforePs of an iteration */
    KeyTrial(const KeyEffect& effect, const RunResults& before, const VaryScenario& vary)
        : m_effect(effect),
          m_before(before),
          m_vary(vary)
    {
    }

    /** What a value that is better by @p factor saves of an iteration. (ps) */
    double SavedPs(double factor)
    {
        const auto known = m_savedPs.find(factor);
        return known != m_savedPs.end() ? known->second
                                        : m_savedPs.emplace(factor, Simulate(factor)).first->second;
    }

    bool IsOffAtOnce()
    {
        return !IsAsSaid(g_step, false) || !IsAsSaid(1 / g_step, false);
    }

    /** How much better the value may be. The time is convex in it, as the longest of many paths: there is one such value. */
    double HoldsUntil()
    {
        constexpr int halvings = 3;
        if (!IsAsSaid(g_step, true) || !IsAsSaid(1 / g_step, true))
        {
            return m_effect.value;
        }
        auto least = g_step;
        auto most = BETTER;
        for (int i = 0; i <= halvings && least < most; ++i)
        {
            const auto factor = i == 0 ? most : std::sqrt(least * most);
            (IsAsSaid(factor, true) ? least : most) = factor;
        }
        return m_effect.Better(least);
    }

  private:
    double Simulate(double factor) const
    {
        const bool isNumber = m_effect.unit.empty() && !m_effect.isLinear; // a window, or slots
        const auto value = m_effect.Better(factor);
        return static_cast<double>(m_before.iterationTimePs) -
               TimeWith(m_effect, isNumber ? std::ceil(value) : value, m_vary);
    }

    /** Whether that is what the path says, to a thousandth. @param withRounding and to the picosecond of each of its pieces */
    bool IsAsSaid(double factor, bool withRounding)
    {
        constexpr double off = 1e-3;
        const double iterations = m_before.measuredIterations;
        const auto savesPs = m_effect.SavesPs(factor) / iterations;
        const auto rounded = withRounding ? static_cast<double>(m_effect.pieces) / iterations : 0;
        return std::abs(SavedPs(factor) - savesPs) <= off * std::abs(savesPs) + rounded + 1;
    }

    static constexpr double g_step = 1.001;

    const KeyEffect& m_effect;
    const RunResults& m_before;
    const VaryScenario& m_vary;
    std::map<double, double> m_savedPs; ///< by factor
};

} // namespace

void
SimulateEffects(const VaryScenario& vary,
                std::size_t most,
                const std::function<void(double share)>& progress,
                RunRecord& record)
{
    std::size_t done = 0;
    for (auto& effect : record.effects)
    {
        if (done == most)
        {
            return;
        }
        if (!effect.isSetting || effect.value == 0)
        {
            continue;
        }
        KeyTrial trial(effect, record.results, vary);
        try
        {
            effect.savedPs = trial.SavedPs(BETTER);
            if (effect.isLinear)
            {
                effect.isOffAtOnce = trial.IsOffAtOnce();
                effect.holdsUntil = trial.HoldsUntil();
            }
        }
        catch (const InputError&) // more than is allowed, as of slots that a switch's memory holds
        {
        }
        progress(static_cast<double>(++done) / static_cast<double>(most));
    }
}

} // namespace inca
