/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "calibration/log-text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace inca
{

namespace
{

constexpr std::string_view BLANKS{" \t\v\f\r"};

std::string_view
WithoutPrefix(std::string_view line)
{
    constexpr std::size_t longest = 200;
    for (const std::string_view end : {"<stdout>:", "<stderr>:"})
    {
        const auto at = line.substr(0, longest).find(end);
        line.remove_prefix(at == std::string_view::npos ? 0 : at + end.size());
    }
    const auto label = line.substr(0, line.find_first_not_of(" 0123456789"));
    const bool isLabel =
        label.find_last_not_of(' ') + 1 == label.size() && line.substr(label.size(), 2) == ": ";
    return isLabel ? line.substr(label.size() + 2) : line;
}

/** @return half of what the last digit of a number counts: 0.005 for "1.25" */
double
HalfOfLastDigit(std::string_view number)
{
    const auto point = std::min(number.find('.'), number.size() - 1);
    return 0.5 * std::pow(10., -static_cast<double>(number.size() - 1 - point));
}

} // namespace

void
ForEachLine(std::string_view text, const LineUser& use)
{
    for (std::uint64_t number = 1; !text.empty(); ++number)
    {
        const auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        use(number, WithoutPrefix(line.substr(0, line.find_last_not_of(BLANKS) + 1)));
    }
}

std::vector<std::string_view>
Words(std::string_view line, char divider)
{
    constexpr std::size_t most = 64;
    const auto dividers = std::string(BLANKS) + (divider == ' ' ? "" : std::string{divider, '"'});
    std::vector<std::string_view> words;
    while (words.size() < most && line.find_first_not_of(dividers) != std::string_view::npos)
    {
        line.remove_prefix(line.find_first_not_of(dividers));
        words.push_back(line.substr(0, line.find_first_of(dividers)));
        line.remove_prefix(words.back().size());
    }
    return words;
}

std::vector<std::string_view>
Cells(std::string_view line, char divider)
{
    std::vector<std::string_view> cells;
    for (bool isLast = false; !isLast;)
    {
        const auto end = std::min(line.find(divider), line.size());
        auto cell = line.substr(0, end);
        cell.remove_prefix(std::min(cell.find_first_not_of(" \""), cell.size()));
        cells.push_back(cell.substr(0, cell.find_last_not_of(" \"") + 1));
        isLast = end == line.size();
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    return cells;
}

std::string
LowerCase(std::string_view text)
{
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char letter) {
        return static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
    });
    return lower;
}

std::vector<std::string_view>
Numbers(std::string_view line)
{
    std::vector<std::string_view> longest;
    std::vector<std::string_view> run;
    for (const auto word : Words(line))
    {
        run.push_back(word);
        if (!NumberIn(word))
        {
            run.clear();
        }
        longest = run.size() > longest.size() ? run : longest;
    }
    return longest;
}

std::optional<double>
NumberIn(std::string_view word)
{
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool isNumber = error == std::errc() && end == word.data() + word.size();
    return isNumber && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::uint64_t
CountIn(std::string_view text)
{
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::uint32_t
CheckedRanks(std::uint64_t ranks)
{
    constexpr std::uint64_t most = 1'000'000;
    return ranks <= most ? static_cast<std::uint32_t>(ranks) : 0;
}

bool
Has(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

std::string_view
After(std::string_view text, std::string_view part)
{
    const auto at = text.find(part);
    return at == std::string_view::npos ? std::string_view{} : text.substr(at + part.size());
}

std::uint32_t
RanksOfRatio(std::string_view algbw, std::string_view busbw)
{
    constexpr double factor = 2;
    const auto ranksAt = [](double bus, double algorithm) {
        const bool isFinite = algorithm > 0 && bus / algorithm < factor;
        return isFinite ? factor / (factor - bus / algorithm) : HUGE_VAL;
    };
    const auto algorithm = NumberIn(algbw).value_or(0);
    const auto bus = NumberIn(busbw).value_or(-1);
    if (algorithm <= 0 || bus < 0 || Has(algbw, "e"))
    {
        return 0;
    }
    constexpr double ofArithmetic = 1e-6;
    const auto ofAlgorithm = HalfOfLastDigit(algbw);
    const auto ofBus = HalfOfLastDigit(busbw);
    const auto least = std::ceil(ranksAt(bus - ofBus, algorithm + ofAlgorithm) - ofArithmetic);
    const auto most = std::floor(ranksAt(bus + ofBus, algorithm - ofAlgorithm) + ofArithmetic);
    constexpr double mostRanks = 1e6;
    return least == most && most <= mostRanks ? static_cast<std::uint32_t>(most) : 0;
}

} // namespace inca
