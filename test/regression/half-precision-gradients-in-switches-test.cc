/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/switch-fixture.h"

#include <regex>
#include <sstream>

namespace inca
{

class HalfPrecisionGradients : public SwitchFixture
{
  protected:
    /** A trace like @p path, of another type. */
    static std::string OfType(const std::string& type, const std::string& path)
    {
        std::stringstream text;
        text << std::ifstream(path).rdbuf();
        const auto typed = path + "." + type + ".csv";
        std::ofstream(typed) << std::regex_replace(text.str(), std::regex("fp32"), type);
        return typed;
    }
};

/* "worker 0 has got 800 of 400 bytes of sums" ended such runs: switches add words of 4 bytes, so that
 * gradients of 2 bytes travel in as many words, and take as long as those of fp32. */
TEST_F(HalfPrecisionGradients, TravelAsWordsWhereSwitchesAdd)
{
    const auto trace = TwoLayers();
    for (const auto* adder : {"int32", "fp32"})
    {
        for (auto scenario : {Slots(1), Tree(1)})
        {
            SetKey(scenario, "switch.adder", adder);
            scenario.training.trace = trace;
            const auto fp32 = Run(scenario);
            for (const auto* type : {"bf16", "fp16"})
            {
                scenario.training.trace = OfType(type, trace);
                const auto outcome = Run(scenario);
                EXPECT_EQ(outcome.seen->iterationEndPs, fp32.seen->iterationEndPs) << type;
                EXPECT_EQ(outcome.plan.lowerBound.iterationPs, fp32.plan.lowerBound.iterationPs);
            }
        }
    }
}

} // namespace inca
