/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/units.h"
#include "scenario/keys.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

std::string
ColumnOf(const Scenario& scenario, const std::string& name)
{
    for (const auto& column : SettingColumns(scenario))
    {
        if (column.name == name)
        {
            return column.text;
        }
    }
    return "no such column";
}

std::string
Why(const Scenario& scenario, const char* name)
{
    return IdleReason(*FindKey(name), scenario);
}

void
Set(Scenario& scenario, const char* key, const char* text)
{
    FindKey(key)->set(scenario, text);
}

/** Homomorphic compression on a GPU, with no rate given. */
Scenario
OnGpu()
{
    Scenario scenario;
    scenario.codec.name = "homomorphic";
    scenario.codec.placement = "gpu";
    return scenario;
}

} // namespace

TEST(SparsifyKeys, MatterWhereGradientsAreMadeSparse)
{
    Scenario scenario;
    scenario.codec.name = "inceptionn";
    EXPECT_EQ(Why(scenario, "sparsify.method"), "");
    EXPECT_EQ(Why(scenario, "sparsify.density"), "sparsify.method is none");
    EXPECT_EQ(Why(scenario, "sparsify.rate"), "sparsify.method is none");
    for (const auto* method : {"top-k", "threshold"})
    {
        Set(scenario, "sparsify.method", method);
        EXPECT_EQ(Why(scenario, "sparsify.density"), "") << method;
        EXPECT_EQ(Why(scenario, "sparsify.rate"), "") << method;
        EXPECT_EQ(ColumnOf(scenario, "sparsify"), method);
    }
    EXPECT_THROW(Set(scenario, "sparsify.method", "random"), UnitError);
}

TEST(SparsifyKeys, KeepSomeButNotNothing)
{
    Scenario scenario;
    scenario.codec.name = "inceptionn";
    scenario.sparsify.method = "top-k";
    EXPECT_EQ(ColumnOf(scenario, "sparsify_density"), "0.01");
    Set(scenario, "sparsify.density", "1");
    EXPECT_EQ(scenario.sparsify.density, 1);
    EXPECT_THROW(Set(scenario, "sparsify.density", "0"), UnitError);
    EXPECT_THROW(Set(scenario, "sparsify.density", "1.1"), UnitError);
}

/* Not given and free are two things: the first is timed by the GPU's memory. */
/* Time passes all the same, but how much is kept shows in values only, or in what a codec makes of zeros. */
TEST(SparsifyKeys, WhatIsKeptMattersWhereZerosShow)
{
    Scenario scenario;
    scenario.sparsify.method = "top-k";
    EXPECT_EQ(Why(scenario, "sparsify.density"),
              "only sizes travel, and codec.name = \"none\" makes nothing of zeros");
    EXPECT_EQ(Why(scenario, "sparsify.rate"), "");
    scenario.training.values = true;
    EXPECT_EQ(Why(scenario, "sparsify.density"), "");
    scenario.training.valuesFile = "some.safetensors";
    EXPECT_EQ(Why(scenario, "sparsify.density"), "");
    scenario = OnGpu();
    scenario.sparsify.method = "top-k";
    EXPECT_EQ(Why(scenario, "sparsify.density"), "");
}

TEST(SparsifyKeys, ARateMayBeGivenFreeOrMissing)
{
    Scenario scenario;
    scenario.sparsify.method = "threshold";
    const auto& key = *FindKey("sparsify.rate");
    EXPECT_EQ(key.text(scenario), "");
    EXPECT_EQ(ColumnOf(scenario, "sparsify_rate_bytes_per_s"), "");
    Set(scenario, "sparsify.rate", "none");
    EXPECT_EQ(scenario.sparsify.bytesPerSecond, 0U);
    EXPECT_EQ(key.text(scenario), "none");
    EXPECT_EQ(ColumnOf(scenario, "sparsify_rate_bytes_per_s"), "none");
    Set(scenario, "sparsify.rate", "12GBps");
    EXPECT_EQ(key.text(scenario), "12GBps");
    EXPECT_EQ(ColumnOf(scenario, "sparsify_rate_bytes_per_s"), "12000000000");
    EXPECT_THROW(Set(scenario, "sparsify.rate", "0GBps"), UnitError);
}

TEST(GpuKeys, MatterWhereNoRateIsGiven)
{
    Scenario scenario;
    EXPECT_EQ(Why(scenario, "gpu.memory_bandwidth"), "no work on a GPU is timed by it");
    EXPECT_EQ(Why(scenario, "gpu.round_check"), "codec.name is none");
    scenario = OnGpu();
    EXPECT_EQ(Why(scenario, "gpu.memory_bandwidth"), "");
    EXPECT_EQ(Why(scenario, "gpu.round_check"), "");
    scenario.codec.decodeBytesPerSecond = 1;
    EXPECT_EQ(Why(scenario, "gpu.memory_bandwidth"), ""); // encoding is timed by it still
    EXPECT_EQ(Why(scenario, "gpu.round_check"), "codec.decode_rate is given");
    scenario.codec.encodeBytesPerSecond = 1;
    EXPECT_EQ(Why(scenario, "gpu.memory_bandwidth"), "no work on a GPU is timed by it");
}

TEST(GpuKeys, OfMemoryDoNotMatterToCpus)
{
    auto scenario = OnGpu();
    scenario.codec.placement = "cpu";
    EXPECT_EQ(Why(scenario, "gpu.memory_bandwidth"), "no work on a GPU is timed by it");
    EXPECT_EQ(Why(scenario, "gpu.round_check"), "codec.placement is cpu");
}

TEST(GpuKeys, TimeSparsificationWithoutARate)
{
    Scenario scenario;
    scenario.sparsify.method = "top-k";
    EXPECT_EQ(Why(scenario, "gpu.memory_bandwidth"), "");
    scenario.sparsify.bytesPerSecond = 0;
    EXPECT_EQ(Why(scenario, "gpu.memory_bandwidth"), "no work on a GPU is timed by it");
}

TEST(GpuKeys, HaveUnitsInTheirColumns)
{
    auto scenario = OnGpu();
    Set(scenario, "gpu.memory_bandwidth", "2000GBps");
    EXPECT_EQ(ColumnOf(scenario, "gpu_memory_bandwidth_bytes_per_s"), "2000000000000");
    Set(scenario, "gpu.round_check", "7.5us");
    EXPECT_EQ(ColumnOf(scenario, "gpu_round_check_us"), "7.5");
    EXPECT_THROW(Set(scenario, "gpu.memory_bandwidth", "0GBps"), UnitError);
    EXPECT_THROW(Set(scenario, "gpu.memory_bandwidth", "none"), UnitError);
}

} // namespace inca
