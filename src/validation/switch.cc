/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/units.h"
#include "exchange/slot-scheme.h"
#include "record/sample.h"
#include "scenario/keys.h"
#include "trace/trace-catalog.h"
#include "validation/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <sstream>
#include <utility>

namespace inca
{

namespace
{

constexpr double g_psPerSecond = 1e12;
constexpr double g_million = 1e6;
constexpr std::array<std::uint64_t, 2> g_gigabits{10, 100};

// -- numbers of others

/** So many iterations the reference simulator was run for, from 1 on. */
constexpr std::size_t g_referenceIterations = 10;

/**
 * What an independent packet-level simulator of SwitchML (OMNeT++, public) gives: the time from the
 * start until every worker has ended its last update, by iterations. Each is one random run, whose
 * compute times are drawn from a normal distribution with a relative deviation of 2 %. (simulated)
 */
struct ReferenceTimes
{
    std::string trace;
    std::uint64_t gigabitsPerSecond{0};
    std::array<double, g_referenceIterations> seconds{}; ///< after 1, 2, ... iterations
};

/** A trace, its rate in Gb/s, and the seconds after 1, 2, ... iterations. */
constexpr const char* g_referenceTimes = R"(
alexnet-a100 10
  0.278793241348 0.55737556696 0.83469933826 1.11475938086 1.395157222529
  1.670398885594 1.950908785259 2.224619898205 2.506831098765 2.783059617631
alexnet-a100 100
  0.138387987434 0.276321785314 0.413612672199 0.554477611276 0.694796962147
  0.832558935996 0.971116481763 1.110656451494 1.245595607024 1.384723404524
resnet101-a100 10
  0.193342706147 0.38504875631 0.578239414322 0.770428136736 0.96370890181
  1.157690747172 1.348882671566 1.540631853734 1.732838739041 1.925654892063
resnet101-a100 100
  0.13964541404 0.280142716222 0.420610712289 0.561928450832 0.702512862175
  0.8376423879 0.978061502398 1.120908340898 1.260554771344 1.396771002384
resnet50-a100 10
  0.150167997092 0.300700530453 0.45011673194 0.602614385923 0.757969951707
  0.910110178978 1.055331510312 1.208277785687 1.3571418023 1.517912289484
resnet50-a100 100
  0.149248521734 0.297182923917 0.451250142388 0.599611654746 0.749971071605
  0.90476630969 1.053424422633 1.201438378134 1.352508563481 1.503244190793
vgg11-a100 10
  0.466930762775 0.934005549012 1.40075226781 1.867381407326 2.336072643945
  2.801301827387 3.269948321458 3.735486430045 4.203378670679 4.66972228259
vgg11-a100 100
  0.094933441665 0.189783763658 0.284618862057 0.38268250875 0.478901232129
  0.572248421525 0.667190589037 0.768086513751 0.856477590156 0.950461158257
vgg16-a100 10
  0.517781309667 1.033360175055 1.549026890472 2.065870763964 2.583554762271
  3.099346137239 3.61830077596 4.132520627097 4.646790952865 5.165279283306
vgg16-a100 100
  0.204498354531 0.417676835099 0.615681245397 0.813248533891 1.028731825014
  1.224947582441 1.438608617745 1.640701597503 1.850452174574 2.050455090994
)";

/** Five models at 10 and 100 Gb/s. */
const std::vector<ReferenceTimes>&
SwitchReferenceTimes()
{
    static const auto times = [] {
        std::vector<ReferenceTimes> all;
        std::istringstream text(g_referenceTimes);
        for (ReferenceTimes one; text >> one.trace >> one.gigabitsPerSecond;)
        {
            for (auto& seconds : one.seconds)
            {
                text >> seconds;
            }
            all.push_back(one);
        }
        return all;
    }();
    return times;
}

/** @return those of @p trace at that rate, or nothing */
const ReferenceTimes*
FindReferenceTimes(const std::string& trace, std::uint64_t gigabitsPerSecond)
{
    for (const auto& times : SwitchReferenceTimes())
    {
        if (times.trace == trace && times.gigabitsPerSecond == gigabitsPerSecond)
        {
            return &times;
        }
    }
    return nullptr;
}

/** Values that a 100 Gb/s worker adds per second (SwitchML, NSDI 2021). */
struct MeasuredRates
{
    std::uint32_t workers{0};
    double switchMlMillions{0}; ///< 256 values per packet (measured, off a plot, +-20)
    double ncclMillions{0};     ///< over RDMA on the same hosts (the same plot)
};

constexpr std::array<MeasuredRates, 3> g_switchMlRates{
    {{4, 2830, 1380}, {8, 2820, 1250}, {16, 2810, 970}}};

/** Values per second at line rate after SwitchML's frame. (derived) */
struct LineRate
{
    std::uint32_t valuesPerPacket{0};
    std::uint64_t gigabitsPerSecond{0};
    double millions{0};
};

/** Its two packet sizes at 10 and 100 Gb/s. */
constexpr std::array<LineRate, 4> g_switchMlLineRates{
    {{64, 10, 236.7}, {64, 100, 2366.9}, {256, 10, 289.3}, {256, 100, 2893.3}}};

// -- scenarios

using Settings = std::vector<std::pair<const char*, std::string>>;

/** @p workers under one switch, links of 1 us, and SwitchML's pool: 128 slots at 10 Gb/s, 512 at 100. */
Scenario
Slots(std::uint32_t workers, std::uint64_t gigabits, const Settings& settings)
{
    Scenario scenario;
    SetKey(scenario, "cluster.workers", std::to_string(workers));
    SetKey(scenario, "cluster.bandwidth", fmt::format("{}Gbps", gigabits));
    SetKey(scenario, "cluster.latency", "1us");
    SetKey(scenario, "exchange.algorithm", "switch-slots");
    SetKey(scenario, "switch.slots", gigabits <= 10 ? "128" : "512");
    for (const auto& [key, text] : settings)
    {
        SetKey(scenario, key, text);
    }
    return scenario;
}

/** A tensor of @p values of 4 bytes. */
std::string
Tensor(std::uint64_t values)
{
    return fmt::format("tensor:{}B", 4 * values);
}

/** The reference simulator's network: 2 workers, 9000 bytes of 2229 values (ours are 8998 on the wire), no exponents. */
Scenario
ReplayNetwork(const std::string& trace, std::uint64_t gigabits)
{
    return Slots(2,
                 gigabits,
                 {{"training.trace", trace},
                  {"cluster.mtu", "9000"},
                  {"switch.values_per_packet", "2229"},
                  {"switch.scaling", "fixed"}});
}

/**
 * Ten iterations of @p trace as the reference simulator replays them: a layer of the trace is a bucket, which starts when
 * both workers have it, one at a time, in that order. Compute times are the trace's own.
 */
Scenario
ReplayScenario(const std::string& trace, std::uint64_t gigabits)
{
    auto scenario = ReplayNetwork(trace, gigabits);
    scenario.training.iterations = g_referenceIterations;
    scenario.training.send = "layer";
    scenario.training.update = "host"; // beside passes, and a layer's next one waits for its own
    scenario.exchange.start = "together";
    scenario.host.copyBytesPerSecond = 0;
    return scenario;
}

/** One exchange of @p values as SwitchML does it: its pool, its packets, exponents ahead. */
Scenario
SwitchMlScenario(std::uint64_t values,
                 std::uint32_t valuesPerPacket,
                 std::uint64_t gigabits,
                 std::uint32_t workers)
{
    return Slots(workers,
                 gigabits,
                 {{"training.trace", Tensor(values)},
                  {"switch.values_per_packet", std::to_string(valuesPerPacket)}});
}

/** The same over a ring of hosts that cost nothing but the wire. */
Scenario
RingScenario(std::uint64_t values, std::uint64_t gigabits, std::uint32_t workers)
{
    Scenario scenario;
    scenario.cluster = SwitchMlScenario(values, 256, gigabits, workers).cluster;
    scenario.training.trace = Tensor(values);
    scenario.exchange.algorithm = "ring";
    scenario.host.sumBytesPerSecond = 0;
    return scenario;
}

/**
 * Closed forms of slots in one switch under a star of equal links, without loss, with fixed scaling
 * and an adder that is no limit. They know nothing of the simulator: only SwitchML's frame and
 * arithmetic.
 */
class SlotTimes
{
  public:
    explicit SlotTimes(const Scenario& scenario)
        : m_valuesPerPacket(ReadSlotSettings(scenario.aggregation).valuesPerPacket),
          m_slots(ReadSlotSettings(scenario.aggregation).slots)
    {
        // preamble, Ethernet, IP, UDP, SwitchML, FCS, gap
        constexpr std::uint64_t around = 8 + 14 + 20 + 8 + 16 + 4 + 12;
        m_framePs = SerialisationPs(around + 4 * m_valuesPerPacket, scenario.cluster.bitsPerSecond);
        m_roundTripPs = 2 * (m_framePs + scenario.cluster.latencyPs) + scenario.inSwitch.latencyPs;
    }

