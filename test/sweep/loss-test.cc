/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/plan-maker.h"
#include "scenario/keys.h"
#include "sweep/decision.h"
#include "trace/trace-catalog.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

using Settings = std::vector<std::pair<const char*, const char*>>;

/** "kind: text; kind: text" of a tensor between 6 workers. */
std::string
Losses(const Settings& settings)
{
    Scenario scenario;
    scenario.training.trace = "tensor:40MB";
    scenario.training.readTrace =
        std::make_shared<const GradientTrace>(FindTrace(scenario.training.trace));
    scenario.cluster.workers = 6;
    for (const auto& [key, text] : settings)
    {
        SetKey(scenario, key, text);
    }
    std::string all;
    for (const auto& loss : LossesOf(MakePlan(scenario)))
    {
        all += (all.empty() ? "" : "; ") + loss.kind + ": " + loss.text;
    }
    return all;
}

} // namespace

/*
 * inceptionn's 8-bit class counts in steps of 2^-7; of 23 bits of a mantissa 7 and 1 are left; bf16 has 8 significant bits,
 * fp16 11. Integers have room for 6 < 2^3 workers, so that rounding is up to half of 2^3 / 2^31 of what they are scaled by.
 * Of sparse values a safe sketch decodes.
 */
TEST(LossesOf, AreWhatSettingsLose)
{
    const std::vector<std::pair<Settings, std::string>> cases{
        {{}, ""},
        {{{"exchange.algorithm", "switch-slots"}, {"switch.adder", "fp32"}}, ""},
        {{{"training.gradient_type", "fp32"}}, ""},
        {{{"training.gradient_type", "bf16"}}, "16-bit: 2^-8 of each value"},
        {{{"codec.name", "inceptionn"}, {"codec.bound", "2^-10"}},
         "inceptionn: 2^-7, whatever the value"},
        {{{"codec.name", "inceptionn"}, {"codec.bound", "2^-6"}},
         "inceptionn: 2^-6, whatever the value"},
        {{{"codec.name", "truncate"}, {"codec.drop_bits", "16"}}, "truncate: 2^-7 of each value"},
        {{{"codec.name", "truncate"}, {"codec.drop_bits", "22"}}, "truncate: 2^-1 of each value"},
        {{{"codec.name", "truncate"}, {"codec.drop_bits", "24"}},
         "truncate: all but each value's order of magnitude"},
        {{{"codec.name", "cast"}, {"codec.cast_to", "bf16"}}, "cast: 2^-8 of each value"},
        {{{"codec.name", "cast"}, {"codec.cast_to", "fp16"}}, "cast: 2^-11 of each value"},
        {{{"exchange.algorithm", "switch-slots"}}, "int32: 2^-29 of a block's largest"},
        {{{"exchange.algorithm", "switch-slots"},
          {"switch.scaling", "fixed"},
          {"switch.fixed_exponent", "4"}},
         "int32: 2^-25, whatever the value"},
        {{{"codec.name", "homomorphic"},
          {"codec.ratio", "safe"},
          {"codec.safe_left", "0"},
          {"training.density", "0.01"},
          {"training.union_exponent", "0"}},
         ""},
    };
    for (const auto& [settings, losses] : cases)
    {
        EXPECT_EQ(Losses(settings), losses);
    }
}

/* Values of which all are set have twice as many in a row as two rows of counters can tell. */
TEST(LossesOf, AreOfSketchesThatDoNotDecode)
{
    EXPECT_EQ(Losses({{"codec.name", "homomorphic"}, {"codec.ratio", "10"}}).find("sketch: "), 0U);
}

} // namespace inca
