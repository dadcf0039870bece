/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What must hold of any run without jitter: each random scenario is simulated once in auto and once at packet level.
#include "experiment/scenario-fixture.h"
#include "scenario/specs.h"

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace inca
{

namespace
{

/** Which runs of a kind carry values. */
enum class Values
{
    NONE,
    EVERY_OTHER, ///< those of even number
};

/** A kind of random scenarios, and how many of them must have met what the kind is there for. */
struct Kind
{
    const char* name;
    std::uint32_t count;
    std::uint32_t larger;      ///< traces of some of them have so many times as many elements
    std::uint32_t everyLarger; ///< number by number, one in so many has a larger trace
    Values values;
    bool exact;                ///< all are, unless some ranks stand for others that differ
    std::uint32_t leastFolded; ///< runs of which not all ranks are simulated
    std::uint32_t leastShort;  ///< runs of which not all frames are simulated
    std::uint32_t leastDropped;
    std::uint32_t leastReplayed; ///< runs whose values are replayed beside the simulation
};

std::ostream&
operator<<(std::ostream& out, const Kind& kind)
{
    return out << kind.name;
}

/** How many runs of a kind were of which sort. */
struct Seen
{
    std::uint32_t folded{0};
    std::uint32_t shorter{0};
    std::uint32_t dropped{0};
    std::uint32_t replayed{0};
};

/** Whether switches add fp32, in the order of arrival: beside the simulation in that of the workers. */
bool
IsOrderless(const Scenario& scenario)
{
    const auto adder = scenario.rowSettings.find("switch.adder");
    return ReducesInNetwork(scenario) && adder != scenario.rowSettings.end() &&
           adder->second == "fp32";
}

/** Only wires take time for each packet, and one exchange follows the other. */
bool
OnlyWiresTakeTime(const Scenario& scenario)
{
    const auto& host = scenario.host;
    return ReducesInNetwork(scenario) && host.frameCostPs == 0 && host.byteBytesPerSecond == 0 &&
           scenario.exchange.concurrent == 1 &&
           MakeScheme(scenario, false, 1)->AddedValuesPerSecond() == 0;
}

/** What holds of one run alone. */
void
ExpectMeasures(const Scenario& scenario, const RunRecord& record)
{
    const auto& results = record.results;
    EXPECT_LE(*results.lowerBoundPs, results.iterationTimePs);
    EXPECT_LE(results.scalingEfficiency.value_or(0), 1);
    // slots that weights share with gradients may be asked for again before they are free
    const bool sharesSlots =
        ReducesInNetwork(scenario) && scenario.training.sharding != Sharding::NONE;
    EXPECT_TRUE(results.retransmitted == 0 || results.drops > 0 || sharesSlots);
    for (const auto& link : record.links)
    {
        EXPECT_LE(link.utilisation, 1) << link.ends.name;
    }
}

/** What the sums are, wherever they were made. */
void
ExpectSums(const Scenario& scenario, const RunRecord& record, const RunRecord& packetLevel)
{
    const auto& ours = record.results;
    const auto& theirs = packetLevel.results;
    ASSERT_TRUE(ours.sumErrorMax);
    EXPECT_EQ(theirs.valuesInFrames, true);
    EXPECT_EQ(ours.replicaDifferenceMax, theirs.replicaDifferenceMax);
    EXPECT_EQ(record.warnings, packetLevel.warnings);
    if (IsOrderless(scenario))
    {
        EXPECT_TRUE(*ours.valuesInFrames || !ours.exact);
        return;
    }
    ExpectSameSums(ours, theirs);
}

/** Rows of all tables are the same where the row says so, and as near as it says elsewhere. */
void
ExpectPrecision(const Scenario& scenario, const RunRecord& record, const RunRecord& packetLevel)
{
    const auto precision = PrecisionOf(record, packetLevel);
    EXPECT_TRUE(precision.IsSound(record.results.exact));
    if (record.results.exact)
    {
        ExpectSameRows(record, packetLevel);
    }
    if (OnlyWiresTakeTime(scenario))
    {
        EXPECT_EQ(precision.iterationError, 0);
        EXPECT_EQ(precision.communicationError, 0);
        EXPECT_EQ(precision.exchangeError, 0);
    }
}

} // namespace

class DrawnRuns : public testing::TestWithParam<Kind>
{
};

TEST_P(DrawnRuns, AreThoseOfPacketLevelAndKeepToTheirMeasures)
{
    const auto& kind = GetParam();
    const DrawnTraces usual(testing::TempDir());
    const DrawnTraces larger(testing::TempDir(), kind.larger);
    Seen seen;
    for (std::uint32_t number = 0; number < kind.count; ++number)
    {
        auto scenario = DrawnOf(kind.name, number, number % kind.everyLarger == 0 ? larger : usual);
        scenario.training.values = kind.values == Values::EVERY_OTHER && number % 2 == 0;
        SCOPED_TRACE(std::to_string(number) + ": " + SettingsOf(scenario));
        const auto record = RunExperiment(scenario, {});
        const auto packetLevel = AtPacketLevel(scenario);
        const auto& results = record.results;
        ExpectMeasures(scenario, record);
        ExpectPrecision(scenario, record, packetLevel);
        EXPECT_EQ(results.sumErrorMax.has_value(), scenario.training.values);
        if (scenario.training.values)
        {
            ExpectSums(scenario, record, packetLevel);
        }
        const bool isFolded = results.simulatedRanks < results.ranks;
        EXPECT_TRUE(results.exact || isFolded || !kind.exact || IsOrderless(scenario));
        seen.folded += isFolded ? 1 : 0;
        seen.shorter += results.packetLevelShare < 1 ? 1 : 0;
        seen.dropped += results.drops > 0 ? 1 : 0;
        seen.replayed += results.valuesInFrames == false ? 1 : 0;
    }
    EXPECT_GE(seen.folded, kind.leastFolded);
    EXPECT_GE(seen.shorter, kind.leastShort);
    EXPECT_GE(seen.dropped, kind.leastDropped);
    EXPECT_GE(seen.replayed, kind.leastReplayed);
}

// clang-format off
INSTANTIATE_TEST_SUITE_P(Kinds, DrawnRuns, testing::ValuesIn(std::vector<Kind>{
    {"scenarios",     300,  1,  1, Values::EVERY_OTHER, false,  0,  0,  0, 20},
    {"networks",       60, 40,  1, Values::NONE,        true,   0, 20,  0,  0},
    {"collectives",    40, 40,  4, Values::EVERY_OTHER, true,   0,  0,  0,  0},
    {"steps",          40, 20,  1, Values::NONE,        true,   0, 10,  0,  0},
    {"sharding",       80, 10,  1, Values::EVERY_OTHER, false,  0, 13,  0,  0},
    {"gradients",      60,  1,  1, Values::EVERY_OTHER, false,  0,  0,  0,  0},
    {"codecs",         60, 10,  6, Values::EVERY_OTHER, false,  0,  0,  0,  5},
    {"two shots",      60, 10,  6, Values::EVERY_OTHER, true,   0,  0,  5,  5},
    {"leaves",         60, 10,  4, Values::EVERY_OTHER, false, 10,  0,  0,  0},
    {"overflow",       50, 10,  1, Values::NONE,        false,  0,  0, 12,  0},
    {"host shards",    60, 40,  8, Values::EVERY_OTHER, true,   7,  0,  0,  5},
    {"hybrids",        24, 12,  8, Values::EVERY_OTHER, false,  2,  0,  0,  3},
    {"nodes",          24,  4, 12, Values::EVERY_OTHER, false,  2,  0,  0,  3},
    {"switch shards",  60, 20,  4, Values::EVERY_OTHER, false,  0,  3,  0,  0},
    {"sketches",      105, 10,  8, Values::EVERY_OTHER, false,  0,  0,  0,  0},
    {"sketch shards",  90, 10,  8, Values::EVERY_OTHER, false,  5,  0,  0,  0}}),
    [](const auto& test) {
        std::string name = test.param.name;
        std::replace(name.begin(), name.end(), ' ', '_');
        return name;
    });
// clang-format on

} // namespace inca
