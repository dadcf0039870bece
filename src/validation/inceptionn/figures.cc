/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/inceptionn/figures.h"

#include <string>
#include <utility>

namespace inca
{

namespace
{

constexpr double g_percent = 100;

using Seconds = PerSystem<double>;

double
CutPercent(const Seconds& seconds, InceptionnSystem system)
{
    return g_percent * (1 - seconds[IndexOf(system)] / seconds[IndexOf(InceptionnSystem::WA)]);
}

double
SpeedUp(const Seconds& seconds, InceptionnSystem system)
{
    return seconds[IndexOf(InceptionnSystem::WA)] / seconds[IndexOf(system)];
}

/** Collects the figures of one model. */
class Figures
{
  public:
    Figures(const InceptionnModel& model, const PerSystem<SystemPrediction>& predictions)
        : m_model(model),
          m_predictions(predictions)
    {
    }

    std::vector<Comparison> Take()
    {
        AddCommunication();
        AddCommunicationCuts();
        AddTotals("Table II's computation", Totals(TableTwoComputation));
        if (m_model.bars)
        {
            const auto totals = Totals([](const auto& model, auto system) {
                return *FigureTwelveComputation(model, system);
            });
            AddBars(totals);
            AddTotals("Fig. 12's computation", totals);
        }
        AddRatios();
        return std::move(m_figures);
    }

  private:
    const BarShares& Bar(InceptionnSystem system) const
    {
        return (*m_model.bars)[IndexOf(system)];
    }

    Seconds Communication() const
    {
        Seconds seconds{};
        for (const auto system : g_inceptionnSystems)
        {
            seconds[IndexOf(system)] = m_predictions[IndexOf(system)].communicationSeconds;
        }
        return seconds;
    }

    template <class Computation>
    Seconds Totals(Computation&& computation) const
    {
        auto seconds = Communication();
        for (const auto system : g_inceptionnSystems)
        {
            seconds[IndexOf(system)] += computation(m_model, system);
        }
        return seconds;
    }

    void Add(InceptionnSystem system,
             const std::string& figure,
             FigureUnit unit,
             double predicted,
             std::optional<PublishedValue> published,
             std::optional<double> limit = {})
    {
        m_figures.push_back({m_model.name,
                             SystemName(system),
                             figure,
                             unit,
                             predicted,
                             std::move(published),
                             limit});
    }

    void AddCommunication()
    {
        const auto seconds = Communication();
        Add(InceptionnSystem::WA,
            "communication",
            FigureUnit::SECONDS,
            seconds[IndexOf(InceptionnSystem::WA)],
            Single(m_model.steps.communication, PublishedClass::PRINTED, "Table II"),
            m_model.stepsLimit);
        for (const auto system : g_inceptionnSystems)
        {
            const auto predicted = seconds[IndexOf(system)];
            if (m_model.bars)
            {
                Add(system,
                    "communication",
                    FigureUnit::SECONDS,
                    predicted,
                    OfWaTotal(Bar(system).communication),
                    m_model.barsLimit);
            }
            else if (system != InceptionnSystem::WA)
            {
                Add(system, "communication", FigureUnit::SECONDS, predicted, {});
            }
        }
    }

    /** A share of Fig. 12, in seconds. */
    PublishedValue OfWaTotal(double share) const
    {
        return Single(
            share * m_model.steps.total, PublishedClass::DERIVED, "Fig. 12 x Table II's total");
    }

    void AddCommunicationCuts()
    {
        AddCommunicationCut(InceptionnSystem::WA_COMPRESSED,
                            Single(g_aggregatorCommunicationCutPercent,
                                   PublishedClass::PRINTED,
                                   "text (about; all models)"));
        AddCommunicationCut(
            InceptionnSystem::RING,
            Single(m_model.ringCommunicationCutPercent, PublishedClass::PRINTED, "text"));
        AddCommunicationCut(InceptionnSystem::RING_COMPRESSED,
                            {g_ringCompressedCutLowPercent,
                             g_ringCompressedCutHighPercent,
                             PublishedClass::PRINTED,
                             "text (all models)"});
    }

