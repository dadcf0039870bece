/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/units.h"
#include "exchange/slot-scheme.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace inca
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace
{

std::vector<std::string>
TextsOf(const std::vector<KeyComplaint>& complaints)
{
    std::vector<std::string> texts;
    for (const auto& complaint : complaints)
    {
        texts.push_back(complaint.key + ": " + complaint.text);
    }
    return texts;
}

} // namespace

/* 5 workers need 3 bits of 32, so a block is rounded to its largest by 2^-29; fixed to 2^-3, to 2^-32. */
TEST(SlotScheme, SaysHowItsSwitchesAdd)
{
    SchemeSpec spec;
    spec.workers = 5;
    spec.values = {{"switch.values_per_packet", "64"}};
    const auto byBlock = MakeSlotScheme(spec);
    EXPECT_EQ(byBlock->Numbers().fixedExponent, std::nullopt);
    EXPECT_EQ(byBlock->Reduction({}).block, 64U);
    EXPECT_EQ(byBlock->Reduction(WordSum::OR).block, 1U);
    EXPECT_EQ(byBlock->Loss(), "2^-29 of a block's largest");
    spec.values = {{"switch.scaling", "fixed"},
                   {"switch.fixed_exponent", "-3"},
                   {"switch.adder", "int32-saturating"}};
    EXPECT_EQ(MakeSlotScheme(spec)->Numbers().fixedExponent, -3);
    EXPECT_EQ(MakeSlotScheme(spec)->Numbers().adder, WordSum::INT32_SATURATING);
    EXPECT_EQ(MakeSlotScheme(spec)->Loss(), "2^-32, whatever the value");
    spec.values["switch.adder"] = "fp32";
    EXPECT_FALSE(MakeSlotScheme(spec)->Reduction({}).isExact);
    EXPECT_EQ(MakeSlotScheme(spec)->Loss(), "");
}

/* 127 / 5 = 25 steps, half of one is 1/50; 32767 / 5 = 6553. */
TEST(SlotScheme, SaysWhatNarrowAddersLose)
{
    SchemeSpec spec;
    spec.workers = 5;
    spec.values = {{"switch.adder", "int8"}};
    EXPECT_EQ(MakeSlotScheme(spec)->Loss(), "1/50 of a block's largest");
    spec.values = {
        {"switch.adder", "int16"}, {"switch.scaling", "fixed"}, {"switch.fixed_exponent", "-3"}};
    EXPECT_EQ(MakeSlotScheme(spec)->Loss(), "2^-3/13106, whatever the value");
    EXPECT_EQ(MakeSlotScheme(spec)->Numbers().fixedExponent, -3);
    spec.values["switch.adder"] = "fp16";
    EXPECT_EQ(MakeSlotScheme(spec)->Loss(), "2^-11 of a value and of each sum");
    EXPECT_EQ(MakeSlotScheme(spec)->Numbers().fixedExponent, std::nullopt);
    spec.values["switch.adder"] = "bf16";
    EXPECT_EQ(MakeSlotScheme(spec)->Loss(), "2^-8 of a value and of each sum");
    spec.values["switch.adder"] = "fp8-fp16";
    EXPECT_EQ(MakeSlotScheme(spec)->Loss(), "2^-4 of a value, and what is above 448");
}

/* 4 workers, 8 values in one packet: 44 + 8 b bytes of IP in 38 of Ethernet, at least 84 in all. A packet without values
 * goes ahead of integers scaled by block. In slots, two copies of 8 values are 16 b' bytes. At 8 bit/s, a byte takes a second:
 * a round trip over two links of no latency takes both frames, of which the longer paces. */
TEST(SlotScheme, SendsAsManyBytesAsTheAdderTakes)
{
    struct Row
    {
        const char* adder;
        std::uint64_t ahead;
        std::uint64_t sent;
        std::uint64_t got;
        std::uint64_t slotBytes;
    };

    const Row rows[] = {{"fp32", 0, 114, 114, 64},
                        {"int32", 84, 114, 114, 64},
                        {"int16", 84, 98, 98, 32},
                        {"int8", 84, 90, 90, 16},
                        {"fp16", 0, 98, 98, 32},
                        {"bf16", 0, 98, 98, 32},
                        {"fp8-fp16", 0, 90, 98, 32}};
    for (const auto& row : rows)
    {
        SCOPED_TRACE(row.adder);
        SchemeSpec spec;
        spec.workers = 4;
        spec.values = {
            {"switch.adder", row.adder}, {"switch.values_per_packet", "8"}, {"switch.slots", "1"}};
        const auto scheme = MakeSlotScheme(spec);
        const auto traffic = scheme->TrafficOf({{8, 1}});
        EXPECT_EQ(traffic.wireBytes, row.ahead + row.sent);
        EXPECT_EQ(traffic.gotBytes, row.ahead + row.got);
        EXPECT_EQ(scheme->SlotsNeeded({8, 0, 0, 1, 1U << 20U}, {{8 * 99, 1}}),
                  (row.sent + row.got + row.got - 1) / row.got);
        spec.values["switch.memory"] = std::to_string(row.slotBytes) + "B";
        EXPECT_THAT(TextsOf(MakeSlotScheme(spec)->Complaints()), IsEmpty());
        spec.values["switch.memory"] = std::to_string(row.slotBytes - 1) + "B";
        EXPECT_EQ(MakeSlotScheme(spec)->Complaints().size(), 1U);
    }
}

