/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/rank-values.h"

#include "base/errors.h"
#include "support/float-words.h"

#include <gtest/gtest.h>

#include <cmath>

namespace inca
{

namespace
{

using Values = std::vector<float>;

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
        for (const auto& message : messages)
        {
            step.receives.push_back({static_cast<Rank>(words.size() + 1),
                                     range,
                                     {},
                                     words.empty() ? first : Combine::ADD});
            words.push_back(ToWords(message));
        }
        std::vector<const Word*> received;
        for (const auto& message : words)
        {
            received.push_back(message.data());
        }
        values.Receive(step, received);
    }

    std::uint64_t m_asked{0}; ///< own values
};

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

} // namespace

TEST_F(RankValuesTest, HoldsTheOwnGradientAtFirst)
{
    const auto values = Make();
    EXPECT_EQ(Read(values, {12, 3}), (Values{12, 13, 14}));
}

TEST_F(RankValuesTest, StoresWithoutAskingForTheOwnGradient)
{
    auto values = Make();
    Receive(values, Combine::STORE, {10, 10}, {Values(10, 7)});
    EXPECT_EQ(Read(values, {10, 10}), Values(10, 7));
    EXPECT_EQ(m_asked, 0U);
}

TEST_F(RankValuesTest, ReadsAcrossWhatIsStoredAndWhatIsNot)
{
    auto values = Make();
    Receive(values, Combine::STORE, {12, 2}, {{-1, -2}});
    EXPECT_EQ(Read(values, {11, 4}), (Values{11, -1, -2, 14}));
}

/* Own 12 and 13 plus 100 and 200; the second time it adds to the sums and does not ask again. */
TEST_F(RankValuesTest, AddsToItsOwnGradientOnce)
{
    auto values = Make();
    Receive(values, Combine::ADD, {12, 2}, {{100, 200}});
    EXPECT_EQ(Read(values, {12, 2}), (Values{112, 213}));
    Receive(values, Combine::ADD, {12, 2}, {{1, 1}});
    EXPECT_EQ(Read(values, {12, 2}), (Values{113, 214}));
    EXPECT_EQ(m_asked, 2U);
}

TEST_F(RankValuesTest, AddsToStoredAndOwnValuesInOneRange)
{
    auto values = Make();
    Receive(values, Combine::STORE, {11, 1}, {{5}});
    Receive(values, Combine::ADD, {10, 3}, {{1, 1, 1}});
    EXPECT_EQ(Read(values, {10, 3}), (Values{11, 6, 13}));
}

/* (2^24 + 1) + 1 = 2^24 in fp32, where 1 + 1 + 2^24 would be 2^24 + 2. */
TEST_F(RankValuesTest, SumsAllInTheOrderOfTheReceives)
{
    auto values = Make();
    Receive(values, Combine::STORE, {10, 1}, {{0x1p24F}, {1}, {1}});
    EXPECT_EQ(Read(values, {10, 1}), (Values{0x1p24F}));
    Receive(values, Combine::STORE, {10, 1}, {{1}, {1}, {0x1p24F}});
    EXPECT_EQ(Read(values, {10, 1}), (Values{0x1p24F + 2}));
    EXPECT_EQ(m_asked, 0U);
}

/* Rounded after each addition: 0.6 stays, 0.6 + 0.6 -> 1, 1 + 0.6 -> 1. At the end only: 1.8 -> 1,
 * so a fourth 0.6 tells: 1 + 0.6 -> 1, where 2.4 -> 2. */
TEST_F(RankValuesTest, RoundsAfterEachAddition)
{
    auto values = Make({ToWhole, {}});
    Receive(values, Combine::STORE, {10, 1}, {{0.6F}, {0.6F}, {0.6F}, {0.6F}});
    EXPECT_EQ(Read(values, {10, 1}), (Values{1}));
    Receive(values, Combine::ADD, {12, 1}, {{0.6F}});
    EXPECT_EQ(Read(values, {12, 1}), (Values{12}));
}

/* As 16-bit gradients: 1.5 + 1.5 are added first and are 3, and 12 + 1.5 is 12 each time; what comes from
 * elsewhere is kept in the same type. */
TEST_F(RankValuesTest, NarrowsWhatItKeepsOnceAStep)
{
    auto values = Make({{}, {}, ToWhole});
    Receive(values, Combine::STORE, {10, 1}, {{1.5F}, {1.5F}});
    EXPECT_EQ(Read(values, {10, 1}), (Values{3}));
    Receive(values, Combine::ADD, {12, 1}, {{0.6F}});
    Receive(values, Combine::ADD, {12, 1}, {{0.6F}});
    EXPECT_EQ(Read(values, {12, 1}), (Values{12}));
    Receive(values, Combine::STORE, {13, 1}, {{7.5F}});
    const auto words = ToWords({8.5F});
    values.Store({14, 1}, words.data());
    EXPECT_EQ(Read(values, {13, 2}), (Values{7, 8}));
}

/* 11 + 4 = 15, halved 7.5, and kept as 7. */
TEST_F(RankValuesTest, NarrowsWhatTheHookLeaves)
{
    auto values = Make({{}, Halve, ToWhole});
    Receive(values, Combine::ADD, {11, 1}, {{4}}, true);
    EXPECT_EQ(Read(values, {11, 1}), (Values{7}));
}

/* 11 + 4 = 15, kept as 7.5, but only by the step that owns the result. */
TEST_F(RankValuesTest, KeepsOfAnOwnedSumWhatTheHookLeaves)
{
    auto values = Make({{}, Halve});
    Receive(values, Combine::ADD, {11, 1}, {{4}}, true);
    Receive(values, Combine::ADD, {12, 1}, {{4}}, false);
    EXPECT_EQ(Read(values, {11, 2}), (Values{7.5F, 16}));
}

/* (11 + 4) + 5 = 20 is the sum, kept as 10; 15 alone is none. */
TEST_F(RankValuesTest, OwnsASumOnceAllIsAdded)
{
    auto values = Make({{}, Halve});
    Receive(values, Combine::ADD, {11, 1}, {{4}, {5}}, true);
    EXPECT_EQ(Read(values, {11, 1}), (Values{10}));
}

/* A tree's root adds in the step in which others only pass on what came down. */
TEST_F(RankValuesTest, OwnsWhatItAddsAndNotWhatItStores)
{
    auto values = Make({{}, Halve});
    Receive(values, Combine::STORE, {11, 1}, {{4}}, true);
    EXPECT_EQ(Read(values, {11, 1}), (Values{4}));
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

TEST_F(RankValuesTest, StoresASecondSumInPlaceOfTheFirst)
{
    auto values = Make();
    values.Store({12, 2}, ToWords({1, 2}).data());
    values.Store({14, 2}, ToWords({3, 4}).data());
    values.Store({13, 2}, ToWords({7, 8}).data());
    EXPECT_EQ(Read(values, {12, 4}), (Values{1, 7, 8, 4}));
}

} // namespace inca
