/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "values/inca-values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

using Handle = std::unique_ptr<inca_values, void (*)(inca_values*)>;

/** An exchange of tensors, and why there is none. */
std::pair<Handle, std::string>
Open(const std::vector<std::string>& settings,
     const std::vector<std::uint64_t>& tensors = {3, 2},
     const std::string& scenario = "\n")
{
    std::vector<const char*> texts;
    for (const auto& setting : settings)
    {
        texts.push_back(setting.c_str());
    }
    std::array<char, 1000> error{};
    auto* const opened = inca_values_open(scenario.c_str(),
                                          texts.data(),
                                          texts.size(),
                                          tensors.data(),
                                          tensors.size(),
                                          error.data(),
                                          error.size());
    return {Handle(opened, inca_values_close), error.data()};
}

/** Two workers' gradients become what they hold. @return why that failed */
std::string
Exchange(const Handle& handle,
         std::vector<float>& first,
         std::vector<float>& second,
         inca_values_counts* counts = nullptr)
{
    const std::array<const float*, 2> own{first.data(), second.data()};
    const std::array<float*, 2> results{first.data(), second.data()};
    std::array<char, 1000> error{};
    inca_values_run(handle.get(), own.data(), results.data(), counts, error.data(), error.size());
    return error.data();
}

TEST(IncaValues, AddsWhatWorkersBring)
{
    const auto [handle, error] = Open({"cluster.workers=2"});
    ASSERT_TRUE(handle) << error;
    EXPECT_EQ(inca_values_version(), INCA_VALUES_VERSION);
    EXPECT_EQ(inca_values_workers(handle.get()), 2U);
    EXPECT_EQ(inca_values_elements(handle.get()), 5U);
    std::vector<float> first{1, 2, 3, 4, 5};
    std::vector<float> second{0.5, 0, -3, 1, 8};
    inca_values_counts counts{};
    EXPECT_EQ(Exchange(handle, first, second, &counts), "");
    EXPECT_THAT(first, ElementsAre(1.5F, 2.F, 0.F, 5.F, 13.F));
    EXPECT_EQ(second, first);
    EXPECT_EQ(counts.bits_per_value, 32);
    // a ring of two: each worker sends one half of 6 values, one of which fills up, and then its sum of the other
    EXPECT_EQ(counts.gradient_bytes, 2 * 2 * 3 * 4U);
    EXPECT_EQ(counts.weight_bytes, 0U);
    EXPECT_EQ(counts.replica_difference, 0);
}

/* 500 becomes 448 in e4m3, 17 becomes 16; what is sent to the switch has a byte a value. */
TEST(IncaValues, AddsAsSwitchesDo)
{
    const auto [handle, error] =
        Open({"cluster.workers=2", "exchange.algorithm=switch-slots", "switch.adder=fp8-fp16"});
    ASSERT_TRUE(handle) << error;
    std::vector<float> first{500, 17, 1, -2, 0};
    std::vector<float> second{17, 0, 1, 448, 3};
    inca_values_counts counts{};
    EXPECT_EQ(Exchange(handle, first, second, &counts), "");
    EXPECT_THAT(first, ElementsAre(464.F, 16.F, 2.F, 446.F, 3.F));
    EXPECT_EQ(second, first);
    EXPECT_EQ(counts.bits_per_value, 8);
    EXPECT_EQ(counts.gradient_bytes, 2 * 5 * 1U);
}

/**
 * At 2^-10 the printed codec keeps the 7 bits behind the point of what is below 2^-5, and 15 of what is not: 0 of
 * 3 * 2^-9, 2^-6 of 5 * 2^-8. An owner keeps its exact sum, and what travels was coded.
 */
