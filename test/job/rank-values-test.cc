/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/rank-values.h"

#include "base/errors.h"
#include "support/float-words.h"
#include "support/played.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iomanip>
#include <sstream>
#include <string>

namespace inca
{

namespace
{

using Values = std::vector<float>;

/** Rounds to whole numbers. */
void
ToWhole(float* values, std::uint64_t count)
{
    for (std::uint64_t i = 0; i < count; ++i)
    {
        values[i] = std::trunc(values[i]);
    }
}

void
Halve(float* values, std::uint64_t count)
{
    for (std::uint64_t i = 0; i < count; ++i)
    {
        values[i] /= 2;
    }
}

/** A rank whose own gradient of element i is i, for elements 10 .. 19; counts what is asked for. */
class RankValuesTest : public testing::Test
{
  protected:
    RankValues Make(ValueHooks hooks = {})
    {
        const auto own = [this](ElementRange range, Word* out) {
            m_asked += range.count;
            for (std::uint64_t i = 0; i < range.count; ++i)
            {
                out[i] = BitsOf(static_cast<float>(range.begin + i));
            }
        };
        return {{10, 10}, own, std::move(hooks)};
    }

    static Values Read(const RankValues& values, ElementRange range)
    {
        std::vector<Word> out(range.count);
        values.Read(range, out.data());
        return ToFloats(out);
    }

    static void Receive(RankValues& values,
                        Combine first, ///< the others are added
                        ElementRange range,
                        const std::vector<Values>& messages,
                        bool ownsResult = false)
    {
        Step step;
        step.ownsResult = ownsResult;
        std::vector<std::vector<Word>> words;
        std::vector<const Word*> received;
        for (const auto& message : messages)
        {
            const auto from = static_cast<Rank>(words.size() + 1);
            step.receives.push_back({from, range, {}, words.empty() ? first : Combine::ADD});
            words.push_back(ToWords(message));
        }
        for (const auto& message : words)
        {
            received.push_back(message.data());
        }
        values.Receive(step, received);
    }

    /** A step of a script. */
    std::string Do(RankValues& values, std::istringstream& words) const
    {
        std::string command;
        ElementRange range;
        words >> command >> range.begin;
        if (command == "asked")
        {
            return std::to_string(m_asked);
        }
        if (command == "read")
        {
            std::ostringstream text;
            words >> range.count;
            for (const auto value : Read(values, range))
            {
                text << (text.tellp() == 0 ? "" : " ") << std::setprecision(9) << value;
            }
            return text.str();
        }
        std::vector<Values> messages(1);
        for (std::string word; words >> word;)
        {
            word == "|" ? messages.emplace_back().clear()
                        : messages.back().push_back(std::stof(word));
        }
        range.count = messages.front().size();
        if (command == "put")
        {
            values.Store(range, ToWords(messages.front()).data(), PayloadKind::GRADIENT);
            return "";
        }
        const bool owns = command == "sum" || command == "pass";
        const bool adds = command == "sum" || command == "add";
        Receive(values, adds ? Combine::ADD : Combine::STORE, range, messages, owns);
        return "";
    }

