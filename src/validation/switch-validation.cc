/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-scheme.h"
#include "trace/trace-catalog.h"
#include "validation/switch.h"
#include "validation/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>

namespace inca
{

namespace
{

constexpr double g_psPerSecond = 1e12;
constexpr double g_million = 1e6;
constexpr std::array<std::uint64_t, 2> g_gigabits{10, 100};

// -- how far a prediction may be off, relative or in standard deviations
constexpr double g_bucketLimit = 0.001;
constexpr double g_poolLimit = 0.01;
constexpr double g_lineRateLimit = 0.01;
constexpr double g_switchMlLimit = 0.03;
constexpr double g_meanTimesLimit = 0.015;
constexpr double g_meanOfSeedsLimit = 0.01;
constexpr double g_deviationsLimit = 3.5;

/** 32,000 packets of 64: the ends of 1,000 rounds of 32 slots are 0.04 % of them. */
constexpr std::uint64_t g_poolValues = 2'048'000;

/**
 * 160,000 packets of 64, or 40,000 of 256: a round trip is at most 76 frame times (64 values at
 * 100 Gb/s) and the first exponents take 512 frames of 84 bytes, so the ends are below 0.2 %.
 */
constexpr std::uint64_t g_rateValues = 10'240'000;

std::string
RateName(std::uint64_t gigabitsPerSecond)
{
    return fmt::format("{} Gb/s", gigabitsPerSecond);
}

std::uint64_t
ValuesPerPacket(const Scenario& scenario)
{
    return ReadSlotSettings(scenario.aggregation).valuesPerPacket;
}

/** How long a run takes, against others: packets of all workers. */
double
Work(const Scenario& scenario, std::uint64_t values)
{
    return static_cast<double>(values) / static_cast<double>(ValuesPerPacket(scenario)) *
           scenario.cluster.workers * scenario.training.iterations;
}

/** The figure that lies farthest out, the first of equal ones. */
std::vector<Comparison>::iterator
WorstOf(std::vector<Comparison>::iterator begin, std::vector<Comparison>::iterator end)
{
    return std::max_element(begin, end, [](const Comparison& a, const Comparison& b) {
        return std::abs(*ErrorOf(a)) < std::abs(*ErrorOf(b));
    });
}

// -- single exchanges

/** A run of one exchange, and the figure that comes of it. */
struct ExchangeRun
{
    Scenario scenario;
    std::uint64_t values{0};
    std::string system;
    std::string figure;
    FigureUnit unit{FigureUnit::MILLION_VALUES_PER_SECOND}; ///< or seconds
    /** By the scenario that was run, in @p unit. */
    std::function<PublishedValue(const Scenario&)> published;
    std::optional<double> limit{};
};

Comparison
FigureOf(const std::string& model, const ExchangeRun& exchange, const MeasuredRun& run)
{
    const auto ps = static_cast<double>(run.ExchangePs());
    const double predicted =
        exchange.unit == FigureUnit::SECONDS
            ? ps / g_psPerSecond
            : static_cast<double>(exchange.values) * g_psPerSecond / ps / g_million;
    return {model,
            exchange.system,
            exchange.figure,
            exchange.unit,
            predicted,
            exchange.published(run.scenario),
            exchange.limit};
}

/** Figures in seconds are many: of each system, the table has the one that is farthest off. */
void
HideAllButTheWorst(std::vector<Comparison>& figures)
{
    for (auto begin = figures.begin(); begin != figures.end();)
    {
        const auto end = std::find_if(begin, figures.end(), [begin](const Comparison& other) {
            return other.system != begin->system || other.unit != begin->unit;
        });
        const auto worst = WorstOf(begin, end);
        for (auto figure = begin; figure != end; ++figure)
        {
            figure->onlyInCsv = figure->unit == FigureUnit::SECONDS && figure != worst;
        }
        begin = end;
    }
}

ValidationPart
ExchangePart(const std::string& name, std::vector<ExchangeRun> exchanges)
{
    ValidationPart part;
    for (const auto& exchange : exchanges)
    {
        part.runs.push_back({exchange.scenario, Work(exchange.scenario, exchange.values)});
    }
    part.compare = [name, exchanges = std::move(exchanges)](const auto& runs, const auto&) {
        PartReport report;
        for (std::size_t i = 0; i < exchanges.size(); ++i)
        {
            report.comparisons.push_back(FigureOf(name, exchanges[i], runs.at(i)));
        }
        HideAllButTheWorst(report.comparisons);
        return report;
    };
    return part;
}

auto
Always(double value, PublishedClass publishedClass, const char* source)
{
    return [=](const Scenario&) { return Single(value, publishedClass, source); };
}

/**
 * Every bucket of the reference's models alone, at 10 and 100 Gb/s, beside (packets - 1) x frame time +
 * round trip; and pools of 1, 4 and 32 slots at 100 Gb/s beside slots x values / round trip.
 */
std::vector<ExchangeRun>
ExchangesAlone()
{
    std::set<std::pair<std::uint64_t, std::uint64_t>> buckets; // rate and values
    for (const auto& times : SwitchReferenceTimes())
    {
        for (const auto& layer : FindTrace(times.trace).layers)
        {
            buckets.emplace(times.gigabitsPerSecond, layer.elements);
        }
    }
    std::vector<ExchangeRun> runs;
    for (const auto& bucket : buckets)
    {
        const auto values = bucket.second;
        runs.push_back({SwitchExchangeScenario(values, bucket.first),
                        values,
                        RateName(bucket.first),
                        fmt::format("{} values at once", values),
                        FigureUnit::SECONDS,
                        [values](const Scenario& run) {
                            const auto ps = static_cast<double>(SlotExchangePs(run, values));
                            return Single(ps / g_psPerSecond,
                                          PublishedClass::DERIVED,
                                          "packets and round trip");
                        },
                        g_bucketLimit});
    }
    for (const std::uint32_t slots : {1, 4, 32})
    {
        const auto scenario = SmallPoolScenario(g_poolValues, slots);
        runs.push_back(
            {scenario,
             g_poolValues,
             RateName(100),
             fmt::format(
                 "{} slot{} of {} values", slots, slots == 1 ? "" : "s", ValuesPerPacket(scenario)),
             FigureUnit::MILLION_VALUES_PER_SECOND,
             [](const Scenario& run) {
                 return Single(PooledValuesPerSecond(run) / g_million,
                               PublishedClass::DERIVED,
                               "slots and round trip");
             },
             g_poolLimit});
    }
    return runs;
}

/** Line rate with 64 and 256 values per packet at 10 and 100 Gb/s. */
std::vector<ExchangeRun>
LineRates()
{
    constexpr std::uint32_t workers = 2; // their number does not matter
    std::vector<ExchangeRun> runs;
    for (const auto& rate : g_switchMlLineRates)
    {
        runs.push_back(
            {SwitchMlScenario(g_rateValues, rate.valuesPerPacket, rate.gigabitsPerSecond, workers),
             g_rateValues,
             RateName(rate.gigabitsPerSecond),
             fmt::format("{} values per packet", rate.valuesPerPacket),
             FigureUnit::MILLION_VALUES_PER_SECOND,
             Always(rate.millions, PublishedClass::DERIVED, "SwitchML's frames"),
             g_lineRateLimit});
    }
    return runs;
}

/**
 * What SwitchML has measured with 4, 8 and 16 workers at 100 Gb/s; and NCCL on the same hosts beside our
 * ring, which is not judged: our hosts have neither its protocol nor its GPUs.
 */
std::vector<ExchangeRun>
SwitchMlRates()
{
    constexpr std::uint64_t gigabits = 100;
    constexpr std::uint32_t valuesPerPacket = 256;
    std::vector<ExchangeRun> runs;
    const auto add = [&runs](const Scenario& scenario,
                             const char* figure,
                             double millions,
                             std::optional<double> limit) {
        runs.push_back({scenario,
                        g_rateValues,
                        fmt::format("{} workers", scenario.cluster.workers),
                        figure,
                        FigureUnit::MILLION_VALUES_PER_SECOND,
                        Always(millions, PublishedClass::MEASURED, "SwitchML's plot"),
                        limit});
    };
    for (const auto& rates : g_switchMlRates)
    {
        add(SwitchMlScenario(g_rateValues, valuesPerPacket, gigabits, rates.workers),
            "slots, and SwitchML",
            rates.switchMlMillions,
            g_switchMlLimit);
    }
    for (const auto& rates : g_switchMlRates)
    {
        add(RingBesideScenario(g_rateValues, gigabits, rates.workers),
            "ring, and NCCL",
            rates.ncclMillions,
            {});
    }
    return runs;
}

// -- replays of ten iterations

std::string
FigureName(std::size_t iteration, const std::string& what)
{
    return fmt::format("{} iteration{}, {}", iteration + 1, iteration == 0 ? "" : "s", what);
}

double
SecondsAfter(const MeasuredRun& run, std::size_t iteration)
{
    return static_cast<double>(run.results.iterationEndsPs.at(iteration)) / g_psPerSecond;
}

double
MeanOf(const std::vector<double>& samples)
{
    return std::accumulate(samples.begin(), samples.end(), 0.0) /
           static_cast<double>(samples.size());
}

/** Of a sample: over n - 1. */
double
StandardDeviationOf(const std::vector<double>& samples)
{
    const auto mean = MeanOf(samples);
    double squares = 0;
    for (const auto sample : samples)
    {
        squares += (sample - mean) * (sample - mean);
    }
    return std::sqrt(squares / static_cast<double>(samples.size() - 1));
}

/** A figure of a replay, and where it stands: figures of a lower place come first. */
struct PlacedFigure
{
    int place;
    Comparison figure;
};

/** In the table; what comes behind is in the CSV alone. */
constexpr int g_meanTimesPlace = 0;
constexpr int g_meanOfSeedsPlace = 1;
constexpr int g_lastPointPlace = 2;
constexpr int g_worstPointPlace = 3;
constexpr int g_restPlace = 4;

/**
 * The figures of one model at one rate.
 * @param runs with the trace's own times, then with each seed
 */
std::vector<PlacedFigure>
ReplayFigures(const std::string& trace,
              std::uint64_t gigabits,
              const std::vector<MeasuredRun>& runs)
{
    constexpr std::size_t last = g_referenceIterations - 1;
    const auto* reference = FindReferenceTimes(trace, gigabits);
    std::vector<Comparison> points;
    std::vector<PlacedFigure> placed;
    const auto make = [&](std::size_t iteration, const std::string& what, double limit) {
        Comparison figure;
        figure.model = trace;
        figure.system = RateName(gigabits);
        figure.figure = FigureName(iteration, what);
        figure.limit = limit;
        if (reference != nullptr)
        {
            figure.published =
                Single(reference->seconds.at(iteration), PublishedClass::SIMULATED, "reference");
        }
        return figure;
    };
    for (std::size_t i = 0; i < g_referenceIterations; ++i)
    {
        auto figure = make(i, "mean times", g_meanTimesLimit);
        figure.predicted = SecondsAfter(runs.front(), i);
        if (i != last)
        {
            figure.limit.reset();
        }
        placed.push_back({i == last ? g_meanTimesPlace : g_restPlace, figure});
    }
    for (std::size_t i = 0; i < g_referenceIterations && runs.size() > 1; ++i)
    {
        std::vector<double> seconds;
        for (auto run = runs.begin() + 1; run != runs.end(); ++run)
        {
            seconds.push_back(SecondsAfter(*run, i));
        }
        const auto seeds = fmt::format("{} seeds", seconds.size());
        auto point = make(i, "spread of " + seeds, g_deviationsLimit);
        point.predicted = MeanOf(seconds);
        if (i == last)
        {
            auto mean = make(i, "mean of " + seeds, g_meanOfSeedsLimit);
            mean.predicted = point.predicted;
            placed.push_back({g_meanOfSeedsPlace, mean});
        }
        point.deviation = StandardDeviationOf(seconds);
        points.push_back(point);
    }
    if (!points.empty())
    {
        const auto worst = WorstOf(points.begin(), points.end() - 1);
        for (auto point = points.begin(); point != points.end(); ++point)
        {
            const bool isLast = point + 1 == points.end();
            placed.push_back({isLast           ? g_lastPointPlace
                              : point == worst ? g_worstPointPlace
                                               : g_restPlace,
                              *point});
        }
    }
    return placed;
}

/**
 * Ten iterations of @p trace over slots at 10 and 100 Gb/s. Beside the reference, where there is one:
 * with the trace's own times 10 iterations are judged; over @p seeds runs with random times the
 * reference's 10 iterations against the mean, and each of its ten points in standard deviations of that
 * point. A run of 10 iterations passes through all ten points.
 * @param seeds at least 2; they are 1, 2, ...
 * @throws InputError if there is no such trace
 */
ValidationPart
ReplayPart(const std::string& trace, std::uint32_t seeds)
{
    const auto values = FindTrace(trace).Elements();
    ValidationPart part;
    for (const auto gigabits : g_gigabits)
    {
        const auto meanTimes = SwitchReplayScenario(trace, gigabits);
        const auto work = Work(meanTimes, values);
        part.runs.push_back({meanTimes, work});
        const bool isRandom = FindReferenceTimes(trace, gigabits) != nullptr;
        for (std::uint32_t seed = 1; isRandom && seed <= seeds; ++seed)
        {
            part.runs.push_back({SwitchDrawnScenario(trace, gigabits, seed), work});
        }
    }
    part.compare = [trace](const std::vector<MeasuredRun>& runs, const auto&) {
        const auto perRate = static_cast<std::ptrdiff_t>(runs.size() / g_gigabits.size());
        std::vector<PlacedFigure> placed;
        auto begin = runs.begin();
        for (const auto gigabits : g_gigabits)
        {
            const auto figures = ReplayFigures(trace, gigabits, {begin, begin + perRate});
            placed.insert(placed.end(), figures.begin(), figures.end());
            begin += perRate;
        }
        std::stable_sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) {
            return a.place < b.place;
        });
        PartReport report;
        for (auto& [place, figure] : placed)
        {
            figure.onlyInCsv = place == g_restPlace;
            report.comparisons.push_back(std::move(figure));
        }
        return report;
    };
    return part;
}

