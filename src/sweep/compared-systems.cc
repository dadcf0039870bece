/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/compared-systems.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "base/units.h"
#include "scenario/keys.h"
#include "sweep/scenario-variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace inca
{

namespace
{

constexpr const char* g_over = "--over";

std::string
Trimmed(const std::string& text)
{
    constexpr const char* blanks = " \t";
    const auto begin = text.find_first_not_of(blanks);
    const auto end = text.find_last_not_of(blanks);
    return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

/** Where a label ends: at a colon before all settings that is not one of an attribute's path. */
std::size_t
LabelEnd(const std::string& text)
{
    const auto colon = text.find(':');
    const bool isLabel =
        colon != std::string::npos && colon < text.find('=') && text.compare(colon, 2, "::") != 0;
    return isLabel ? colon : std::string::npos;
}

/** A key and the range of its values, "cluster.bandwidth" and "1Gbps..400Gbps". */
struct Over
{
    std::string key;
    std::string range;
};

Over
SplitOver(const std::string& text)
{
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
    {
        throw InputError(fmt::format("{} {}: needs the form key=LOW..HIGH", g_over, text));
    }
    return {text.substr(0, equals), text.substr(equals + 1)};
}

KeyScale
ScaleOf(const Over& over)
{
    const auto* key = FindKey(over.key);
    const auto place = std::string(g_over) + " " + over.key + ": ";
    if (key == nullptr)
    {
        throw InputError(place + UnknownKey(over.key));
    }
    try
    {
        return {*key, over.range};
    }
    catch (const UnitError& error)
    {
        throw InputError(place + error.what());
    }
}

/** Makes and runs two systems of one scenario. */
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

    std::vector<CrossoverSample> Compare(const std::vector<ScaledValue>& values)
    {
        std::vector<CrossoverSample> samples(values.size());
        std::vector<Scenario> scenarios;
        std::vector<std::pair<std::size_t, bool>> targets; // a sample, and whether it is its A
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            samples[i].value = values[i];
            for (const bool isA : {true, false})
            {
                if (auto scenario = Make(isA, samples[i]))
                {
                    scenarios.push_back(std::move(*scenario));
                    targets.emplace_back(i, isA);
                }
            }
        }
        const auto outcomes = m_run(scenarios);
        for (std::size_t i = 0; i < outcomes.size(); ++i)
        {
            const auto& [sample, isA] = targets[i];
            Keep(outcomes[i], isA, samples[sample]);
        }
        return samples;
    }

    /** @throws InputError if the key matters in neither system */
    void RequireEffect(const ScaledValue& value)
    {
        std::string reasons;
        CrossoverSample sample{value, {}, {}, {}};
        for (const bool isA : {true, false})
        {
            const auto scenario = Make(isA, sample);
            const auto reason = scenario ? IdleReason(*FindKey(m_key), *scenario) : std::string();
            if (reason.empty())
            {
                return;
            }
            reasons = reason;
        }
        throw InputError(
            fmt::format("{} {}: has no effect on either system: {}", g_over, m_key, reasons));
    }

  private:
    const NamedSettings& System(bool isA) const
    {
        return isA ? m_question.a : m_question.b;
    }

    /** @return the system at the sample's value; nothing if it is refused, with the reason */
    std::optional<Scenario> Make(bool isA, CrossoverSample& sample)
    {
        const auto& system = System(isA);
        std::vector<Varied> varied;
        for (const auto& setting : system.settings)
        {
            varied.push_back({setting, system.origin});
        }
        varied.push_back({m_key + "=" + sample.value.text, g_over});
        try
        {
            const auto settings = WithoutKeysOf(m_question.settings, system.settings);
            return m_variants.Make(settings, varied).scenario;
        }
        catch (const InputError& error)
        {
            Refuse(sample, error.Complaints().front());
            return std::nullopt;
        }
    }

    static void Refuse(CrossoverSample& sample, const std::string& why)
    {
        sample.refusal = sample.refusal.empty() ? why : sample.refusal;
    }

    void Keep(const PointOutcome& outcome, bool isA, CrossoverSample& sample) const
    {
        if (!outcome.record)
        {
            Refuse(sample, outcome.refusal);
            return;
        }
        auto& value = isA ? sample.a : sample.b;
        value = ValueOf(m_question.metric, *outcome.record);
        if (!value)
        {
            Refuse(sample, m_question.metric.column + " does not apply");
        }
    }

    const CrossoverQuestion& m_question;
    std::string m_key;
    ScenarioVariants& m_variants;
    const PointRunner& m_run;
};

/** @throws InputError with what was refused, each text once */
void
RequireSome(const Crossover& crossover)
{
    std::vector<std::string> refusals;
    for (const auto& sample : crossover.scan)
    {
        if (sample.IsWhole())
        {
            return;
        }
        if (std::find(refusals.begin(), refusals.end(), sample.refusal) == refusals.end())
        {
            refusals.push_back(sample.refusal);
        }
    }
    throw InputError(refusals);
}

/** @return the system of that label. @throws InputError if there is none, and @p text is no setting */
std::optional<NamedSettings>
FindSystem(const std::string& text, const std::string& option, const std::vector<System>& systems)
{
    std::vector<std::string> labels;
    for (const auto& system : systems)
    {
        labels.push_back(system.label);
        if (system.label == text)
        {
            NamedSettings named{system.label, {}, system.origin};
            for (const auto& setting : system.settings)
            {
                named.settings.push_back(setting.text);
            }
            return named;
        }
    }
    if (!labels.empty() && text.find_first_of("=:") == std::string::npos)
    {
        throw InputError(option + ": " + UnknownName(text, labels));
    }
    return std::nullopt;
}

} // namespace

NamedSettings
ParseNamedSettings(const std::string& text,
                   const std::string& option,
                   const std::vector<System>& systems)
{
    if (auto system = FindSystem(Trimmed(text), option, systems))
    {
        return std::move(*system);
    }
    NamedSettings named{{}, {}, option};
    const auto end = LabelEnd(text);
    const auto rest = Trimmed(end == std::string::npos ? text : text.substr(end + 1));
    named.label = Trimmed(end == std::string::npos ? text : text.substr(0, end));
    for (std::size_t at = 0; at < rest.size();)
    {
        const auto comma = std::min(rest.find(',', at), rest.size());
        named.settings.push_back(Trimmed(rest.substr(at, comma - at)));
        at = comma + 1;
    }
    if (named.label.empty() || (end == std::string::npos && named.settings.empty()))
    {
        throw InputError(option +
                         ": needs settings such as \"exchange.algorithm=ring, "
                         "codec.name=inceptionn\", or \"label:\" for the scenario as it is");
    }
    return named;
}

CrossoverAnswer
AnswerCrossover(const CrossoverQuestion& question,
                ScenarioVariants& variants,
                const PointRunner& run)
{
    const auto over = SplitOver(question.over);
    const auto scale = ScaleOf(over);
    ComparedSystems systems(question, over.key, variants, run);
    systems.RequireEffect(scale.Points(2).front());
    CrossoverAnswer answer{
        question,
        FindCrossover(scale, question.metric, question.tolerance, [&systems](const auto& values) {
            return systems.Compare(values);
        })};
    RequireSome(answer.crossover);
    return answer;
}

} // namespace inca
