/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/inceptionn-scenarios.h"

#include "scenario/keys.h"
#include "scenario/scenario-reader.h"

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

} // namespace

} // namespace inca