/* Of 1500 bytes 44 are headers, or 8: in fp8-fp16 sums of 2 bytes are the longer ones. */
TEST(SlotScheme, FitsPacketsIntoTheMtu)
{
    SchemeSpec spec;
    spec.values = {{"switch.adder", "fp8-fp16"}, {"switch.values_per_packet", "728"}};
    EXPECT_THAT(TextsOf(MakeSlotScheme(spec)->Complaints()), IsEmpty());
    spec.values["switch.values_per_packet"] = "747";
    EXPECT_THAT(TextsOf(MakeSlotScheme(spec)->Complaints()),
                ElementsAre(HasSubstr("44 + 2 * 747 = 1538 bytes")));
    spec.values["switch.header_bytes"] = "6";
    EXPECT_THAT(TextsOf(MakeSlotScheme(spec)->Complaints()), IsEmpty());
}

/* 127 / 127 = 1, 127 / 128 is less. What is handed on goes up and comes down in packets of one size. */
TEST(SlotScheme, RefusesWhatNarrowAddersCannotAdd)
{
    SchemeSpec spec;
    spec.values = {{"switch.adder", "int8"}};
    spec.workers = 127;
    EXPECT_THAT(TextsOf(MakeSlotScheme(spec)->Complaints()), IsEmpty());
    spec.workers = 128;
    EXPECT_THAT(TextsOf(MakeSlotScheme(spec)->Complaints()),
                ElementsAre(HasSubstr("switch.adder: ")));
    spec.workers = 4;
    spec.handsOn = true;
    EXPECT_THAT(TextsOf(MakeSlotScheme(spec)->Complaints()), IsEmpty());
    spec.values["switch.adder"] = "fp8-fp16";
    EXPECT_THAT(TextsOf(MakeSlotScheme(spec)->Complaints()),
                ElementsAre(HasSubstr("must not be fp8-fp16")));
}

/* A program of one's own may round as it likes: here to the largest of all workers' values. */
TEST(SlotScheme, AddsAsItIsTold)
{
    NetworkReduction largest;
    largest.add = [](const auto& perWorker, std::uint64_t count, Word* sum) {
        for (std::uint64_t i = 0; i < count; ++i)
        {
            sum[i] = std::max(perWorker[0][i], perWorker[1][i]);
        }
    };
    const auto scheme = MakeSlotScheme(SchemeSpec(), 2, largest);
    const Word words[]{BitsOf(3.0F), BitsOf(2.0F)};
    Word sum = 0;
    scheme->Reduction({}).add({&words[0], &words[1]}, 1, &sum);
    EXPECT_EQ(FloatOf(sum), 3.0F);
    scheme->Reduction(WordSum::OR).add({&words[0], &words[1]}, 1, &sum);
    EXPECT_EQ(sum, words[0] | words[1]);
}

/* A slot of 256 values takes 2 KiB with two copies: 16 in 32 KiB; with one, 32. */
TEST(SlotScheme, CountsCopies)
{
    SchemeSpec spec;
    spec.values = {{"switch.memory", "32KiB"}, {"switch.slots", "32"}};
    EXPECT_THAT(TextsOf(MakeSlotScheme(spec)->Complaints()),
                ElementsAre(HasSubstr("switch.slots: 32 slots of 2 copies")));
    EXPECT_THAT(TextsOf(MakeSlotScheme(spec, 1)->Complaints()), IsEmpty());
    spec.values["switch.slots"] = "33";
    EXPECT_THAT(TextsOf(MakeSlotScheme(spec, 1)->Complaints()),
                ElementsAre(HasSubstr("switch.slots: 33 slots of 256 values need 33KiB")));
}

/* At 8848 bit/s a frame of 1106 bytes takes 1 s; two levels of links of 1 s latency: 4 * (1 + 1), and 3
 * switches of 2 s: 14 s, 14 frames. */
