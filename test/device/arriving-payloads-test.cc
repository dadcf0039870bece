/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/arriving-payloads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace inca
{

namespace
{

constexpr std::uint64_t FRAME{4}; ///< bytes of payload
constexpr std::uint64_t MESSAGE{12};

const ns3::Mac48Address ALICE{"00:00:00:00:00:01"};
const ns3::Mac48Address BOB{"00:00:00:00:00:02"};

class ArrivingPayloadsTest : public testing::Test
{
  protected:
    /** A frame of a message of three. */
    static ns3::Ptr<Train> Frame(ns3::Mac48Address from,
                                 std::uint32_t ordinal,
                                 std::uint64_t offset)
    {
        const auto train = MakeTransportTrain(TrainKind::DATA, FRAME);
        train->source = from;
        train->segment.tag.ordinal = ordinal;
        train->segment.messageBytes = MESSAGE;
        train->segment.offset = offset;
        return train;
    }

    /** Such a frame whose bytes are all @p fill. */
    SharedBytes Arrive(ns3::Mac48Address from,
                       std::uint32_t ordinal,
                       std::uint64_t offset,
                       std::uint8_t fill)
    {
        const auto train = Frame(from, ordinal, offset);
        const std::vector<std::uint8_t> bytes(FRAME, fill);
        auto kept = payloads.Keep(*train, bytes.data());
        EXPECT_TRUE(Has(kept, fill));
        return kept;
    }

    static bool Has(const SharedBytes& bytes, std::uint8_t fill)
    {
        return bytes.size() == FRAME &&
               std::count(bytes.data(), bytes.data() + bytes.size(), fill) ==
                   static_cast<std::ptrdiff_t>(FRAME);
    }

    ArrivingPayloads payloads;
};

} // namespace

TEST_F(ArrivingPayloadsTest, PartsInOrderStandBehindEachOther)
{
    const auto first = Arrive(ALICE, 0, 0, 1);
    const auto others = Arrive(BOB, 0, 0, 9);
    const auto second = Arrive(ALICE, 0, 4, 2);
    const auto third = Arrive(ALICE, 0, 8, 3);
    EXPECT_TRUE(first.GoOnWith(second));
    EXPECT_TRUE(second.GoOnWith(third));
    EXPECT_TRUE(Has(others, 9));
    EXPECT_FALSE(third.GoOnWith(Arrive(ALICE, 1, 0, 4)));
}

TEST_F(ArrivingPayloadsTest, PartsStandAloneFromTheFirstThatComesTooEarlyOn)
{
    const auto first = Arrive(ALICE, 0, 0, 1);
    const auto third = Arrive(ALICE, 0, 8, 3);
    const auto second = Arrive(ALICE, 0, 4, 2);
    EXPECT_FALSE(first.GoOnWith(second));
    EXPECT_FALSE(second.GoOnWith(third));
    EXPECT_TRUE(Has(first, 1));
}

/* Whoever holds a part, or has changed it as its only owner, keeps it as it is. */
TEST_F(ArrivingPayloadsTest, ARepeatedPartIsNotWrittenOverTheFirst)
{
    const auto first = Arrive(ALICE, 0, 0, 1);
    const auto second = Arrive(ALICE, 0, 4, 2);
    Arrive(ALICE, 0, 4, 7);
    Arrive(ALICE, 0, 0, 8);
    EXPECT_TRUE(Has(first, 1));
    EXPECT_TRUE(Has(second, 2));
}

TEST_F(ArrivingPayloadsTest, WhatGoesOnMayBeWrittenWhereItStands)
{
    EXPECT_EQ(payloads.PlaceOf(*Frame(ALICE, 0, 0)), nullptr); // whose message has no memory yet
    const auto first = Arrive(ALICE, 0, 0, 1);
    EXPECT_EQ(payloads.PlaceOf(*Frame(ALICE, 0, 8)), nullptr);
    EXPECT_EQ(payloads.PlaceOf(*Frame(ALICE, 1, 4)), nullptr);
    const auto train = Frame(ALICE, 0, 4);
    auto* const place = payloads.PlaceOf(*train);
    ASSERT_EQ(place, first.data() + FRAME);
    std::fill_n(place, FRAME, std::uint8_t{2});
    const auto second = payloads.Keep(*train, place);
    EXPECT_TRUE(first.GoOnWith(second));
    EXPECT_TRUE(Has(second, 2));
}

TEST_F(ArrivingPayloadsTest, MoreThanItsMessageHasStandsAlone)
{
    Arrive(ALICE, 0, 0, 1);
    Arrive(ALICE, 0, 4, 2);
    const auto train = MakeTransportTrain(TrainKind::DATA, MESSAGE);
    train->source = ALICE;
    train->segment.messageBytes = MESSAGE;
    train->segment.offset = 8;
    const std::vector<std::uint8_t> bytes(MESSAGE, 5);
    EXPECT_EQ(payloads.Keep(*train, bytes.data()).size(), MESSAGE);
}

} // namespace inca
