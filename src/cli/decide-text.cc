/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/decide-text.h"

#include "base/units.h"
#include "report/text-table.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

namespace inca
{

namespace
{

constexpr double g_percent = 100;

/** @return by how much @p one is faster than @p other: "+25.0 %" is 1.25 times as fast */
std::string
GainText(const Judged& one, const Judged& other)
{
    const auto ratio =
        static_cast<double>(other.IterationPs()) / static_cast<double>(one.IterationPs());
    return fmt::format("{:+.1f} %", g_percent * (ratio - 1));
}

std::string
LossText(const Judged& judged)
{
    std::string text;
    for (const auto& loss : judged.losses)
    {
        text += (text.empty() ? "" : "; ") + loss.kind + ": " + loss.text;
    }
    return text.empty() ? "none" : text;
}

std::string
ShellWord(const std::string& word)
{
    const bool isPlain = word.find_first_of(" '\"$&;<>()|*?\\`") == std::string::npos;
    return isPlain ? word : "'" + word + "'";
}

class DecisionText
{
  public:
    explicit DecisionText(const Decision& decision)
        : m_decision(decision)
    {
    }

    std::string Text(const std::string& command) const
    {
        return BestText(command) + "\n" + RankingText() + Rest();
    }

  private:
    const Judged& At(std::size_t index) const
    {
        return m_decision.judged[index];
    }

    const Judged& Best() const
    {
        return At(*m_decision.best);
    }

    std::string BestText(const std::string& command) const
    {
        auto text = fmt::format("best    {}: {} per iteration\n",
                                CandidateTitle(Best().candidate),
                                HumanPicoseconds(Best().IterationPs()));
        text += Against("uncompressed", m_decision.bestUncompressed);
        const bool isOther = m_decision.bestSixteenBits != m_decision.bestUncompressed;
        if (isOther && Has([](const Candidate& candidate) { return candidate.sixteenBits; }))
        {
            text += Against("uncompressed at 16 bits", m_decision.bestSixteenBits);
        }
        text += "        " + command;
        for (const auto& setting : SettingsOf(m_decision.question, Best().candidate))
        {
            text += " --set " + ShellWord(setting);
        }
        return text + "\n";
    }

    bool Has(bool (*wanted)(const Candidate&)) const
    {
        const auto& judged = m_decision.judged;
        return std::any_of(judged.begin(), judged.end(), [wanted](const Judged& one) {
            return wanted(one.candidate);
        });
    }

    std::string Against(const char* what, const std::optional<std::size_t>& index) const
    {
        if (!index)
        {
            return fmt::format("        nothing {} can run\n", what);
        }
        return fmt::format("        {} against the best {}, {}: {}\n",
                           GainText(Best(), At(*index)),
                           what,
                           CandidateTitle(At(*index).candidate),
                           HumanPicoseconds(At(*index).IterationPs()));
    }

    std::vector<const Judged*> Ranked() const
    {
        std::vector<const Judged*> ranked;
        for (const auto& judged : m_decision.judged)
        {
            if (judged.WasRun())
            {
                ranked.push_back(&judged);
            }
        }
        std::stable_sort(ranked.begin(), ranked.end(), [](const auto* a, const auto* b) {
            return a->IterationPs() < b->IterationPs();
        });
        return ranked;
    }

    std::string GainAgainst(const Judged& judged, const std::optional<std::size_t>& index) const
    {
        return index ? GainText(judged, At(*index)) : "-";
    }

    std::string RankingText() const
    {
        TextTable table({"rank",
                         "exchange",
                         "codec",
                         "bucket",
                         "loses",
                         "limited by",
                         "iteration",
                         "gain",
                         "gain, 16 bits"},
                        6);
        int rank = 0;
        for (const auto* judged : Ranked())
        {
            const auto& candidate = judged->candidate;
            table.AddRow({judged->CanWin() ? std::to_string(++rank) : "-",
                          candidate.exchange,
                          candidate.codec,
                          candidate.bucket,
                          LossText(*judged),
                          judged->record->results.limitedBy,
                          HumanPicoseconds(judged->IterationPs()),
                          GainAgainst(*judged, m_decision.bestUncompressed),
                          GainAgainst(*judged, m_decision.bestSixteenBits)});
        }
        return table.Text();
    }

    /** What was not run, by the reason. */
    std::string Rest() const
    {
        auto text = fmt::format("\nran {} of {} candidates", m_decision.runs, m_decision.grid);
        text +=
            m_decision.runs < m_decision.grid
                ? fmt::format("; no other is better by more than {:.3g} %, by its lower bound\n",
                              g_percent * m_decision.question.within)
                : std::string("\n");
        if (const auto unknown = Unknown(); unknown > 0)
        {
            text += fmt::format("{} may be better, and cannot be run within limits\n", unknown);
        }
        return text + LeftOut() + Refused();
    }

    std::string LeftOut() const
    {
        std::set<std::string> kinds;
        for (const auto& judged : m_decision.judged)
        {
            for (const auto& loss : judged.losses)
            {
                if (!loss.admitted)
                {
                    kinds.insert(loss.kind);
                }
            }
        }
        return kinds.empty()
                   ? ""
                   : fmt::format("left out, as values are lost: {}; --lossy admits them\n",
                                 fmt::join(kinds, ", "));
    }

    /** Each reason once, with the first that it is given for. */
    std::string Refused() const
    {
        std::string text;
        for (const auto& refusal : CommonRefusals(m_decision.judged))
        {
            text += fmt::format(
                "cannot run: {}: {}\n", CandidateTitle(At(refusal.first).candidate), refusal.text);
        }
        return text;
    }

    /** Candidates beyond a limit of CPU time or memory, of which nothing is known. */
    std::size_t Unknown() const
    {
        std::size_t count = 0;
        for (const auto& refusal : CommonRefusals(m_decision.judged))
        {
            count += refusal.ofLimit ? refusal.count : 0;
        }
        return count;
    }

    const Decision& m_decision;
};

} // namespace

std::string
CandidateTitle(const Candidate& candidate)
{
    return candidate.exchange + ", " + candidate.codec + ", " + candidate.bucket;
}

std::string
FormatDecision(const Decision& decision, const std::string& command)
{
    return DecisionText(decision).Text(command);
}

} // namespace inca