TEST(SlotScheme, NeedsTheSlotsOfARoundTrip)
{
    constexpr std::int64_t SECOND{1'000'000'000'000};
    const SummingNetwork network{8848, SECOND, 2 * SECOND, 2, 1U << 20U};
    const ReductionCounts sums{{256 * 3, 5}}; // 15 packets
    EXPECT_EQ(MakeSlotScheme(SchemeSpec())->SlotsNeeded(network, sums), 14U);
    EXPECT_EQ(MakeSlotScheme(SchemeSpec())->SlotsNeeded(network, {{256 * 3, 2}, {1, 1}}),
              7U); // 3 + 3 + 1
    SchemeSpec few;
    few.values = {{"switch.slots", "13"}};
    EXPECT_THAT(MakeSlotScheme(few)->WarningsFor(network, sums),
                ElementsAre(HasSubstr("it takes about 14")));
    few.values = {{"switch.slots", "14"}};
    EXPECT_THAT(MakeSlotScheme(few)->WarningsFor(network, sums), IsEmpty());
}

/* 4 workers' blocks of 2560 values, 10 packets of 256 each: gradients go up in full, a quarter comes down; a quarter of
 * the weights goes up, three come down; of 16 bits in half as many packets. A packet of 1106 bytes has values, one of 84
 * none. Without exponents, of which none go before weights. A switch with 2 of the workers below passes on half of
 * what is theirs. */
TEST(SlotScheme, CountsPartsOfWorkers)
{
    SchemeSpec spec;
    spec.workers = 4;
    spec.values = {{"switch.slots", "6"}};
    const auto scheme = MakeSlotScheme(spec);
    const ReductionSize scatter(10'240, SumPhase::REDUCE_SCATTER, 1);
    const ReductionSize gather(10'240, SumPhase::ALL_GATHER, 1);
    const auto expect = [&](const SumTraffic& traffic,
                            std::uint64_t frames,
                            std::uint64_t sent,
                            std::uint64_t got) {
        EXPECT_EQ(traffic.frames, frames);
        EXPECT_EQ(traffic.wireBytes, sent * 1106 + (frames - sent) * 84);
        EXPECT_EQ(traffic.gotBytes, got * 1106 + (frames - got) * 84);
    };
    expect(scheme->TrafficOf({{scatter, 1}}), 46, 40, 10);
    expect(scheme->TrafficOf({{gather, 1}}), 40, 10, 30);
    expect(scheme->TrafficOf({{{10'240, SumPhase::ALL_GATHER, 2}, 1}}), 20, 5, 15);
    expect(scheme->TrafficOf({{scatter, 2}, {gather, 1}}), 2 * 46 + 40, 2 * 40 + 10, 2 * 10 + 30);
    // one in two has a part: 5 packets of each block, of the own one too where they are added
    expect(scheme->TrafficOf({{{10'240, SumPhase::REDUCE_SCATTER, 1, false, 2}, 1}}), 46, 20, 10);
    expect(scheme->TrafficOf({{{10'240, SumPhase::ALL_GATHER, 1, false, 2}, 1}}), 40, 10, 15);
}

/* At 8848 bit/s, of 4 workers' packets 3 of 1 s come to each, and one of 84 bytes, 75.949 ms: 768987 us in the mean. 10
 * packets wait 7.69 s; in 4 slots, 3.08 s. */
TEST(SlotScheme, WarnsOfWeightsThatWaitForLong)
{
    SchemeSpec spec;
    spec.workers = 4;
    spec.values = {{"switch.timeout", "7s"}};
    const SummingNetwork network{8848, 0, 0, 1, 1U << 20U};
    const ReductionCounts sums{{{2560, SumPhase::ALL_GATHER, 1}, 3}};
    const auto warnings = MakeSlotScheme(spec)->WarningsFor(network, sums);
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_THAT(warnings.front(), testing::HasSubstr("switch.timeout: 7s"));
    spec.values["switch.slots"] = "4";
    EXPECT_THAT(MakeSlotScheme(spec)->WarningsFor(network, sums), IsEmpty());
    EXPECT_THAT(MakeSlotScheme(spec)->WarningsFor(network, {{2560, 3}}), IsEmpty());
}

TEST(SlotScheme, WarnsOfWhatWasSeen)
{
    const auto scheme = MakeSlotScheme(SchemeSpec());
    EXPECT_THAT(scheme->WarningsAfter({}), IsEmpty());
    SumStats seen;
    seen.repeatedFrames = 3;
    seen.lostFrames = 1; // which explains them
    EXPECT_THAT(scheme->WarningsAfter(seen), IsEmpty());
    seen.lostFrames = 0;
    seen.fullSwitches = {{"leaf 0", 2, 128}};
    seen.clampedValues = 4;
    EXPECT_THAT(
        scheme->WarningsAfter(seen),
        ElementsAre(HasSubstr("leaf 0: 2 "), HasSubstr("3 packets"), HasSubstr("4 values")));
    SchemeSpec spec;
    spec.values = {{"switch.adder", "fp8-fp16"}};
    seen = {};
    seen.clampedValues = 4;
    EXPECT_THAT(MakeSlotScheme(spec)->WarningsAfter(seen),
                ElementsAre(HasSubstr("switch.adder: 4 values")));
}

} // namespace inca
