/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_EXPERIMENT_SCENARIO_FIXTURE_H
#define INCA_TEST_EXPERIMENT_SCENARIO_FIXTURE_H

#include "experiment/drawn-scenario.h"
#include "experiment/precision.h"
#include "experiment/run-experiment.h"
#include "experiment/simulation.h"
#include "plan/plan-maker.h"
#include "record/details.h"
#include "scenario/checks.h"
#include "support/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace inca
{

/** The keys of which @p scenario is refused, each with a remedy. */
inline std::vector<std::string>
KeysComplainedOf(const Scenario& scenario)
{
    std::vector<std::string> keys;
    for (const auto& complaint : Complaints(scenario))
    {
        keys.push_back(complaint.key);
        EXPECT_FALSE(complaint.remedies.empty()) << complaint.key;
    }
    return keys;
}

inline RunRecord
AtPacketLevel(Scenario scenario)
{
    scenario.simulation.mode = SimulationMode::PACKET;
    return RunExperiment(scenario, {});
}

/** Rows of all tables are the same, to the picosecond. */
inline void
ExpectSameRows(const RunRecord& record, const RunRecord& packetLevel)
{
    EXPECT_THAT(PrecisionOf(record, packetLevel).differing, testing::IsEmpty());
    EXPECT_EQ(LayersCsv(record), LayersCsv(packetLevel));
    EXPECT_EQ(LinksCsv(record), LinksCsv(packetLevel));
    EXPECT_EQ(SwitchesCsv(record), SwitchesCsv(packetLevel));
    EXPECT_EQ(ErrorsCsv(record), ErrorsCsv(packetLevel));
}

/**
 * What the sums are is the same to the bit, wherever they were made. Their mean error is added up in another
 * order over exchanges and iterations, of which there are less than a thousand: 1000 * 2^-53 of it.
 */
inline void
ExpectSameSums(const RunResults& results, const RunResults& packetLevel)
{
    EXPECT_EQ(results.sumErrorMax, packetLevel.sumErrorMax);
    EXPECT_NEAR(
        *results.sumErrorMean, *packetLevel.sumErrorMean, 1.2e-13 * *packetLevel.sumErrorMean);
}

/**
 * Scenarios on a star of 10 Gb/s and 1 us per link whose hosts copy and add at no cost. A payload of
 * p bytes is p + 78 on the wire, a byte takes 0.8 ns, an acknowledgement (84 bytes) 67.2 ns.
 */
class ScenarioFixture : public testing::Test
{
  protected:
    static constexpr std::int64_t LINK_PS{1'000'000};
    static constexpr std::int64_t ACK_PS{67'200};

    static std::int64_t FramePs(std::uint64_t elements)
    {
        return static_cast<std::int64_t>(elements * 4 + 78) * 800;
    }

    /** One frame from host to host: serialised by the NIC and by the switch, over two links. */
    static std::int64_t HopPs(std::uint64_t elements)
    {
        return 2 * (FramePs(elements) + LINK_PS);
    }

    /** Two workers in a ring exchange two blocks of a frame each: two hops, between them an
     * acknowledgement. */
    static std::int64_t RingOfTwoPs(std::uint64_t elements)
    {
        return 2 * HopPs(elements / 2) + ACK_PS;
    }

    static Scenario Bare(const std::string& trace, std::uint32_t workers = 2)
    {
        Scenario scenario;
        scenario.training.trace = trace;
        scenario.cluster.workers = workers;
        scenario.host.copyBytesPerSecond = 0;
        scenario.host.sumBytesPerSecond = 0;
        return scenario;
    }

    /** @return the path of a trace with these rows */
    static std::string WriteTrace(const std::string& name,
                                  const std::string& columns,
                                  const std::string& rows,
                                  const std::string& type = "fp32")
    {
        // of this process alone: tests run at the same time
        const auto path = testing::TempDir() + name + "-" + std::to_string(getpid()) + ".csv";
        std::ofstream(path) << "#inca-trace v1\n# model: test\n# source: test\n"
                            << "# class: assumed\n# device: none\n# batch: 8\n"
                            << "# gradient_type: " << type << "\n"
                            << columns << "\n"
                            << rows;
        return path;
    }

    /** Layers "in" and "out" of 100 elements: 1 us forward, 2 us backward, 0.5 us update each. */
    static std::string TwoLayers(const std::string& type = "fp32")
    {
        return WriteTrace("two-layers-" + type,
                          "layer,elements,forward_ns,backward_ns,update_ns",
                          "in,100,1000,2000,500\nout,100,1000,2000,500\n",
                          type);
    }

    static Outcome Run(const Scenario& scenario)
    {
        auto outcome = Simulate(MakePlan(scenario), [](double) {});
        const auto warmup = scenario.simulation.warmup;
        const auto& ends = outcome.Job().seen->iterationEndPs;
        EXPECT_EQ(outcome.Job().breakdown.TotalPs(),
                  ends.back() - (warmup > 0 ? ends[warmup - 1] : 0));
        EXPECT_GE(outcome.Job().breakdown.communicationPs, 0);
        return outcome;
    }

    /** When the last worker ended its last update. (ps) */
    static std::int64_t EndPs(const Scenario& scenario)
    {
        return Run(scenario).Job().seen->iterationEndPs.back();
    }
};

} // namespace inca

#endif // INCA_TEST_EXPERIMENT_SCENARIO_FIXTURE_H
