/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "calibration/log-text.h"

#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace inca
{

namespace
{

constexpr std::string_view BLANKS{" \t\v\f\r"};
constexpr std::size_t LONGEST_LINE = 65'536; ///< no tool writes a longer row

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

/** @return whether a word looks like a time of day, a date, or a host's name: "15:41:05", "pod-7" */
bool
IsLabel(std::string_view word)
{
    const auto dash = word.find('-', 1);
    return Has(word, ":") ||
           (dash != word.npos && word[dash - 1] != 'e' && word.find_first_not_of('-') != word.npos);
}

/** @return whether a word is a number, however broken */
bool
IsLikeNumber(std::string_view word)
{
    word.remove_prefix(std::min(word.find_first_not_of("+-.*"), word.size()));
    const auto lower = LowerCase(word.substr(0, 4));
    const auto first = static_cast<unsigned char>(word.empty() ? '0' : word[0]);
    return lower == "nan" || lower == "inf" || first < ' ' || (first >= '0' && first <= '9');
}

/** @return the words of a line that may be meant as a row, without labels before them; empty: it is none */
std::vector<std::string_view>
RowWords(std::string_view line)
{
    auto words = Words(line);
    words.erase(words.begin(), std::find_if_not(words.begin(), words.end(), IsLabel));
    const bool isRule = words.size() < 2 || words[0][0] == '-'; // "-----", "*****"
    const bool isRow = !words.empty() &&
                       !(isRule && words[0].find_first_not_of("-*") == line.npos) &&
                       IsLikeNumber(words[0]) && (words.size() == 1 || IsLikeNumber(words[1]));
    return isRow ? words : std::vector<std::string_view>{};
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
        use(number,
            WithoutPrefix(line.substr(0, line.find_last_not_of(BLANKS) + 1))
                .substr(0, LONGEST_LINE));
    }
}

std::vector<std::string_view>
Words(std::string_view line, std::string_view others)
{
    constexpr std::size_t most = 64;
    const auto dividers = Text(BLANKS, others, others.empty() ? "" : "\"");
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
    const auto isNumber = [](auto word) { return NumberIn(word).has_value(); };
    auto row = RowWords(line);
    if (!row.empty())
    {
        row.erase(std::find_if_not(row.begin(), row.end(), isNumber), row.end());
        return row;
    }
    std::vector<std::string_view> longest;
    for (const auto word : Words(line))
    {
        row.push_back(word);
        if (!isNumber(word))
        {
            row.clear();
        }
        longest = row.size() > longest.size() ? row : longest;
    }
    return longest;
}

bool
IsLikeRow(std::string_view line)
{
    return !RowWords(line).empty();
}

std::optional<double>
NumberIn(std::string_view word)
{
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool isNumber = error == std::errc() && end == word.data() + word.size();
    return isNumber && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

double
LogUnit::Seconds(double bytes, double number) const
{
    return bytesPerSecond == 0 ? number * seconds
           : number == 0       ? 0
                               : bytes / (number * bytesPerSecond);
}

std::optional<LogUnit>
UnitIn(std::string_view name, bool isBinary)
{
    constexpr std::pair<std::string_view, double> times[]{
        {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
    auto per = name.substr(0, name.find('/'));
    const auto time = name.substr(std::min(per.size() + 1, name.size()));
    for (const auto& [unit, seconds] : times)
    {
        if (name == unit || name == std::string(unit) + "ec")
        {
            return LogUnit{seconds, 0};
        }
    }
    const auto power = std::string_view("KMGT").find(per.substr(0, 1));
    per.remove_prefix(per.empty() || power == per.npos ? 0 : 1);
    const bool isMarked = per.substr(0, 1) == "i";
    per.remove_prefix(isMarked ? 1 : 0);
    const bool isBytes = per == "B" || LowerCase(per) == "bytes";
    const bool isBits = per == "b" || per == "bits";
    const double base = isMarked || (isBytes && isBinary) ? 1024 : 1000;
    const double prefix = power == name.npos ? 1 : std::pow(base, static_cast<double>(power + 1));
    return (time == "s" || time == "sec") && (isBytes || isBits)
               ? std::optional(LogUnit{0, isBytes ? prefix : prefix / 8})
               : std::nullopt;
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

std::string_view
Within(std::string_view text, std::string_view open)
{
    const auto inner = After(text, open);
    return inner.substr(0, inner.find_first_of(")]"));
}

std::uint32_t
RanksOfRatio(std::string_view algbw, std::string_view busbw, double factor)
{
    const auto ranksAt = [factor](double bus, double algorithm) {
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
