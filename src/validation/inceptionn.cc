/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/text-table.h"
#include "scenario/keys.h"
#include "validation/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

constexpr std::uint32_t g_workers = 4;
constexpr double g_printedIterations = 100; // of Table II
constexpr std::size_t g_wa = 0;
constexpr std::size_t g_waCompressed = 1;
constexpr std::size_t g_ring = 2;
constexpr std::size_t g_ringCompressed = 3;

/**
 * The numbers of "A Network-Centric Hardware/Algorithm Co-Design to Accelerate Distributed Training
 * of Deep Neural Networks" (INCEPTIONN, MICRO 2018, DOI 10.1109/MICRO.2018.00023) that a prediction
 * can be put beside: 4 workers, 10 GbE, error bound 2^-10.
 */

/** One of the paper's systems. */
struct InceptionnSystem
{
    const char* name;
    bool isRing;       ///< else worker-aggregator, with an aggregator beside the workers
    bool isCompressed; ///< gradients on their way up, or every hop of a ring
};

/** The four systems, in the order of Fig. 12. */
constexpr std::array<InceptionnSystem, 4> g_systems{
    {{"WA", false, false}, {"WA+C", false, true}, {"INC", true, false}, {"INC+C", true, true}}};

/** One entry per system, in the order of g_systems. */
template <class Entry>
using PerSystem = std::array<Entry, g_systems.size()>;

/** A column of Table II (printed): WA with 4 workers and 1 aggregator, in seconds per 100 iterations. */
struct InceptionnSteps
{
    double forward;
    double backward;
    double copy; ///< between GPU and host memory
    double sum;  ///< on the aggregator
    double communication;
    double update; ///< on the aggregator
    double total;
};

/** A bar of Fig. 12 (measured off the drawing, quantum 0.005), where WA's total is 1. */
struct InceptionnBar
{
    double computation;
    double communication;
    double total;
};

/** Of one of the two systems that Fig. 13 (printed) compares at the same accuracy. */
struct InceptionnTime
{
    double time; ///< in the unit of the training
    double epochs;
};

/** What a model's training takes, by Table I and Fig. 13. */
struct InceptionnTraining
{
    double batch;      ///< per worker
    double iterations; ///< Table I (printed)
    double images;     ///< of the data set
    FigureUnit unit;
    InceptionnTime wa;
    InceptionnTime ringCompressed;
};

constexpr double g_imageNet = 1'281'167;
constexpr double g_mnist = 60'000;

/** Everything published about one model. */
struct InceptionnModel
{
    const char* name;   ///< of its trace
    double gradientMiB; ///< printed
    InceptionnSteps steps;
    double ringTotalCut;                ///< INC against WA (printed, in percent)
    double ringCommunicationCut;        ///< INC against WA (printed, in percent)
    std::array<double, 4> widthPercent; ///< Table III (printed): values of 2, 10, 18, 34 bits
    double ratio;                       ///< Fig. 14(a) (measured, +-0.08)
    InceptionnTraining training;
    std::optional<PerSystem<InceptionnBar>> bars{}; ///< Fig. 12; two models can be read off it
    // -- how far a prediction may be off, relative; empty: not judged
    std::optional<double> stepsLimit{}; ///< Table II's communication
    std::optional<double> barsLimit{};  ///< Fig. 12's communication, each system
};

