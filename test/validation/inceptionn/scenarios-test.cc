/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/inceptionn/scenarios.h"

#include "experiment/run-experiment.h"
#include "scenario/keys.h"
#include "scenario/scenario-reader.h"
#include "validation/inceptionn/prediction.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace inca
{

namespace
{

/** Every setting, defaults included, a line each. */
std::string
Text(const Scenario& scenario)
{
    std::string text;
    for (const auto& setting : ResolvedSettings(scenario))
    {
        text += setting.table + "." + setting.key + " = " + setting.text + "\n";
    }
    return text;
}

/** "alexnet-inc-c.toml" */
std::string
FileName(const InceptionnModel& model, InceptionnSystem system)
{
    return std::string(INCA_SOURCE_DIR "/examples/inceptionn/") + model.name +
           (IsRing(system) ? "-inc" : "-wa") + (IsCompressed(system) ? "-c" : "") + ".toml";
}

TEST(InceptionnScenario, IsWhatTheExamplesSay)
{
    for (const auto& model : InceptionnModels())
    {
        for (const auto system : g_inceptionnSystems)
        {
            const auto path = FileName(model, system);
            const auto loaded = ReadScenario(path, {});
            EXPECT_EQ(Text(loaded.scenario), Text(InceptionnScenario(model, system))) << path;
            EXPECT_TRUE(loaded.warnings.empty()) << path << ": " << loaded.warnings.front();
        }
    }
}

TEST(InceptionnScenario, DiffersByModelInTraceAndCopyAlone)
{
    const auto& models = InceptionnModels();
    const auto alexNet = InceptionnScenario(models[0], InceptionnSystem::RING_COMPRESSED);
    auto hdc = InceptionnScenario(models[1], InceptionnSystem::RING_COMPRESSED);
    EXPECT_EQ(hdc.host.copyBytesPerSecond, 0U);
    hdc.training.trace = alexNet.training.trace;
    hdc.host.copyBytesPerSecond = alexNet.host.copyBytesPerSecond;
    EXPECT_EQ(Text(hdc), Text(alexNet));
}

/** HDC in closed form: its time on the wire, on the host, and per message. (s) */
class HdcClosedForm : public testing::Test
{
  protected:
    static constexpr double BYTES{648'010 * 4.0};
    static constexpr double WIRE{BYTES * 1538 / 1460 * 8 / 10e9}; ///< frames of 1460 bytes payload
    static constexpr double HOST{BYTES / 2.4e9};                  ///< longer, where compressed
    static constexpr double MESSAGE{50e-6};
    static constexpr double RING_MESSAGES{12}; ///< half duplex: 2 (N - 1) steps of two, n / 4 each

    /** Beside it go the frames in flight at a message's end, grants and acknowledgements. */
    static constexpr double TOLERANCE{0.015};

    static double Simulated(InceptionnSystem system)
    {
        const auto scenario = InceptionnScenario(InceptionnModels().at(1), system);
        const auto record = RunExperiment(scenario, {});
        return PredictionOf(record.results, system).communicationSeconds;
    }

    static void Expect(InceptionnSystem system, double seconds)
    {
        const auto simulated = Simulated(system);
        EXPECT_GE(simulated, seconds) << SystemName(system);
        EXPECT_LE(simulated, seconds * (1 + TOLERANCE)) << SystemName(system);
    }
};

/* 4 gradients into the aggregator's port, then ceil(log2(5)) = 3 times the weights. */
TEST_F(HdcClosedForm, WorkerAggregator)
{
    Expect(InceptionnSystem::WA, 7 * WIRE + 4 * MESSAGE);
    Expect(InceptionnSystem::WA_COMPRESSED, 4 * HOST + 3 * WIRE + 4 * MESSAGE);
}

TEST_F(HdcClosedForm, Ring)
{
    Expect(InceptionnSystem::RING, RING_MESSAGES * (WIRE / 4 + MESSAGE));
    Expect(InceptionnSystem::RING_COMPRESSED, RING_MESSAGES * (HOST / 4 + MESSAGE));
}

} // namespace

} // namespace inca