    /**
     * @p values at once, where the pool is no limit (slots x frame time of a round trip and more): packets follow each
     * other without a gap, (packets - 1) x frame time + round trip. A round trip is a packet alone: up and down a link
     * each, stored and forwarded, and the switch between them.
     */
    double ExchangeSeconds(std::uint64_t values) const
    {
        const auto packets =
            static_cast<std::int64_t>((values + m_valuesPerPacket - 1) / m_valuesPerPacket);
        return static_cast<double>((packets - 1) * m_framePs + m_roundTripPs) / g_psPerSecond;
    }

    /** Values per second where the pool is the limit: every slot carries its values once a round trip. */
    double PooledRate() const
    {
        return static_cast<double>(m_slots * m_valuesPerPacket) * g_psPerSecond /
               static_cast<double>(m_roundTripPs);
    }

  private:
    std::uint64_t m_valuesPerPacket;
    std::uint64_t m_slots;
    std::int64_t m_framePs;
    std::int64_t m_roundTripPs;
};

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

using Figures = std::vector<Comparison>;

/** The figure that lies farthest out, the first of equal ones. */
Figures::iterator
WorstOf(Figures::iterator begin, Figures::iterator end)
{
    return std::max_element(begin, end, [](const Comparison& a, const Comparison& b) {
        return std::abs(*ErrorOf(a)) < std::abs(*ErrorOf(b));
    });
}

// -- single exchanges

/** A run of one exchange, and the figure that comes of it, but for what is predicted. */
struct ExchangeRun
{
    Scenario scenario;
    std::uint64_t values{0};
    Comparison figure;
    std::function<double(const SlotTimes&)>
        closedForm; ///< of the scenario that is run; empty: is published
};

Comparison
FigureOf(const ExchangeRun& exchange, const MeasuredRun& run)
{
    const auto ps = static_cast<double>(run.ExchangePs());
    auto figure = exchange.figure;
    figure.predicted = figure.unit == FigureUnit::SECONDS
                           ? ps / g_psPerSecond
                           : static_cast<double>(exchange.values) * g_psPerSecond / ps / g_million;
    if (exchange.closedForm)
    {
        const auto value = exchange.closedForm(SlotTimes(run.scenario));
        figure.published = Single(value, PublishedClass::DERIVED, figure.published->source);
    }
    return figure;
}

/** Figures in seconds are many: of each system, the table has the one that is farthest off. */
void
HideAllButTheWorst(Figures& figures)
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

/**
 * Every bucket of the reference's models alone, at 10 and 100 Gb/s, beside (packets - 1) x frame time +
 * round trip; and pools of 1, 4 and 32 slots at 100 Gb/s beside slots x values / round trip.
 */
std::vector<ExchangeRun>
ExchangesAlone(const std::string& name)
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
    for (const auto& [gigabits, values] : buckets)
    {
        const Comparison figure{name,
                                RateName(gigabits),
                                fmt::format("{} values at once", values),
                                FigureUnit::SECONDS,
                                0,
                                Single(0, PublishedClass::DERIVED, "packets and round trip"),
                                g_bucketLimit};
        runs.push_back(
            {ReplayNetwork(Tensor(values), gigabits),
             values,
             figure,
             [count = values](const auto& times) { return times.ExchangeSeconds(count); }});
    }
    for (const std::uint32_t slots : {1, 4, 32})
    {
        auto scenario = SwitchMlScenario(g_poolValues, 64, 100, 2);
        SetKey(scenario, "switch.slots", std::to_string(slots));
        SetKey(scenario, "switch.scaling", "fixed");
        const Comparison figure{name,
                                RateName(100),
                                fmt::format("{} slot{} of 64 values", slots, slots == 1 ? "" : "s"),
                                FigureUnit::MILLION_VALUES_PER_SECOND,
                                0,
                                Single(0, PublishedClass::DERIVED, "slots and round trip"),
                                g_poolLimit};
        runs.push_back({scenario, g_poolValues, figure, [](const auto& times) {
                            return times.PooledRate() / g_million;
                        }});
    }
    return runs;
}

