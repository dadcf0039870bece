/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/crossover-text.h"

#include "report/text-table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

/** @return by how much A is better at @p sample, in percent; below 0: worse */
double
Percent(const CrossoverQuestion& question, const CrossoverSample& sample)
{
    constexpr double percent = 100;
    return percent * Advantage(question.metric, *sample.a, *sample.b);
}

/** "faster" of a time. */
const char*
Comparative(const CrossoverQuestion& question, bool isBetter)
{
    const auto& column = question.metric.column;
    const bool isTime = column.size() > 2 && column.compare(column.size() - 2, 2, "_s") == 0;
    return isTime ? (isBetter ? "faster" : "slower") : (isBetter ? "better" : "worse");
}

/** Of a comparison without crossings: never or always, and by how much. */
std::string
Uncrossed(const CrossoverAnswer& answer)
{
    const auto& [question, crossover] = answer;
    const auto winner = crossover.stretches.front().winner;
    if (winner == Winner::NEITHER)
    {
        return fmt::format("never: {} and {} are the same\n", question.a.label, question.b.label);
    }
    std::vector<CrossoverSample> whole;
    std::copy_if(crossover.scan.begin(),
                 crossover.scan.end(),
                 std::back_inserter(whole),
                 [](const auto& sample) { return sample.IsWhole(); });
    const auto [worst, best] =
        std::minmax_element(whole.begin(), whole.end(), [&](const auto& x, const auto& y) {
            return Percent(question, x) < Percent(question, y);
        });
    const bool always = winner == Winner::A;
    const auto& first = always ? *worst : *best;
    const auto& second = always ? *best : *worst;
    return fmt::format("{}: {} is {:.1f} % {} at {} (at {}), {:.1f} % at {} (at {})\n",
                       always ? "always" : "never",
                       question.a.label,
                       std::abs(Percent(question, first)),
                       Comparative(question, always),
                       always ? "least" : "best",
                       first.value.text,
                       std::abs(Percent(question, second)),
                       always ? "most" : "worst",
                       second.value.text);
}

/** Who is better in one of several stretches. */
std::string
StretchText(const CrossoverQuestion& question, const std::vector<Stretch>& all, std::size_t i)
{
    const auto& [winner, first, last, narrowed] = all[i];
    const auto where = i == 0 ? "up to " + last.value.text
                       : i + 1 == all.size()
                           ? "from " + first.value.text + " on"
                           : "from " + first.value.text + " to " + last.value.text;
    const auto vague = narrowed ? "" : " at the latest (below, something was refused)";
    if (winner == Winner::NEITHER)
    {
        return fmt::format("{}{}: both are the same\n", where, vague);
    }
    const auto& end = i == 0 ? last : first;
    const bool isA = WinnerOf(question.metric, end) == Winner::A;
    const auto [good, bad] = isA ? std::pair(*end.a, *end.b) : std::pair(*end.b, *end.a);
    return fmt::format("{}{}: {} is {}, by {:.1f} % at {}\n",
                       where,
                       vague,
                       (winner == Winner::A ? question.a : question.b).label,
                       Comparative(question, true),
                       100 * Advantage(question.metric, good, bad),
                       end.value.text);
}

std::string
ScanTable(const CrossoverAnswer& answer)
{
    const auto& question = answer.question;
    const auto number = [](const std::optional<double>& value) {
        return value ? fmt::format("{:.5g}", *value) : "-";
    };
    TextTable table({question.over.substr(0, question.over.find('=')),
                     question.a.label,
                     question.b.label,
                     "advantage"},
                    1);
    for (const auto& sample : answer.crossover.scan)
    {
        const auto advantage =
            sample.IsWhole() ? fmt::format("{:+.1f} %", Percent(question, sample)) : "-";
        table.AddRow({sample.value.text, number(sample.a), number(sample.b), advantage});
    }
    return table.Text();
}

} // namespace

std::string
CrossoverSentences(const CrossoverAnswer& answer)
{
    const auto& stretches = answer.crossover.stretches;
    auto text = stretches.size() == 1 ? Uncrossed(answer) : std::string();
    for (std::size_t i = 0; stretches.size() > 1 && i < stretches.size(); ++i)
    {
        text += StretchText(answer.question, stretches, i);
    }
    std::set<std::string> known; // each reason once, with the first value that it is given for
    for (const auto& sample : answer.crossover.scan)
    {
        if (!sample.IsWhole() && known.insert(sample.refusal).second)
        {
            text += fmt::format("not compared at {}: {}\n", sample.value.text, sample.refusal);
        }
    }
    return text;
}

std::string
FormatCrossover(const CrossoverAnswer& answer)
{
    const auto& question = answer.question;
    return fmt::format(
        "{} against {}, by {}\n\n{}\n{}\n{} values, and bisection to {:.3g} % wherever "
        "the better one changes; two changes between neighbours are missed\n",
        question.a.label,
        question.b.label,
        question.metric.column,
        CrossoverSentences(answer),
        ScanTable(answer),
        answer.crossover.scan.size(),
        100 * question.tolerance);
}

} // namespace inca
