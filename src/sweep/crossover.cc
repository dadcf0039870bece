/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/crossover.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "base/portable-math.h"
#include "base/units.h"
#include "base/value-form.h"
#include "record/result-row.h"
#include "scenario/keys.h"
#include "trace/csv-fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace inca
{

namespace
{

constexpr int g_digits = 4;
constexpr double g_valueBytes = 4;
constexpr double g_decades = 10; ///< from here on values are spaced by factors

/**
 * Narrows the gap between two samples with different winners, until they are near enough.
 * @return false if something between them is refused
 */
bool
Narrow(CrossoverSample& before,
       CrossoverSample& after,
       const KeyScale& scale,
       const Comparer& compare)
{
    while (const auto middle = scale.Between(before.value, after.value))
    {
        auto sample = compare(*middle);
        if (!sample.IsWhole())
        {
            return false;
        }
        const bool asBefore = WinnerOf(sample) == WinnerOf(before);
        (asBefore ? before : after) = std::move(sample);
    }
    return true;
}

constexpr const char* g_over = "--over";

/** @param over "cluster.bandwidth=1Gbps..400Gbps" @return its key, and the values of its range */
std::pair<std::string, KeyScale>
ParseOver(const std::string& over)
{
    const auto equals = over.find('=');
    if (equals == std::string::npos || equals == 0)
    {
        throw InputError(fmt::format("{} {}: needs the form key=LOW..HIGH", g_over, over));
    }
    const auto name = over.substr(0, equals);
    const auto* key = FindKey(name);
    const auto place = fmt::format("{} {}: ", g_over, name);
    if (key == nullptr)
    {
        throw InputError(place + UnknownKey(name));
    }
    try
    {
        return {name, {*key, over.substr(equals + 1)}};
    }
    catch (const UnitError& error)
    {
        throw InputError(place + error.what());
    }
}

std::string
WithoutFigures(std::string text)
{
    const auto isFigure = [](char c) {
        return std::string_view("0123456789.").find(c) != std::string_view::npos;
    };
    text.erase(std::remove_if(text.begin(), text.end(), isFigure), text.end());
    return text;
}

/** Two systems of one scenario, over the values of a key. */
class ComparedSystems
{
  public:
    ComparedSystems(const CrossoverQuestion& question,
                    std::string key,
                    ScenarioVariants& variants,
                    const PointRunner& run)
        : m_question(question),
          m_key(std::move(key)),
          m_variants(variants),
          m_run(run)
    {
    }

    CrossoverSample Compare(const ScaledValue& value)
    {
        CrossoverSample sample{value, {}, {}, false, {}};
        const auto a = Measure(m_question.a, sample);
        const auto b = Measure(m_question.b, sample);
        sample.a = SecondsOf(a);
        sample.b = SecondsOf(b);
        sample.isOpen = a && b && a->MayBeAsFast(*b);
        return sample;
    }

    /** @throws InputError if the key matters in neither system */
    void RequireEffect(const ScaledValue& value)
    {
        std::string reason;
        for (const auto* system : {&m_question.a, &m_question.b})
        {
            try
            {
                reason = IdleReason(*FindKey(m_key), Make(*system, value).scenario);
            }
            catch (const InputError&) // as comparing says
            {
                return;
            }
            if (reason.empty())
            {
                return;
            }
        }
        throw InputError(
            fmt::format("{} {}: has no effect on either system: {}", g_over, m_key, reason));
    }

    std::vector<std::string> Warnings() const
    {
        auto warnings = m_idle.Warnings();
        for (const auto& [text, warning] : m_warnings)
        {
            warnings.push_back(warning);
        }
        return warnings;
    }

  private:
    /** @throws InputError if it is refused */
    LoadedScenario Make(const System& system, const ScaledValue& value)
    {
        auto varied = system.settings;
        std::vector<std::string> own;
        for (const auto& setting : varied)
        {
            own.push_back(setting.text);
        }
        varied.push_back({m_key + "=" + value.text, g_over});
        return m_variants.Make(WithoutKeysOf(m_question.settings, own), varied);
    }

    static std::optional<double> SecondsOf(const std::optional<RunResults>& results)
    {
        constexpr double psPerSecond = 1e12;
        return results ? std::optional(static_cast<double>(results->iterationTimePs) / psPerSecond)
                       : std::nullopt;
    }

    /** @return what it has found; nothing if it cannot run: why is the sample's refusal, unless it has one */
    std::optional<RunResults> Measure(const System& system, CrossoverSample& sample)
    {
        std::string why;
        std::optional<RunResults> results;
        try
        {
            const auto loaded = Make(system, sample.value);
            m_idle.Add(loaded);
            const auto outcome = m_run(loaded.scenario);
            why = outcome.refusal;
            if (outcome.record)
            {
                for (const auto& text : outcome.record->warnings)
                {
                    m_warnings.try_emplace(
                        WithoutFigures(text),
                        fmt::format(
                            "at {} {}={}: {}", system.label, m_key, sample.value.text, text));
                }
                results = outcome.record->results;
            }
        }
        catch (const InputError& error)
        {
            why = error.Complaints().front();
        }
        sample.refusal = results || !sample.refusal.empty() ? sample.refusal : why;
        return results;
    }

    const CrossoverQuestion& m_question;
    std::string m_key;
    ScenarioVariants& m_variants;
    const PointRunner& m_run;
    IdleInAll m_idle;
    std::map<std::string, std::string>
        m_warnings; ///< of runs, by their words: the first of those that differ in figures alone
};

} // namespace

KeyScale::KeyScale(const Key& key, const std::string& range)
    : m_key(&key)
{
    const auto dots = range.find("..");
    if (dots == std::string::npos)
    {
        throw UnitError("needs the form LOW..HIGH, such as 1Gbps..400Gbps, got '" + range + "'");
    }
    m_low = ValueOf(range.substr(0, dots));
    m_high = ValueOf(range.substr(dots + 2));
    if (m_low.text == m_high.text)
    {
        throw UnitError("needs two values that differ, got '" + range + "'");
    }
    m_prefix =
        m_low.text.substr(0, m_low.text.rfind(g_boundPrefix, 0) == 0 ? g_boundPrefix.size() : 0);
    const bool isPlain =
        m_low.text.find_first_not_of("0123456789.", m_prefix.size()) == std::string::npos;
    m_unit = isPlain ? "" : UnitOfColumn(key.column);
    if (m_low.number > m_high.number)
    {
        std::swap(m_low, m_high);
    }
    m_byFactors = m_low.number > 0 && m_high.number >= g_decades * m_low.number;
    At(1.0 / 3, m_low, m_high);
}

/** @throws UnitError if the key takes no such value, or it is no number */
ScaledValue
KeyScale::ValueOf(const std::string& text) const
{
    Scenario scratch;
    m_key->set(scratch, text);
    const auto column = m_key->columnText(scratch);
    char* end = nullptr;
    const double number = std::strtod(column.c_str(), &end);
    if (column.empty() || *end != '\0')
    {
        throw UnitError("'" + text +
                        "' is no number, and has none beside it; `inca sweep --vary` "
                        "compares what has no order");
    }
    return {number, m_key->text(scratch)};
}

std::optional<ScaledValue>
KeyScale::Valued(double number) const
{
    try
    {
        const auto text =
            number == std::floor(number) ? fmt::format("{:.0f}", number) : DecimalText(number);
        return ScaledValue{number, ValueOf(m_prefix + text + m_unit).text};
    }
    catch (const UnitError&)
    {
        return std::nullopt;
    }
}

ScaledValue
KeyScale::At(double share, const ScaledValue& low, const ScaledValue& high) const
{
    const double exact = m_byFactors ? low.number * PortablePow(high.number / low.number, share)
                                     : low.number + (high.number - low.number) * share;
    const double rounded = // to as many digits as are worth reading
        m_unit == "B" ? std::round(exact / g_valueBytes) * g_valueBytes
                      : std::strtod(fmt::format("{:.{}e}", exact, g_digits - 1).c_str(), nullptr);
    for (const auto number : {rounded, std::round(rounded)})
    {
        if (auto value = Valued(number))
        {
            return *value;
        }
    }
    throw UnitError("takes only some of the values from " + m_low.text + " to " + m_high.text +
                    "; `inca sweep --vary` compares them");
}

std::vector<ScaledValue>
KeyScale::Points(std::size_t count) const
{
    std::vector<ScaledValue> points{m_low};
    for (std::size_t i = 1; i + 1 < count; ++i)
    {
        const auto share = static_cast<double>(i) / static_cast<double>(count - 1);
        const auto value = At(share, m_low, m_high);
        if (value.number > points.back().number && value.number < m_high.number)
        {
            points.push_back(value);
        }
    }
    points.push_back(m_high);
    return points;
}

std::optional<ScaledValue>
KeyScale::Between(const ScaledValue& low, const ScaledValue& high) const
{
    if (high.number - low.number <= g_crossoverTolerance * high.number)
    {
        return std::nullopt;
    }
    auto middle = At(0.5, low, high);
    const bool isBetween = middle.number > low.number && middle.number < high.number;
    return isBetween ? std::optional(middle) : std::nullopt;
}

double
Advantage(double a, double b)
{
    return b >= a ? b / a - 1 : 1 - a / b;
}

Winner
WinnerOf(const CrossoverSample& sample)
{
    return *sample.a == *sample.b  ? Winner::NEITHER
           : sample.isOpen         ? Winner::OPEN
           : *sample.a < *sample.b ? Winner::A
                                   : Winner::B;
}

Crossover
FindCrossover(const KeyScale& scale, const Comparer& compare)
{
    Crossover found;
    for (const auto& value : scale.Points(g_crossoverScan))
    {
        found.scan.push_back(compare(value));
    }
    auto& stretches = found.stretches;
    bool isGap = false; // something was refused since the last whole sample
    for (const auto& sample : found.scan)
    {
        if (!sample.IsWhole())
        {
            isGap = true;
            continue;
        }
        if (stretches.empty())
        {
            stretches.push_back({WinnerOf(sample), sample, sample, true});
        }
        else if (auto& before = stretches.back().last; WinnerOf(before) != WinnerOf(sample))
        {
            auto after = sample;
            const bool isNarrowed = !isGap && Narrow(before, after, scale, compare);
            stretches.push_back({WinnerOf(after), after, sample, isNarrowed});
        }
        stretches.back().last = sample;
        isGap = false;
    }
    return found;
}

System
ParseComparedSystem(const std::string& text,
                    const std::string& option,
                    const std::vector<System>& systems)
{
    const std::string whole(Trimmed(text));
    std::vector<std::string> labels;
    for (const auto& system : systems)
    {
        labels.push_back(system.label);
        if (system.label == whole)
        {
            return system;
        }
    }
    if (!labels.empty() && text.find_first_of("=:") == std::string::npos)
    {
        throw InputError(option + ": " + UnknownName(whole, labels));
    }
    // A label ends at a colon before all settings that is not one of an attribute's path.
    const auto colon = whole.find(':');
    const bool hasLabel =
        colon != std::string::npos && colon < whole.find('=') && whole.compare(colon, 2, "::") != 0;
    const auto rest = Trimmed(std::string_view(whole).substr(hasLabel ? colon + 1 : 0));
    System system{
        std::string(Trimmed(whole.substr(0, hasLabel ? colon : std::string::npos))), {}, option};
    for (std::size_t at = 0; at < rest.size();)
    {
        const auto comma = std::min(rest.find(',', at), rest.size());
        system.settings.push_back({std::string(Trimmed(rest.substr(at, comma - at))), option});
        at = comma + 1;
    }
    if (system.label.empty())
    {
        throw InputError(option +
                         ": needs settings such as \"exchange.algorithm=ring, "
                         "codec.name=inceptionn\", or \"label:\" for the scenario as it is");
    }
    return system;
}

CrossoverAnswer
AnswerCrossover(const CrossoverQuestion& question,
                ScenarioVariants& variants,
                const PointRunner& run)
{
    const auto [key, scale] = ParseOver(question.over);
    ComparedSystems systems(question, key, variants, run);
    systems.RequireEffect(scale.Points(2).front());
    CrossoverAnswer answer{
        question,
        FindCrossover(scale, [&systems](const auto& value) { return systems.Compare(value); }),
        {}};
    answer.warnings = systems.Warnings();
    if (answer.crossover.stretches.empty())
    {
        std::vector<std::string> refusals; // each once
        for (const auto& sample : answer.crossover.scan)
        {
            if (std::find(refusals.begin(), refusals.end(), sample.refusal) == refusals.end())
            {
                refusals.push_back(sample.refusal);
            }
        }
        throw InputError(refusals);
    }
    return answer;
}

} // namespace inca