/** Line rate with 64 and 256 values per packet at 10 and 100 Gb/s. */
std::vector<ExchangeRun>
LineRates(const std::string& name)
{
    constexpr std::uint32_t workers = 2; // their number does not matter
    std::vector<ExchangeRun> runs;
    for (const auto& rate : g_switchMlLineRates)
    {
        const Comparison figure{name,
                                RateName(rate.gigabitsPerSecond),
                                fmt::format("{} values per packet", rate.valuesPerPacket),
                                FigureUnit::MILLION_VALUES_PER_SECOND,
                                0,
                                Single(rate.millions, PublishedClass::DERIVED, "SwitchML's frames"),
                                g_lineRateLimit};
        runs.push_back(
            {SwitchMlScenario(g_rateValues, rate.valuesPerPacket, rate.gigabitsPerSecond, workers),
             g_rateValues,
             figure,
             {}});
    }
    return runs;
}

/**
 * What SwitchML has measured with 4, 8 and 16 workers at 100 Gb/s; and NCCL on the same hosts beside our
 * ring, which is not judged: our hosts have neither its protocol nor its GPUs.
 */
std::vector<ExchangeRun>
SwitchMlRates(const std::string& name)
{
    std::vector<ExchangeRun> runs;
    for (const bool isRing : {false, true})
    {
        for (const auto& rates : g_switchMlRates)
        {
            const Comparison figure{name,
                                    fmt::format("{} workers", rates.workers),
                                    isRing ? "ring, and NCCL" : "slots, and SwitchML",
                                    FigureUnit::MILLION_VALUES_PER_SECOND,
                                    0,
                                    Single(isRing ? rates.ncclMillions : rates.switchMlMillions,
                                           PublishedClass::MEASURED,
                                           "SwitchML's plot"),
                                    isRing ? std::nullopt : std::optional(g_switchMlLimit)};
            runs.push_back({isRing ? RingScenario(g_rateValues, 100, rates.workers)
                                   : SwitchMlScenario(g_rateValues, 256, 100, rates.workers),
                            g_rateValues,
                            figure,
                            {}});
        }
    }
    return runs;
}