ValidationPart
PartOf(const std::string& name, std::uint32_t seeds)
{
    return name == "exchange-alone" ? ExchangePart(name, ExchangesAlone())
           : name == "line-rate"    ? ExchangePart(name, LineRates())
           : name == "switchml"     ? ExchangePart(name, SwitchMlRates())
                                    : ReplayPart(name, seeds);
}

} // namespace

Validation
SwitchValidation()
{
    Validation validation;
    validation.name = "switch";
    validation.meaning = "slots in a switch: iteration times of a reference simulator, closed "
                         "forms, SwitchML's rates";
    validation.title = "Switches that aggregate: slots of one switch beside a reference simulator "
                       "(2 workers, 1 us links),\n"
                       "closed forms, and SwitchML (NSDI 2021); Mv/s: million values per second";
    validation.fixedKeys = {"training.trace",
                            "training.iterations",
                            "training.jitter",
                            "training.jitter_sd",
                            "cluster.workers",
                            "cluster.topology",
                            "cluster.bandwidth",
                            "exchange.algorithm",
                            "switch.slots",
                            "switch.values_per_packet",
                            "simulation.seed",
                            "simulation.warmup"};
    for (const auto* model : {"alexnet",
                              "bert",
                              "googlenet",
                              "inception",
                              "resnet50",
                              "resnet101",
                              "resnet152",
                              "vgg11",
                              "vgg16",
                              "vgg19"})
    {
        validation.models.push_back(std::string(model) + "-a100");
    }
    for (const auto* part : {"exchange-alone", "line-rate", "switchml"})
    {
        validation.models.emplace_back(part);
    }
    validation.parts = [](const auto& models, const ValidationRequest& request) {
        std::vector<ValidationPart> parts;
        for (const auto& model : models)
        {
            parts.push_back(PartOf(model, request.seeds));
        }
        return parts;
    };
    return validation;
}

} // namespace inca