TEST(IncaValues, CodesWhatTravels)
{
    const auto [handle, error] = Open({"cluster.workers=2", "codec.name=inceptionn"}, {2});
    ASSERT_TRUE(handle) << error;
    const auto tiny = std::ldexp(3.F, -9);
    const auto small = std::ldexp(5.F, -8);
    const auto coded = std::ldexp(1.F, -6);
    std::vector<float> first{tiny, small};
    std::vector<float> second{tiny, small};
    inca_values_counts counts{};
    EXPECT_EQ(Exchange(handle, first, second, &counts), "");
    // the owner of value 0 adds 0 to its own, and sends 0; that of value 1 has coded + small, 9 * 2^-8, which is kept
    EXPECT_EQ(std::max(first[0], second[0]), tiny);
    EXPECT_EQ(std::min(first[0], second[0]), 0);
    EXPECT_EQ(first[1], coded + small);
    EXPECT_EQ(second[1], coded + small);
    EXPECT_EQ(counts.replica_difference, tiny);
    // 4 messages of one value: 2 bytes of tags each, and 1 of data, but for the sum of value 1, which has 2
    EXPECT_EQ(counts.gradient_bytes, 4 * 2 + 3 * 1 + 2U);
    std::vector<float> own{small, tiny};
    EXPECT_EQ(inca_values_code(handle.get(), 1, own.data(), own.data(), nullptr, 0),
              INCA_VALUES_OK);
    EXPECT_THAT(own, ElementsAre(coded, 0.F));
}

TEST(IncaValues, DescribesItself)
{
    const auto describe = [](const std::vector<std::string>& settings) {
        const auto [handle, error] = Open(settings);
        EXPECT_TRUE(handle) << error;
        return nlohmann::json::parse(inca_values_describe(handle.get()));
    };
    const auto plain = describe({"cluster.workers=2"});
    EXPECT_EQ(plain["tensors"], nlohmann::json({3, 2}));
    EXPECT_EQ(plain["exchange"], "ring");
    EXPECT_EQ(plain["codec"], "none");
    EXPECT_EQ(plain["lossless"], true);
    EXPECT_EQ(plain["runs"], 0);
    EXPECT_EQ(describe({"cluster.workers=2", "cluster.bandwidth=1Gbps"})["value_path"],
              plain["value_path"]);
    const auto coded = describe({"cluster.workers=2", "codec.name=inceptionn"});
    EXPECT_NE(coded["value_path"], plain["value_path"]);
    EXPECT_EQ(coded["lossless"], false);
    EXPECT_EQ(coded["codec"], "inceptionn 2^-10");
    const std::vector<std::string> half{
        "cluster.workers=2", "sparsify.method=top-k", "sparsify.density=0.5"};
    EXPECT_EQ(describe(half)["lossless"], false);
}

TEST(IncaValues, CountsItsRuns)
{
    const auto [handle, error] = Open({"cluster.workers=2"});
    std::vector<float> first(5, 1);
    std::vector<float> second(5, 1);
    Exchange(handle, first, second);
    EXPECT_EQ(nlohmann::json::parse(inca_values_describe(handle.get()))["runs"], 1);
    inca_values_reset(handle.get());
    EXPECT_EQ(nlohmann::json::parse(inca_values_describe(handle.get()))["runs"], 0);
}

TEST(IncaValues, SaysWhyNot)
{
    const std::pair<std::vector<std::string>, const char*> refused[]{
        {{"cluster.workers=2", "exchange.algorithm=rign"}, "did you mean 'ring'?"},
        {{"cluster.workers=1"}, "cluster.workers"},
        {{"training.density=2"}, "training.density"},
    };
    for (const auto& [settings, why] : refused)
    {
        const auto [handle, error] = Open(settings);
        EXPECT_FALSE(handle);
        EXPECT_THAT(error, HasSubstr(why));
    }
    EXPECT_THAT(Open({}, {3, 0}).second, HasSubstr("tensors: each has at least 1 element"));
    EXPECT_THAT(Open({}, {3}, "/none.toml").second, HasSubstr("/none.toml"));
    std::array<char, 8> cut{};
    EXPECT_EQ(inca_values_open("[", nullptr, 0, nullptr, 0, cut.data(), cut.size()), nullptr);
    EXPECT_EQ(std::string(cut.data()).size(), cut.size() - 1);
}

TEST(IncaValues, RefusesWhatIsNotFinite)
{
    const auto [handle, error] = Open({"cluster.workers=2"});
    for (const auto bad :
         {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()})
    {
        std::vector<float> first(5, 1);
        auto second = first;
        second[3] = bad;
        EXPECT_THAT(Exchange(handle, first, second), HasSubstr("the gradient of worker 1 is"));
        EXPECT_THAT(Exchange(handle, first, second), HasSubstr("at element 3"));
        second[3] = 1;
        EXPECT_EQ(Exchange(handle, first, second), "") << "it goes on";
    }
}

} // namespace