    std::uint64_t m_asked{0}; ///< own values
};

} // namespace

/**
 * "add 12 100 200": a message of these values for elements 12 and 13 is added, of several with "|" between them one after the
 * other; "store": the first is stored, and others added; "sum" and "pass" are the same in a step that owns the result;
 * "put" is what comes from elsewhere; "read 11 4" are the values of elements 11 to 14; "asked": how many own ones were asked
 * for.
 */
TEST_F(RankValuesTest, AreWhatStepsMakeOfThem)
{
    struct Row
    {
        const char* what;
        ValueHooks hooks;
        const char* script;
    };

    const Row rows[] = {
        {"the own gradient at first", {}, "read 12 3 = 12 13 14"},
        {"what is stored asks for nothing",
         {},
         "store 10 7 7 7 7 7 7 7 7 7 7; read 10 10 = 7 7 7 7 7 7 7 7 7 7; asked = 0"},
        {"across what is stored and what is not", {}, "store 12 -1 -2; read 11 4 = 11 -1 -2 14"},
        // Own 12 and 13 plus 100 and 200; the second time it adds to the sums and does not ask again.
        {"its own gradient is added once",
         {},
         "add 12 100 200; read 12 2 = 112 213; add 12 1 1; read 12 2 = 113 214; asked = 2"},
        {"stored and own values in one range", {}, "store 11 5; add 10 1 1 1; read 10 3 = 11 6 13"},
        // (2^24 + 1) + 1 = 2^24 in fp32, where 1 + 1 + 2^24 would be 2^24 + 2.
        {"all in the order of the receives",
         {},
         "store 10 16777216 | 1 | 1; read 10 1 = 16777216; store 10 1 | 1 | 16777216; "
         "read 10 1 = 16777218; asked = 0"},
        // Rounded after each addition: 0.6 stays, 0.6 + 0.6 -> 1, 1 + 0.6 -> 1. At the end only: 1.8 -> 1, so a
        // fourth 0.6 tells: 1 + 0.6 -> 1, where 2.4 -> 2.
        {"rounded after each addition",
         {ToWhole, {}},
         "store 10 0.6 | 0.6 | 0.6 | 0.6; read 10 1 = 1; add 12 0.6; read 12 1 = 12"},
        // As 16-bit gradients: 1.5 + 1.5 are added first and are 3, and 12 + 1.5 is 12 each time; what comes
        // from elsewhere is kept in the same type.
        {"what is kept is narrowed once a step",
         {{}, {}, ToWhole},
         "store 10 1.5 | 1.5; read 10 1 = 3; add 12 0.6; add 12 0.6; read 12 1 = 12; store 13 7.5; "
         "put 14 8.5; read 13 2 = 7 8"},
        // 11 + 4 = 15, halved 7.5, and kept as 7.
        {"what the hook leaves is narrowed", {{}, Halve, ToWhole}, "sum 11 4; read 11 1 = 7"},
        // 11 + 4 = 15, kept as 7.5, but only by the step that owns the result.
        {"of an owned sum what the hook leaves",
         {{}, Halve},
         "sum 11 4; add 12 4; read 11 2 = 7.5 16"},
        // (11 + 4) + 5 = 20 is the sum, kept as 10; 15 alone is none.
        {"a sum is owned once all is added", {{}, Halve}, "sum 11 4 | 5; read 11 1 = 10"},
        // A tree's root adds in the step in which others only pass on what came down.
        {"what is stored is not owned", {{}, Halve}, "pass 11 4; read 11 1 = 4"},
        {"a second sum in place of the first",
         {},
         "put 12 1 2; put 14 3 4; put 13 7 8; read 12 4 = 1 7 8 4"},
    };
    for (const auto& row : rows)
    {
        m_asked = 0;
        auto values = Make(row.hooks);
        const auto run = [&](auto& words) { return Do(values, words); };
        EXPECT_EQ(Played(row.script, run), row.script) << row.what;
    }
}

/* Elements 8 .. 11 of which the window has 10 and 11: the caller hands over two values. */
TEST_F(RankValuesTest, ClipsToItsWindow)
{
    auto values = Make();
    Receive(values, Combine::ADD, {8, 4}, {{100, 200}});
    Receive(values, Combine::STORE, {0, 10}, {{}});
    EXPECT_EQ(Read(values, {10, 3}), (Values{110, 211, 12}));
}

/* 12 and 13 are its own, 14 is 14 + 1: what it has asked for once is not asked for again, until it begins anew. */
TEST_F(RankValuesTest, HoldsWhatItHasAskedFor)
{
    auto values = Make();
    Receive(values, Combine::ADD, {14, 1}, {{1}});
    EXPECT_EQ(m_asked, 1U);
    for (unsigned time = 0; time < 2; ++time)
    {
        const auto* const held = values.Held({12, 3});
        EXPECT_EQ(ToFloats(std::vector<Word>(held, held + 3)), (Values{12, 13, 15}));
        EXPECT_EQ(m_asked, 3U);
    }
    values.Restart({10, 10});
    EXPECT_EQ(Read(values, {12, 3}), (Values{12, 13, 14}));
}

} // namespace inca
