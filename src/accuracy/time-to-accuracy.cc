/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "accuracy/time-to-accuracy.h"

#include "base/errors.h"
#include "base/value-form.h"
#include "codec/codec-catalog.h"
#include "record/csv-text.h"
#include "record/sample.h"
#include "report/plot.h"
#include "scenario/keys.h"
#include "scenario/specs.h"
#include "sweep/points.h"
#include "sweep/result-store.h"
#include "values/value-exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

namespace inca
{

namespace
{

constexpr double g_psPerSecond = 1e12;

std::vector<TimedSystem>
SystemsOfStore(const std::string& folder)
{
    auto sweep = OpenStore(StorePath(folder));
    const auto command = sweep.Command();
    constexpr std::size_t scenarioWord = 2; // of "inca run scenario --set key=value ..."
    if (command.size() <= scenarioWord)
    {
        throw InputError(folder + ": holds no sweep");
    }
    ScenarioVariants variants(command[scenarioWord]);
    std::vector<TimedSystem> systems;
    sweep.ForEachPoint([&](const StoredPoint& point) {
        if (!point.result || point.result->status != PointStatus::DONE)
        {
            return;
        }
        std::vector<std::string> settings;
        for (auto word = scenarioWord + 2; word < command.size(); word += 2)
        {
            settings.push_back(command[word]);
        }
        settings.insert(settings.end(), point.arguments.begin(), point.arguments.end());
        systems.push_back({point.label,
                           point.settings,
                           variants.Make(settings).scenario,
                           NumberOf(CellText(point.result->results, "iteration_time_s")),
                           ""});
    });
    if (systems.empty())
    {
        throw InputError(folder + ": no point of its sweep is done");
    }
    return systems;
}

std::vector<TimedSystem>
SystemsOfScenario(const std::string& path)
{
    ScenarioVariants variants(path);
    std::vector<SweepPoint> points;
    if (!ParseSweep(ReadScenarioText(path), path).Varies())
    {
        auto& point = points.emplace_back();
        point.label = std::filesystem::path(path).stem().string();
        point.scenario = variants.Make({}).scenario;
    }
    else
    {
        SweepRequest request;
        request.scenario = path;
        points = PlanSweep(request).points;
    }
    std::vector<TimedSystem> systems;
    for (auto& point : points)
    {
        systems.push_back({point.label, SettingsOf(point), point.scenario, {}, point.refusal});
    }
    return systems;
}

/** The settings that vary, label first. */
CsvTable
SettingsTable(const std::vector<TimedSystem>& systems)
{
    CsvTable table{"", {"label"}, {}};
    for (const auto& cell : systems.front().settings)
    {
        table.columns.push_back(cell.column);
    }
    for (const auto& system : systems)
    {
        CsvTableRow row{0, {system.label}};
        for (std::size_t i = 1; i < table.columns.size(); ++i)
        {
            row.fields.push_back(CellText(system.settings, table.columns[i]));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

/** @return the columns in which systems differ, other than by what their labels say */
std::vector<std::string>
ContextColumns(const std::vector<TimedSystem>& systems)
{
    const auto table = SettingsTable(systems);
    const PlotNames names{table.columns, {}};
    std::vector<std::string> columns;
    for (const auto column : VariedColumns(table, names, {0}))
    {
        if (column > 0)
        {
            columns.push_back(table.columns[column]);
        }
    }
    return columns;
}

/** Whether a value's bits on the wire depend on what it is, with one codec; a sketch's size is planned beforehand. */
bool
SizeDependsOnValues(const Scenario& scenario)
{
    return !HasSketch(scenario) && !HasCodecsApart(scenario) &&
           !MakeCodec(MakeCodecSpec(CodedAs(scenario, false)))->MeanBits({});
}

WireSize
WireSizeOf(const Scenario& scenario)
{
    constexpr double sixteen = 16;
    if (HasCodec(scenario) || Sparsifies(scenario))
    {
        const auto spec = MakeCodecSpec(CodedAs(scenario, false));
        const bool isSixteen = !HasSketch(scenario) && !HasCodecsApart(scenario) &&
                               MakeCodec(spec)->MeanBits({}) == sixteen;
        return isSixteen ? WireSize::SIXTEEN : WireSize::OTHER;
    }
    return ReduceTypeOf(scenario) == "fp32" ? WireSize::FULL : WireSize::SIXTEEN;
}

/** By step of a test: what a gradient's value has had on the wire since the test before, in the mean over the seeds. */
std::map<std::uint64_t, double>
BitsByStep(const CurveGroup& group)
{
    std::map<std::uint64_t, std::vector<double>> bits;
    for (const auto& curve : group.seeds)
    {
        for (const auto& row : curve.rows)
        {
            auto& ofStep = bits[row.step];
            ofStep.insert(ofStep.end(), row.bitsPerValue ? 1 : 0, row.bitsPerValue.value_or(0));
        }
    }
    std::map<std::uint64_t, double> means;
    for (const auto& [step, ofSeeds] : bits)
    {
        means[step] = ofSeeds.empty() ? 0 : SampleOf(ofSeeds).mean;
    }
    return means;
}

/** The iteration time of a system by the bits that a value has on the wire. (s) */
class IterationTimes
{
  public:
    /** @param curves where the system's codec is theirs and its size depends on values, their bits count */
    IterationTimes(const TimedSystem& system, const CurveGroup& curves, const PointRunner& run)
        : m_system(system),
          m_run(run)
    {
        m_depends = SizeDependsOnValues(system.scenario) &&
                    curves.First().codec == CodecTitleOf(system.scenario);
    }

    /** Runs once for all bits b whose 1 + b differ by less than 0.7 %. @throws InputError if it cannot be run */
    double At(double bits)
    {
        const bool usesOwnSize = !m_depends || bits == 0;
        const auto step = usesOwnSize ? 0 : 1 + std::lround(100 * std::log2(1 + bits));
        auto& seconds = m_seconds[step];
        if (!seconds)
        {
            seconds = usesOwnSize && m_system.iterationSeconds
                          ? *m_system.iterationSeconds
                          : Run(usesOwnSize ? std::nullopt : std::optional(bits));
        }
        return *seconds;
    }

  private:
    double Run(std::optional<double> bits) const
    {
        auto scenario = m_system.scenario;
        scenario.training.values = scenario.training.values && !bits;
        scenario.codec.bitsPerValue = bits ? bits : scenario.codec.bitsPerValue;
        const auto outcome = m_run(scenario);
        if (!outcome.record)
        {
            throw InputError(outcome.refusal);
        }
        return static_cast<double>(outcome.record->results.iterationTimePs) / g_psPerSecond;
    }

    const TimedSystem& m_system;
    const PointRunner& m_run;
    bool m_depends;
    std::map<long, std::optional<double>> m_seconds;
};

/** When each test is. */
std::map<std::uint64_t, double>
SecondsByStep(const TimedSystem& system, const CurveGroup& group, const PointRunner& run)
{
    IterationTimes times(system, group, run);
    std::map<std::uint64_t, double> seconds;
    double total = 0;
    std::uint64_t before = 0;
    for (const auto& [step, bits] : BitsByStep(group))
    {
        total += step > before ? static_cast<double>(step - before) * times.At(bits) : 0;
        seconds[step] = total;
        before = step;
    }
    return seconds;
}

std::string
ContextOf(const TimedSystem& system, const std::vector<std::string>& columns)
{
    std::string text;
    for (const auto& column : columns)
    {
        text += (text.empty() ? "" : ", ") + ValueName(column, CellText(system.settings, column));
    }
    return text;
}

/** Whether the curve was trained with the system's exchange and codec, by their names. */
bool
IsOwn(const TimedSystem& system, const Curve& curve)
{
    const auto& scenario = system.scenario;
    return curve.exchange == scenario.exchange.algorithm && curve.codec == CodecTitleOf(scenario);
}

/** @throws InputError if the system's iterations are of another model than the curve */
void
RequireSameModel(const TimedSystem& system, const Curve& curve)
{
    const auto& trace = system.scenario.training.readTrace;
    const auto elements =
        std::accumulate(curve.tensors.begin(), curve.tensors.end(), std::uint64_t{0});
    if (trace && elements > 0 && trace->Elements() != elements)
    {
        throw InputError(fmt::format("its trace has {} values, and the model of {} has {}",
                                     trace->Elements(),
                                     curve.path,
                                     elements));
    }
    if (HasSketch(system.scenario) && !system.scenario.training.density)
    {
        throw InputError(
            "a sketch's size is planned from training.density, which its curves need to have, too");
    }
}

/** Puts systems and curves together. */
class Joiner
{
  public:
    Joiner(const std::vector<TimedSystem>& systems,
           const std::vector<CurveGroup>& curves,
           const PointRunner& run)
        : m_systems(systems),
          m_curves(curves),
          m_run(run)
    {
        m_joined.contextColumns = ContextColumns(systems);
    }

    TimedTrainings Join()
    {
        for (std::size_t system = 0; system < m_systems.size(); ++system)
        {
            JoinSystem(system);
        }
        if (m_joined.all.empty())
        {
            m_refusals.insert(m_refusals.begin(), "no system has curves of its arithmetic");
            throw InputError(m_refusals);
        }
        m_joined.warnings.insert(m_joined.warnings.end(), m_refusals.begin(), m_refusals.end());
        for (const auto& group : m_curves)
        {
            if (m_used.count(&group) == 0)
            {
                m_joined.warnings.push_back(
                    fmt::format("{}: no system takes it; its value path is {}",
                                group.First().path,
                                group.First().valuePath));
            }
            for (const auto& path : group.unfinished)
            {
                m_joined.warnings.push_back(
                    path + ": is left out, as it has fewer steps than other seeds");
            }
        }
        return std::move(m_joined);
    }

  private:
    void JoinSystem(std::size_t index)
    {
        const auto& system = m_systems[index];
        try
        {
            if (!system.refusal.empty())
            {
                throw InputError(system.refusal);
            }
            bool isOfOtherOrder = false;
            for (const auto* const group : CurvesOf(system, isOfOtherOrder))
            {
                Add(index, *group, isOfOtherOrder);
            }
        }
        catch (const InputError& error)
        {
            m_refusals.push_back(fmt::format("{}: {}", NameOf(index), error.what()));
        }
    }

    /** @throws InputError that says why there are none */
    std::vector<const CurveGroup*> CurvesOf(const TimedSystem& system, bool& isOfOtherOrder) const
    {
        std::vector<const CurveGroup*> same;
        std::vector<const CurveGroup*> lossless;
        std::map<std::vector<std::uint64_t>, ValuePath> paths; // by tensors
        std::string own;
        for (const auto& group : m_curves)
        {
            const auto& first = group.First();
            if (first.workers != system.scenario.cluster.workers)
            {
                continue;
            }
            RequireSameModel(system, first);
            const auto [found, isNew] = paths.try_emplace(first.tensors);
            auto& path = found->second;
            path = isNew ? ValueExchange(system.scenario, first.tensors).Path() : path;
            own = fmt::format("{:016x}", path.hash);
            if (own == first.valuePath)
            {
                same.push_back(&group);
            }
            else if (path.isLossless && first.isLossless)
            {
                lossless.push_back(&group);
            }
        }
        isOfOtherOrder = same.empty();
        if (same.empty() && lossless.empty())
        {
            throw InputError(own.empty() ? fmt::format("no curve is of {} workers",
                                                       system.scenario.cluster.workers)
                                         : "no curve has its value path, " + own);
        }
        return OneOfEach(system, isOfOtherOrder ? lossless : same);
    }

    /** @return of groups whose arithmetic is the same one for each set of options: the system's own, if it is there */
    static std::vector<const CurveGroup*> OneOfEach(const TimedSystem& system,
                                                    const std::vector<const CurveGroup*>& groups)
    {
        std::map<std::string, const CurveGroup*> kept;
        for (const auto* const group : groups)
        {
            auto& one = kept[group->Options()];
            one = one == nullptr || IsOwn(system, group->First()) ? group : one;
        }
        std::vector<const CurveGroup*> all;
        for (const auto& [options, group] : kept)
        {
            all.push_back(group);
        }
        return all;
    }

    void Add(std::size_t index, const CurveGroup& group, bool isOfOtherOrder)
    {
        const auto& system = m_systems[index];
        TimedCurves timed;
        timed.system = index;
        timed.curves = &group;
        timed.context = ContextOf(system, m_joined.contextColumns);
        timed.name = NameOf(index);
        timed.name += group.Options().empty() ? "" : ", " + group.Options();
        timed.wireSize = WireSizeOf(system.scenario);
        timed.isOfOtherOrder = isOfOtherOrder;
        timed.seconds = SecondsByStep(system, group, m_run);
        m_used.insert(&group);
        if (isOfOtherOrder)
        {
            m_joined.warnings.push_back(fmt::format(
                "{}: its curves are of sums that were added in another order", timed.name));
        }
        m_joined.all.push_back(std::move(timed));
    }

    std::string NameOf(std::size_t index) const
    {
        const auto& system = m_systems[index];
        const auto context = ContextOf(system, m_joined.contextColumns);
        return system.label + (system.label.empty() || context.empty() ? "" : ", ") + context;
    }

    const std::vector<TimedSystem>& m_systems;
    const std::vector<CurveGroup>& m_curves;
    const PointRunner& m_run;
    TimedTrainings m_joined;
    std::vector<std::string> m_refusals;
    std::set<const CurveGroup*> m_used;
};

std::optional<Reached>
FirstAt(double target, const Curve& curve, const std::map<std::uint64_t, double>& seconds)
{
    const auto row = std::find_if(curve.rows.begin(),
                                  curve.rows.end(),
                                  [target](const CurveRow& one) { return one.accuracy >= target; });
    return row == curve.rows.end() ? std::nullopt
                                   : std::optional<Reached>({row->step, seconds.at(row->step)});
}

/** The one in the middle, and of two the later. */
std::optional<Reached>
MedianOf(std::vector<std::optional<Reached>> all)
{
    const auto place = [](const std::optional<Reached>& one) {
        return one ? one->seconds : std::numeric_limits<double>::infinity();
    };
    std::sort(
        all.begin(), all.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
    return all[all.size() / 2];
}

/** @return how many times as fast it is as the fastest of that size in the same context */
std::optional<double>
GainOver(WireSize size,
         std::size_t index,
         const TimedTrainings& trainings,
         const std::vector<TargetTimes>& times)
{
    const auto& own = times[index].median;
    std::optional<double> fastest;
    for (std::size_t other = 0; other < times.size(); ++other)
    {
        const auto& one = trainings.all[other];
        const bool isBaseline = one.wireSize == size &&
                                one.context == trainings.all[index].context &&
                                one.curves->Options().empty();
        if (isBaseline && times[other].median)
        {
            fastest = std::min(fastest.value_or(times[other].median->seconds),
                               times[other].median->seconds);
        }
    }
    return own && fastest && own->seconds > 0 ? std::optional<double>(*fastest / own->seconds)
                                              : std::nullopt;
}

} // namespace

std::vector<TimedSystem>
ReadSystems(const std::string& path)
{
    std::error_code error;
    return std::filesystem::is_directory(path, error) ? SystemsOfStore(path)
                                                      : SystemsOfScenario(path);
}

double
TimedCurves::IterationSeconds() const
{
    const auto& [steps, total] = *seconds.rbegin();
    return total / static_cast<double>(steps);
}

TimedTrainings
JoinCurves(const std::vector<TimedSystem>& systems,
           const std::vector<CurveGroup>& curves,
           const PointRunner& run)
{
    return Joiner(systems, curves, run).Join();
}

std::vector<TargetTimes>
TimesTo(double target, const TimedTrainings& trainings)
{
    std::vector<TargetTimes> all;
    for (const auto& one : trainings.all)
    {
        auto& times = all.emplace_back();
        for (const auto& curve : one.curves->seeds)
        {
            times.bySeed.push_back(FirstAt(target, curve, one.seconds));
        }
        times.median = MedianOf(times.bySeed);
    }
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        all[i].gainOverFull = GainOver(WireSize::FULL, i, trainings, all);
        all[i].gainOverSixteen = GainOver(WireSize::SIXTEEN, i, trainings, all);
    }
    return all;
}

void
ForEachRow(const std::vector<TimedSystem>& systems,
           const TimedTrainings& trainings,
           const std::function<void(const Row&)>& take)
{
    const auto number = [](const std::optional<double>& value) {
        return value ? NineDigits(*value) : std::string();
    };
    for (const auto& one : trainings.all)
    {
        const auto& system = systems[one.system];
        const auto options = one.curves->Options();
        Row settings{{"label", system.label + (options.empty() ? "" : ", " + options), true}};
        for (const auto& column : trainings.contextColumns)
        {
            settings.push_back({column, CellText(system.settings, column)});
        }
        for (const auto& curve : one.curves->seeds)
        {
            for (const auto& row : curve.rows)
            {
                auto cells = settings;
                const Row ofTest{{"value_path", curve.valuePath, true},
                                 {"seed", std::to_string(curve.seed)},
                                 {"epoch", NineDigits(row.epoch)},
                                 {"step", std::to_string(row.step)},
                                 {"training_time_s", NineDigits(one.seconds.at(row.step))},
                                 {"accuracy", NineDigits(row.accuracy)},
                                 {"loss", number(row.loss)},
                                 {"sent_bits_per_value", number(row.bitsPerValue)},
                                 {"zero_share", number(row.zeroShare)}};
                cells.insert(cells.end(), ofTest.begin(), ofTest.end());
                take(cells);
            }
        }
    }
}

} // namespace inca