ValidationPart
ExchangePart(std::vector<ExchangeRun> exchanges)
{
    ValidationPart part;
    for (const auto& exchange : exchanges)
    {
        part.runs.push_back({exchange.scenario, Work(exchange.scenario, exchange.values)});
    }
    part.compare = [exchanges = std::move(exchanges)](const auto& runs) {
        Figures all;
        for (std::size_t i = 0; i < exchanges.size(); ++i)
        {
            all.push_back(FigureOf(exchanges[i], runs.at(i)));
        }
        HideAllButTheWorst(all);
        return all;
    };
    return part;
}

// -- replays of ten iterations

/**
 * Figures of replays in the order in which a report has them: mean times, means of seeds, last points, worst other points;
 * then the rest, which is in the CSV alone.
 */
struct ReplayFigures
{
    Figures meanTimes;
    Figures meanOfSeeds;
    Figures lastPoint;
    Figures worstPoint;
    Figures rest;

    Figures All() const
    {
        Figures all;
        for (const auto* some : {&meanTimes, &meanOfSeeds, &lastPoint, &worstPoint, &rest})
        {
            all.insert(all.end(), some->begin(), some->end());
        }
        return all;
    }
};

/** Adds the figures of one model at one rate. @param runs with the trace's own times, then with each seed */
void
AddReplay(const std::string& trace,
          std::uint64_t gigabits,
          const std::vector<MeasuredRun>& runs,
          ReplayFigures& figures)
{
    const auto* reference = FindReferenceTimes(trace, gigabits);
    const auto seeds = fmt::format("{} seeds", runs.size() - 1);
    const auto make = [&](std::size_t i, const std::string& what, double predicted, double limit) {
        Comparison figure{trace,
                          RateName(gigabits),
                          fmt::format("{} iteration{}, {}", i + 1, i == 0 ? "" : "s", what),
                          FigureUnit::SECONDS,
                          predicted,
                          {},
                          limit};
        if (reference != nullptr)
        {
            figure.published =
                Single(reference->seconds.at(i), PublishedClass::SIMULATED, "reference");
        }
        return figure;
    };
    Figures points;
    for (std::size_t i = 0; i < g_referenceIterations; ++i)
    {
        const bool isLast = i + 1 == g_referenceIterations;
        std::vector<double> seconds;
        for (const auto& run : runs)
        {
            seconds.push_back(static_cast<double>(run.results.iterationEndsPs.at(i)) /
                              g_psPerSecond);
        }
        auto own = make(i, "mean times", seconds.front(), g_meanTimesLimit);
        own.limit = isLast ? own.limit : std::nullopt;
        own.onlyInCsv = !isLast;
        (isLast ? figures.meanTimes : figures.rest).push_back(own);
        seconds.erase(seconds.begin());
        if (!seconds.empty())
        {
            const auto sample = SampleOf(seconds);
            points.push_back(make(i, "spread of " + seeds, sample.mean, g_deviationsLimit));
            points.back().deviation = sample.deviation;
            if (isLast)
            {
                figures.meanOfSeeds.push_back(
                    make(i, "mean of " + seeds, sample.mean, g_meanOfSeedsLimit));
            }
        }
    }
    if (!points.empty())
    {
        figures.lastPoint.push_back(points.back());
        points.pop_back();
        const auto worst = WorstOf(points.begin(), points.end());
        figures.worstPoint.push_back(*worst);
        points.erase(worst);
        for (auto& point : points)
        {
            point.onlyInCsv = true;
            figures.rest.push_back(point);
        }
    }
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
        const auto meanTimes = ReplayScenario(trace, gigabits);
        const auto work = Work(meanTimes, values);
        part.runs.push_back({meanTimes, work});
        const bool isRandom = FindReferenceTimes(trace, gigabits) != nullptr;
        for (std::uint32_t seed = 1; isRandom && seed <= seeds; ++seed)
        {
            auto random = meanTimes; // as the reference's
            random.training.jitter = "normal";
            random.training.jitterSd = 0.02;
            random.simulation.seed = seed;
            part.runs.push_back({random, work});
        }
    }
    part.compare = [trace](const std::vector<MeasuredRun>& runs) {
        const auto perRate = static_cast<std::ptrdiff_t>(runs.size() / g_gigabits.size());
        ReplayFigures figures;
        auto begin = runs.begin();
        for (const auto gigabits : g_gigabits)
        {
            AddReplay(trace, gigabits, {begin, begin + perRate}, figures);
            begin += perRate;
        }
        return figures.All();
    };
    return part;
}

ValidationPart
SwitchPartOf(const std::string& name, std::uint32_t seeds)
{
    return name == "exchange-alone" ? ExchangePart(ExchangesAlone(name))
           : name == "line-rate"    ? ExchangePart(LineRates(name))
           : name == "switchml"     ? ExchangePart(SwitchMlRates(name))
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
    validation.models = {"alexnet-a100",
                         "bert-a100",
                         "googlenet-a100",
                         "inception-a100",
                         "resnet50-a100",
                         "resnet101-a100",
                         "resnet152-a100",
                         "vgg11-a100",
                         "vgg16-a100",
                         "vgg19-a100",
                         "exchange-alone",
                         "line-rate",
                         "switchml"};
    validation.part = SwitchPartOf;
    return validation;
}

} // namespace inca
