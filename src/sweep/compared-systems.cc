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

    CrossoverSample Compare(const ScaledValue& value)
    {
        CrossoverSample sample{value, {}, {}, {}};
        sample.a = Measure(m_question.a, sample);
        sample.b = Measure(m_question.b, sample);
        return sample;
    }

    /** @throws InputError if the key matters in neither system */
    void RequireEffect(const ScaledValue& value)
    {
        std::string reason;
        CrossoverSample sample{value, {}, {}, {}};
        for (const auto* system : {&m_question.a, &m_question.b})
        {
            const auto scenario = Make(*system, sample);
            reason = scenario ? IdleReason(*FindKey(m_key), *scenario) : std::string();
            if (reason.empty())
            {
                return;
            }
        }
        throw InputError(
            fmt::format("{} {}: has no effect on either system: {}", g_over, m_key, reason));
    }

  private:
    /** @return the system at the sample's value; nothing if it is refused, with the reason */
    std::optional<Scenario> Make(const NamedSettings& system, CrossoverSample& sample)
    {
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

    /** @return its metric; nothing if there is none, with the reason */
    std::optional<double> Measure(const NamedSettings& system, CrossoverSample& sample)
    {
        const auto& metric = m_question.metric;
        const auto scenario = Make(system, sample);
        if (!scenario)
        {
            return std::nullopt;
        }
        const auto outcome = m_run(*scenario);
        const auto value = outcome.record ? ValueOf(metric, *outcome.record) : std::nullopt;
        if (!value)
        {
            Refuse(sample, outcome.record ? metric.column + " does not apply" : outcome.refusal);
        }
        return value;
    }

    static void Refuse(CrossoverSample& sample, const std::string& why)
    {
        sample.refusal = sample.refusal.empty() ? why : sample.refusal;
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
    const auto [key, scale] = ParseOver(question.over);
    ComparedSystems systems(question, key, variants, run);
    systems.RequireEffect(scale.Points(2).front());
    CrossoverAnswer answer{
        question,
        FindCrossover(scale, question.metric, question.tolerance, [&systems](const auto& value) {
            return systems.Compare(value);
        })};
    RequireSome(answer.crossover);
    return answer;
}

} // namespace inca
