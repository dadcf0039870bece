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

constexpr double g_percent = 100;

/** Values next to each other that one system wins; both ends were looked at. */
struct Stretch
{
    Winner winner;
    CrossoverSample first;
    CrossoverSample last;
    bool narrowed; ///< whether it is known where it begins
};

/** What is said of a system that is better, and of one that is worse. */
struct Words
{
    const char* better;
    const char* worse;
};

class Sentences
{
  public:
    explicit Sentences(const CrossoverAnswer& answer)
        : m_question(answer.question),
          m_crossover(answer.crossover),
          m_words(IsTime() ? Words{"faster", "slower"} : Words{"better", "worse"})
    {
    }

    std::string Text() const
    {
        const auto stretches = Stretches();
        const bool isOne = stretches.size() == 1;
        std::string text = isOne ? OneStretch(stretches.front().winner) : "";
        for (std::size_t i = 0; !isOne && i < stretches.size(); ++i)
        {
            text += OneOfSeveral(stretches, i);
        }
        return text + Refusals();
    }

  private:
    bool IsTime() const
    {
        const auto& column = m_question.metric.column;
        return column.size() > 2 && column.compare(column.size() - 2, 2, "_s") == 0;
    }

    const std::string& LabelOf(bool isA) const
    {
        return isA ? m_question.a.label : m_question.b.label;
    }

    std::vector<Stretch> Stretches() const
    {
        std::vector<Stretch> stretches;
        const auto begin = [&](const CrossoverSample& sample, bool narrowed) {
            stretches.push_back({WinnerOf(m_question.metric, sample), sample, sample, narrowed});
        };
        auto crossing = m_crossover.crossings.begin();
        for (const auto& sample : m_crossover.scan)
        {
            if (!sample.IsWhole())
            {
                continue;
            }
            for (; crossing != m_crossover.crossings.end() &&
                   crossing->after.value.number <= sample.value.number;
                 ++crossing)
            {
                stretches.back().last = crossing->before;
                begin(crossing->after, crossing->narrowed);
            }
            if (stretches.empty())
            {
                begin(sample, true);
            }
            stretches.back().last = sample;
        }
        return stretches;
    }

    /** @return by how much A is better at @p sample, in percent; below 0: worse */
    double Percent(const CrossoverSample& sample) const
    {
        return g_percent * Advantage(m_question.metric, *sample.a, *sample.b);
    }

    /** Where A is worst, and where it is best. */
    std::pair<CrossoverSample, CrossoverSample> Extremes() const
    {
        std::vector<CrossoverSample> whole;
        std::copy_if(m_crossover.scan.begin(),
                     m_crossover.scan.end(),
                     std::back_inserter(whole),
                     [](const CrossoverSample& sample) { return sample.IsWhole(); });
        const auto [worst, best] =
            std::minmax_element(whole.begin(), whole.end(), [this](const auto& x, const auto& y) {
                return Percent(x) < Percent(y);
            });
        return {*worst, *best};
    }

    /** Never or always, and by how much. */
    std::string OneStretch(Winner winner) const
    {
        if (winner == Winner::NEITHER)
        {
            return fmt::format("never: {} and {} are the same\n", LabelOf(true), LabelOf(false));
        }
        const auto [worst, best] = Extremes();
        const bool always = winner == Winner::A;
        return fmt::format("{}: {} is {:.1f} % {} at {} (at {}), {:.1f} % at {} (at {})\n",
                           always ? "always" : "never",
                           LabelOf(true),
                           std::abs(Percent(always ? worst : best)),
                           always ? m_words.better : m_words.worse,
                           always ? "least" : "best",
                           (always ? worst : best).value.text,
                           std::abs(Percent(always ? best : worst)),
                           always ? "most" : "worst",
                           (always ? best : worst).value.text);
    }

    std::string OneOfSeveral(const std::vector<Stretch>& stretches, std::size_t i) const
    {
        const auto& [winner, first, last, narrowed] = stretches[i];
        const bool isFirst = i == 0;
        const bool isLast = i + 1 == stretches.size();
        const auto where = isFirst  ? "up to " + last.value.text
                           : isLast ? "from " + first.value.text + " on"
                                    : "from " + first.value.text + " to " + last.value.text;
        const auto vague = narrowed ? "" : " at the latest (below, something was refused)";
        if (winner == Winner::NEITHER)
        {
            return fmt::format("{}{}: both are the same\n", where, vague);
        }
        const auto& end = isFirst ? first : last;
        return fmt::format("{}{}: {} is {}, by {:.1f} % at {}\n",
                           where,
                           vague,
                           LabelOf(winner == Winner::A),
                           m_words.better,
                           g_percent * WinnersAdvantage(end),
                           end.value.text);
    }

    /** @return by how much the better one is better */
    double WinnersAdvantage(const CrossoverSample& sample) const
    {
        const bool isA = WinnerOf(m_question.metric, sample) == Winner::A;
        return isA ? Advantage(m_question.metric, *sample.a, *sample.b)
                   : Advantage(m_question.metric, *sample.b, *sample.a);
    }

    /** Each reason once, with the first value that it is given for. */
    std::string Refusals() const
    {
        std::string text;
        std::set<std::string> told;
        for (const auto& sample : m_crossover.scan)
        {
            if (!sample.IsWhole() && told.insert(sample.refusal).second)
            {
                text += fmt::format("not compared at {}: {}\n", sample.value.text, sample.refusal);
            }
        }
        return text;
    }

    const CrossoverQuestion& m_question;
    const Crossover& m_crossover;
    Words m_words;
};

std::string
NumberText(const std::optional<double>& value)
{
    return value ? fmt::format("{:.5g}", *value) : "-";
}

std::string
ScanTable(const CrossoverAnswer& answer)
{
    const auto& question = answer.question;
    TextTable table({question.over.substr(0, question.over.find('=')),
                     question.a.label,
                     question.b.label,
                     "advantage"},
                    1);
    for (const auto& sample : answer.crossover.scan)
    {
        const auto advantage =
            sample.IsWhole()
                ? fmt::format("{:+.1f} %",
                              g_percent * Advantage(question.metric, *sample.a, *sample.b))
                : std::string("-");
        table.AddRow({sample.value.text, NumberText(sample.a), NumberText(sample.b), advantage});
    }
    return table.Text();
}

} // namespace

std::string
CrossoverSentences(const CrossoverAnswer& answer)
{
    return Sentences(answer).Text();
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
        g_percent * question.tolerance);
}

} // namespace inca