    void AddCommunicationCut(InceptionnSystem system, const PublishedValue& published)
    {
        const auto add = [&](const PublishedValue& value) {
            Add(system,
                "communication cut",
                FigureUnit::PERCENT,
                CutPercent(Communication(), system),
                value);
        };
        add(published);
        if (m_model.bars)
        {
            const double left = Bar(system).communication / Bar(InceptionnSystem::WA).communication;
            add(Single(g_percent * (1 - left), PublishedClass::DERIVED, "Fig. 12"));
        }
    }

    /** Totals with one computation, and what follows from them. */
    void AddTotals(const std::string& computation, const Seconds& seconds)
    {
        for (const auto system : g_inceptionnSystems)
        {
            Add(system,
                "total with " + computation,
                FigureUnit::SECONDS,
                seconds[IndexOf(system)],
                PublishedTotal(system));
        }
        Add(InceptionnSystem::RING,
            "total cut with " + computation,
            FigureUnit::PERCENT,
            CutPercent(seconds, InceptionnSystem::RING),
            Single(m_model.ringTotalCutPercent, PublishedClass::PRINTED, "text"));
        AddSpeedUp(computation,
                   seconds,
                   {g_ringCompressedSpeedUpLow,
                    g_ringCompressedSpeedUpHigh,
                    PublishedClass::PRINTED,
                    "text (all models)"});
        if (m_model.bars)
        {
            const auto& bar = Bar(InceptionnSystem::RING_COMPRESSED);
            AddSpeedUp(
                computation, seconds, Single(1 / bar.total, PublishedClass::DERIVED, "Fig. 12"));
        }
    }

    /** The bars of Fig. 12, in percent of WA's: what is predicted as well, so that WA's is seen to miss. */
    void AddBars(const Seconds& seconds)
    {
        for (const auto system : g_inceptionnSystems)
        {
            Add(system,
                "time relative to published WA",
                FigureUnit::PERCENT,
                g_percent * seconds[IndexOf(system)] / m_model.steps.total,
                Single(g_percent * Bar(system).total, PublishedClass::MEASURED, "Fig. 12"));
        }
    }

    void AddSpeedUp(const std::string& computation,
                    const Seconds& seconds,
                    PublishedValue published)
    {
        Add(InceptionnSystem::RING_COMPRESSED,
            "speed-up with " + computation,
            FigureUnit::TIMES,
            SpeedUp(seconds, InceptionnSystem::RING_COMPRESSED),
            std::move(published));
    }

    std::optional<PublishedValue> PublishedTotal(InceptionnSystem system) const
    {
        if (system == InceptionnSystem::WA)
        {
            return Single(m_model.steps.total, PublishedClass::PRINTED, "Table II");
        }
        return m_model.bars ? std::optional(OfWaTotal(Bar(system).total)) : std::nullopt;
    }

    void AddRatios()
    {
        for (const auto system : g_inceptionnSystems)
        {
            const auto& ratio = m_predictions[IndexOf(system)].ratio;
            if (ratio)
            {
                AddRatio(
                    system, *ratio, Single(m_model.ratio, PublishedClass::MEASURED, "Fig. 14(a)"));
                AddRatio(system,
                         *ratio,
                         Single(TableThreeRatio(m_model), PublishedClass::DERIVED, "Table III"));
            }
        }
    }

    void AddRatio(InceptionnSystem system, double ratio, PublishedValue published)
    {
        Add(system, "compression ratio", FigureUnit::TIMES, ratio, std::move(published));
    }

    const InceptionnModel& m_model;
    const PerSystem<SystemPrediction>& m_predictions;
    std::vector<Comparison> m_figures;
};

} // namespace

double
TableTwoComputation(const InceptionnModel& model, InceptionnSystem system)
{
    const auto& steps = model.steps;
    const double sum = IsRing(system) ? steps.sum / g_inceptionnWorkers : steps.sum;
    return steps.forward + steps.backward + steps.copy + sum + steps.update;
}

std::optional<double>
FigureTwelveComputation(const InceptionnModel& model, InceptionnSystem system)
{
    if (!model.bars)
    {
        return std::nullopt;
    }
    return (*model.bars)[IndexOf(system)].computation * model.steps.total;
}

std::vector<Comparison>
CompareInceptionn(const InceptionnModel& model, const PerSystem<SystemPrediction>& predictions)
{
    return Figures(model, predictions).Take();
}

} // namespace inca