/** AlexNet, HDC, ResNet-50 and VGG-16. */
constexpr std::array<InceptionnModel, 4> g_models{{
    {"alexnet",
     233,
     {3.13, 16.22, 5.68, 8.94, 148.71, 13.67, 196.35},
     52,
     55,
     {74.9, 3.9, 21.1, 0.1},
     5.43,
     {64, 320'000, g_imageNet, FigureUnit::HOURS, {175, 64}, {56, 65}},
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
     {25, 10'000, g_mnist, FigureUnit::SECONDS, {170, 17}, {64, 18}},
     {{{{.200, .800, 1}, {.200, .574, .774}, {.132, .489, .621}, {.132, .226, .358}}}},
     {},
     0.20},
    // Table I's iterations are 30 epochs, and Fig. 13's 90 are 1.8 million iterations, of which its hours are made.
    {"resnet-50",
     98,
     {2.63, 4.87, 2.24, 3.68, 60.58, 1.55, 75.55},
     49,
     58,
     {81.6, 17.9, 0.5, 0.0},
     9.00,
     {16, 600'000, g_imageNet, FigureUnit::HOURS, {378, 90}, {127, 92}},
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
     11.27,
     {64, 370'000, g_imageNet, FigureUnit::HOURS, {847, 74}, {384, 75}}},
}};

/** 32 bits over the mean width of Table III. (derived) */
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

/**
 * One iteration as INCEPTIONN measured it: all gradients are exchanged at once after backward. Sizes only, so that every
 * hop has the width shares of a single worker's gradient, as in the paper. Hosts are those of host.preset "inceptionn", but
 * HDC does without copies to a GPU. examples/inceptionn/ holds the same scenarios as files.
 */
Scenario
InceptionnScenario(const InceptionnModel& model, const InceptionnSystem& system)
{
    Scenario scenario;
    scenario.training.trace = model.name;
    scenario.training.send = SendUnit::END;
    scenario.cluster.workers = g_workers;
    scenario.cluster.bitsPerSecond = 10'000'000'000;
    scenario.cluster.latencyPs = 1'000'000;
    scenario.exchange.algorithm = "ring";
    if (!system.isRing)
    {
        scenario.exchange.algorithm = "worker-aggregator";
        scenario.exchange.broadcast = "binomial";
        scenario.exchange.sumOnArrival = false;
    }
    if (system.isCompressed)
    {
        scenario.codec.name = "inceptionn";
        scenario.codec.bound = 10;
        scenario.codec.placement = CodecPlacement::NIC;
    }
    SetKey(scenario, "host.preset", "inceptionn");
    if (model.steps.copy == 0)
    {
        scenario.host.copyBytesPerSecond = 0;
    }
    return scenario;
}

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
    const double sum = g_systems.at(system).isRing ? steps.sum / g_workers : steps.sum;
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
class ModelFigures
{
  public:
    /** @param runs by system. Predicted communication is that of their breakdowns. */
    ModelFigures(const InceptionnModel& model, const std::vector<MeasuredRun>& runs)
        : m_model(model),
          m_waTotal(model.steps.total / g_printedIterations)
    {
        constexpr double psPerSecond = 1e12;
        for (std::size_t i = 0; i < m_communication.size(); ++i)
        {
            const auto& results = runs.at(i).results;
            m_communication.at(i) = static_cast<double>(results.shares.communicationPs) /
                                    psPerSecond / results.measuredIterations;
        }
        AddCommunication();
        AddTotals("Table II's computation", Totals(TableTwoComputation));
        if (model.bars)
        {
            const auto totals = Totals(FigureTwelveComputation);
            for (std::size_t i = 0; i < totals.size(); ++i) // so that WA's own is seen to miss
            {
                Add(i,
                    "time relative to published WA",
                    FigureUnit::PERCENT,
                    g_percent * totals.at(i) / m_waTotal,
                    {Single(g_percent * model.bars->at(i).total,
                            PublishedClass::PUBLISHED,
                            "Fig. 12, read off")});
            }
            AddTotals("Fig. 12's computation", totals);
        }
        for (const auto system : {g_waCompressed, g_ringCompressed})
        {
            if (const auto& ratio = runs.at(system).results.achievedRatio)
            {
                Add(system,
                    "compression ratio",
                    FigureUnit::TIMES,
                    *ratio,
                    {Single(model.ratio, PublishedClass::PUBLISHED, "Fig. 14(a), read off"),
                     Single(TableThreeRatio(model), PublishedClass::DERIVED, "Table III")});
            }
        }
    }

    std::vector<Comparison> Take()
    {
        return std::move(m_figures);
    }

  private:
    using Published = std::optional<PublishedValue>;

    /** Adds a prediction once for each of @p published. */
    void Add(std::size_t system,
             const std::string& figure,
             FigureUnit unit,
             double predicted,
             const std::vector<Published>& published,
             std::optional<double> limit = {})
    {
        for (const auto& one : published)
        {
            m_figures.push_back(
                {m_model.name, g_systems.at(system).name, figure, unit, predicted, one, limit});
        }
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
    Published OfBar(std::size_t system, double InceptionnBar::*part) const
    {
        return m_model.bars ? Published(Single(m_model.bars->at(system).*part * m_waTotal,
                                               PublishedClass::DERIVED,
                                               "Fig. 12 x Table II's total"))
                            : std::nullopt;
    }

    /** @return @p printed, and what Fig. 12 gives where it can be read */
    template <class OfBars>
    std::vector<Published> WithBars(const PublishedValue& printed, OfBars ofBars) const
    {
        std::vector<Published> published{printed};
        if (m_model.bars)
        {
            published.emplace_back(
                Single(ofBars(*m_model.bars), PublishedClass::DERIVED, "Fig. 12"));
        }
        return published;
    }

    void AddCommunication()
    {
        const auto add = [this](std::size_t system, const Published& published, auto limit) {
            Add(system,
                "communication",
                FigureUnit::SECONDS,
                m_communication.at(system),
                {published},
                limit);
        };
        const double published = m_model.steps.communication / g_printedIterations;
        add(g_wa, Single(published, PublishedClass::PUBLISHED, "Table II"), m_model.stepsLimit);
        for (std::size_t i = m_model.bars ? g_wa : g_waCompressed; i < m_communication.size(); ++i)
        {
            add(i, OfBar(i, &InceptionnBar::communication), m_model.barsLimit);
        }
        const auto addCut = [this](std::size_t system, const PublishedValue& printed) {
            Add(system,
                "communication cut",
                FigureUnit::PERCENT,
                CutPercent(m_communication, system),
                WithBars(printed, [system](const auto& bars) {
                    return g_percent *
                           (1 - bars.at(system).communication / bars.at(g_wa).communication);
                }));
        };
        addCut(g_waCompressed, Single(30.8, PublishedClass::PUBLISHED, "text (about; all models)"));
        addCut(g_ring, Single(m_model.ringCommunicationCut, PublishedClass::PUBLISHED, "text"));
        addCut(g_ringCompressed, {70.9, 80.7, PublishedClass::PUBLISHED, "text (all models)"});
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
                {i == g_wa ? Single(m_waTotal, PublishedClass::PUBLISHED, "Table II")
                           : OfBar(i, &InceptionnBar::total)});
        }
        Add(g_ring,
            "total cut with " + computation,
            FigureUnit::PERCENT,
            CutPercent(totals, g_ring),
            {Single(m_model.ringTotalCut, PublishedClass::PUBLISHED, "text")});
        Add(g_ringCompressed,
            "speed-up with " + computation,
            FigureUnit::TIMES,
            totals.at(g_wa) / totals.at(g_ringCompressed),
            WithBars({2.2, 3.1, PublishedClass::PUBLISHED, "text (all models)"},
                     [](const auto& bars) { return 1 / bars.at(g_ringCompressed).total; }));
        AddTraining(computation, totals);
    }

    /**
     * Training to the same accuracy: iterations times @p totals. Table I's iterations are WA's, and INC+C's are more as its
     * epochs are. Fig. 13's epochs are so many images, a batch of each worker at a time.
     */
    void AddTraining(const std::string& computation, const Seconds& totals)
    {
        constexpr double secondsPerHour = 3600;
        const auto& training = m_model.training;
        const auto add = [&](const char* which, double iterationsPerEpoch) {
            for (const auto& [system, published] :
                 {std::pair{g_wa, training.wa},
                  std::pair{g_ringCompressed, training.ringCompressed}})
            {
                const auto seconds = iterationsPerEpoch * published.epochs * totals.at(system);
                Add(system,
                    fmt::format("training by {} with {}", which, computation),
                    training.unit,
                    training.unit == FigureUnit::HOURS ? seconds / secondsPerHour : seconds,
                    {Single(published.time, PublishedClass::PUBLISHED, "Fig. 13")});
            }
        };
        add("Table I's iterations", training.iterations / training.wa.epochs);
        add("Fig. 13's epochs", training.images / (training.batch * g_workers));
    }

    const InceptionnModel& m_model;
    double m_waTotal; ///< as published, in seconds
    Seconds m_communication{};
    std::vector<Comparison> m_figures;
};

/** The four systems of one model; a run takes as long as its gradients are large. */
ValidationPart
ModelPartOf(const InceptionnModel& model)
{
    ValidationPart part;
    for (const auto& system : g_systems)
    {
        part.runs.push_back({InceptionnScenario(model, system), model.gradientMiB});
    }
    part.compare = [&model](const auto& runs) { return ModelFigures(model, runs).Take(); };
    return part;
}

} // namespace

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
    for (const auto& model : g_models)
    {
        validation.models.emplace_back(model.name);
    }
    validation.part = [](const std::string& name, const ValidationRequest& /*request*/) {
        return ModelPartOf(
            *std::find_if(g_models.begin(), g_models.end(), [&name](const auto& model) {
                return model.name == name;
            }));
    };
    return validation;
}

} // namespace inca
