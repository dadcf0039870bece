/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/inceptionn.h"

#include "scenario/keys.h"
#include "validation/validation.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace inca
{

namespace
{

constexpr std::uint32_t g_workers = 4;
constexpr double g_percent = 100;
constexpr double g_printedIterations = 100; // of Table II
constexpr std::size_t g_wa = 0;
constexpr std::size_t g_waCompressed = 1;
constexpr std::size_t g_ring = 2;
constexpr std::size_t g_ringCompressed = 3;

constexpr auto g_printed = PublishedClass::PRINTED;
constexpr auto g_measured = PublishedClass::MEASURED;
constexpr auto g_derived = PublishedClass::DERIVED;

using Seconds = PerSystem<double>;

/**
 * Computation after Table II: forward, backward, copy, sum and update. WA's systems have the table's
 * figures. A worker of a ring of 4 adds 3/4 of a gradient where the aggregator adds 3, so INC's systems
 * have a quarter of the table's sum, and the whole of its update.
 */
double
TableTwoComputation(const InceptionnModel& model, std::size_t system)
{
    const auto& steps = model.steps;
    const double sum = g_inceptionnSystems.at(system).isRing ? steps.sum / g_workers : steps.sum;
    return (steps.forward + steps.backward + steps.copy + sum + steps.update) / g_printedIterations;
}

/** Computation after Fig. 12: its share of Table II's total. */
double
FigureTwelveComputation(const InceptionnModel& model, std::size_t system)
{
    return model.bars->at(system).computation * (model.steps.total / g_printedIterations);
}

/**
 * Collects every figure of one model. Nothing overlaps on this testbed, so
 *     total = predicted communication + computation,
 * once with each of the two computations. A cut is 1 - system / WA, a speed-up WA / system. Figures
 * without a published number are there too, with nothing beside them.
 */
class Figures
{
  public:
    /** @param runs by system. Predicted communication is that of their breakdowns. */
    Figures(const InceptionnModel& model, const std::vector<MeasuredRun>& runs)
        : m_model(model),
          m_runs(runs),
          m_waTotal(model.steps.total / g_printedIterations)
    {
        constexpr double psPerSecond = 1e12;
        for (std::size_t i = 0; i < m_communication.size(); ++i)
        {
            const auto& results = runs.at(i).results;
            m_communication.at(i) = static_cast<double>(results.shares.communicationPs) /
                                    psPerSecond / results.measuredIterations;
        }
    }

    std::vector<Comparison> Take()
    {
        AddCommunication();
        AddCut(g_waCompressed, Single(30.8, g_printed, "text (about; all models)"));
        AddCut(g_ring, Single(m_model.ringCommunicationCut, g_printed, "text"));
        AddCut(g_ringCompressed, {70.9, 80.7, g_printed, "text (all models)"});
        AddTotals("Table II's computation", Totals(TableTwoComputation));
        if (m_model.bars)
        {
            const auto totals = Totals(FigureTwelveComputation);
            AddBars(totals);
            AddTotals("Fig. 12's computation", totals);
        }
        AddRatios();
        return std::move(m_figures);
    }

  private:
    void Add(std::size_t system,
             const std::string& figure,
             FigureUnit unit,
             double predicted,
             std::optional<PublishedValue> published,
             std::optional<double> limit = {})
    {
        m_figures.push_back({m_model.name,
                             g_inceptionnSystems.at(system).name,
                             figure,
                             unit,
                             predicted,
                             std::move(published),
                             limit});
    }

    static double CutPercent(const Seconds& seconds, std::size_t system)
    {
        return g_percent * (1 - seconds.at(system) / seconds.at(g_wa));
    }

    Seconds Totals(double (*computation)(const InceptionnModel&, std::size_t)) const
    {
        auto totals = m_communication;
        for (std::size_t i = 0; i < totals.size(); ++i)
        {
            totals.at(i) += computation(m_model, i);
        }
        return totals;
    }

    /** A part of a bar of Fig. 12, in seconds; empty where the model has none. */
    std::optional<PublishedValue> OfBar(std::size_t system, double InceptionnBar::*part) const
    {
        if (!m_model.bars)
        {
            return std::nullopt;
        }
        return Single(
            m_model.bars->at(system).*part * m_waTotal, g_derived, "Fig. 12 x Table II's total");
    }

    void AddCommunication()
    {
        const auto add = [this](std::size_t system,
                                std::optional<PublishedValue> published,
                                std::optional<double> limit) {
            const double predicted = m_communication.at(system);
            Add(system,
                "communication",
                FigureUnit::SECONDS,
                predicted,
                std::move(published),
                limit);
        };
        const double published = m_model.steps.communication / g_printedIterations;
        add(g_wa, Single(published, g_printed, "Table II"), m_model.stepsLimit);
        for (std::size_t i = m_model.bars ? g_wa : g_waCompressed; i < m_communication.size(); ++i)
        {
            add(i, OfBar(i, &InceptionnBar::communication), m_model.barsLimit);
        }
    }

    void AddCut(std::size_t system, const PublishedValue& published)
    {
        const auto add = [&](const PublishedValue& value) {
            const auto predicted = CutPercent(m_communication, system);
            Add(system, "communication cut", FigureUnit::PERCENT, predicted, value);
        };
        add(published);
        if (m_model.bars)
        {
            const auto& bars = *m_model.bars;
            const double left = bars.at(system).communication / bars.at(g_wa).communication;
            add(Single(g_percent * (1 - left), g_derived, "Fig. 12"));
        }
    }

    /** Totals with one computation, and what follows from them. */
    void AddTotals(const std::string& computation, const Seconds& totals)
    {
        for (std::size_t i = 0; i < totals.size(); ++i)
        {
            Add(i,
                "total with " + computation,
                FigureUnit::SECONDS,
                totals.at(i),
                i == g_wa ? Single(m_waTotal, g_printed, "Table II")
                          : OfBar(i, &InceptionnBar::total));
        }
        Add(g_ring,
            "total cut with " + computation,
            FigureUnit::PERCENT,
            CutPercent(totals, g_ring),
            Single(m_model.ringTotalCut, g_printed, "text"));
        const auto addSpeedUp = [&](const PublishedValue& published) {
            Add(g_ringCompressed,
                "speed-up with " + computation,
                FigureUnit::TIMES,
                totals.at(g_wa) / totals.at(g_ringCompressed),
                published);
        };
        addSpeedUp({2.2, 3.1, g_printed, "text (all models)"});
        if (m_model.bars)
        {
            addSpeedUp(Single(1 / m_model.bars->at(g_ringCompressed).total, g_derived, "Fig. 12"));
        }
    }

    /** The bars of Fig. 12, in percent of WA's as published, so that WA's own is seen to miss. */
    void AddBars(const Seconds& totals)
    {
        for (std::size_t i = 0; i < totals.size(); ++i)
        {
            Add(i,
                "time relative to published WA",
                FigureUnit::PERCENT,
                g_percent * totals.at(i) / m_waTotal,
                Single(g_percent * m_model.bars->at(i).total, g_measured, "Fig. 12"));
        }
    }

    void AddRatios()
    {
        for (const auto system : {g_waCompressed, g_ringCompressed})
        {
            const auto& ratio = m_runs.at(system).results.achievedRatio;
            for (const auto& published : {Single(m_model.ratio, g_measured, "Fig. 14(a)"),
                                          Single(TableThreeRatio(m_model), g_derived, "Table III")})
            {
                if (ratio)
                {
                    Add(system, "compression ratio", FigureUnit::TIMES, *ratio, published);
                }
            }
        }
    }

    const InceptionnModel& m_model;
    const std::vector<MeasuredRun>& m_runs;
    double m_waTotal; ///< as published, in seconds
    Seconds m_communication{};
    std::vector<Comparison> m_figures;
};

/** The four systems of one model; a run takes as long as its gradients are large. */
ValidationPart
PartOf(const InceptionnModel& model)
{
    ValidationPart part;
    for (const auto& system : g_inceptionnSystems)
    {
        part.runs.push_back({InceptionnScenario(model, system), model.gradientMiB});
    }
    part.compare = [&model](const auto& runs, const auto&) {
        return PartReport{Figures(model, runs).Take()};
    };
    return part;
}

} // namespace

const std::vector<InceptionnModel>&
InceptionnModels()
{
    static const std::vector<InceptionnModel> models{
        {"alexnet",
         233,
         {3.13, 16.22, 5.68, 8.94, 148.71, 13.67, 196.35},
         52,
         55,
         {74.9, 3.9, 21.1, 0.1},
         5.43,
         {{{{.247, .753, 1}, {.247, .542, .789}, {.147, .337, .484}, {.147, .174, .321}}}},
         0.05,
         0.15},
        // Its limit is wider, as its times are printed with two digits.
        {"hdc",
         2.5,
         {0.08, 0.07, 0, 0.09, 1.36, 0.09, 1.7},
         38,
         39,
         {92.0, 6.5, 1.5, 0.0},
         11.51,
         {{{{.200, .800, 1}, {.200, .574, .774}, {.132, .489, .621}, {.132, .226, .358}}}},
         {},
         0.20},
        {"resnet-50",
         98,
         {2.63, 4.87, 2.24, 3.68, 60.58, 1.55, 75.55},
         49,
         58,
         {81.6, 17.9, 0.5, 0.0},
         9.00,
         {},
         0.05},
        // An outlier in all its communication: no common link speed fits it and the others. The paper
        // prints 32.25 s forward; only 35.25 makes the column add up.
        {"vgg-16",
         525,
         {35.25, 142.34, 12.09, 19.89, 583.58, 30.50, 823.65},
         31,
         36,
         {94.2, 0.9, 4.9, 0.0},
         11.27},
    };
    return models;
}

double
TableThreeRatio(const InceptionnModel& model)
{
    constexpr double plainBits = 32;
    constexpr std::array<double, 4> widthBits{2, 10, 18, 34};
    double percent = 0;
    double bits = 0;
    for (std::size_t i = 0; i < widthBits.size(); ++i)
    {
        percent += model.widthPercent[i];
        bits += model.widthPercent[i] * widthBits[i];
    }
    return plainBits * percent / bits;
}

Scenario
InceptionnScenario(const InceptionnModel& model, const InceptionnSystem& system)
{
    Scenario scenario;
    scenario.training.trace = model.name;
    scenario.training.send = "end";
    scenario.cluster.workers = g_workers;
    scenario.cluster.bitsPerSecond = 10'000'000'000;
    scenario.cluster.latencyPs = 1'000'000;
    scenario.exchange.algorithm = "ring";
    if (!system.isRing)
    {
        scenario.exchange.algorithm = "worker-aggregator";
        scenario.exchange.broadcast = "binomial";
        scenario.exchange.sum = "after";
    }
    if (system.isCompressed)
    {
        scenario.codec.name = "inceptionn";
        scenario.codec.bound = 10;
        scenario.codec.placement = "nic";
    }
    SetKey(scenario, "host.preset", "inceptionn");
    if (model.steps.copy == 0)
    {
        scenario.host.copyBytesPerSecond = 0;
    }
    return scenario;
}

Validation
InceptionnValidation()
{
    Validation validation;
    validation.name = "inceptionn";
    validation.meaning =
        "INCEPTIONN (MICRO 2018): WA, WA+C, INC and INC+C, 4 workers, 10 GbE, bound 2^-10";
    validation.title =
        "INCEPTIONN (MICRO 2018): 4 workers, 10 GbE, bound 2^-10, sizes only; per iteration";
    validation.fixedKeys = {"cluster.workers"};
    for (const auto& model : InceptionnModels())
    {
        validation.models.push_back(model.name);
    }
    validation.parts = [](const auto& chosen, const ValidationRequest&) {
        std::vector<ValidationPart> parts;
        for (const auto& model : InceptionnModels())
        {
            if (std::find(chosen.begin(), chosen.end(), model.name) != chosen.end())
            {
                parts.push_back(PartOf(model));
            }
        }
        return parts;
    };
    return validation;
}

} // namespace inca
