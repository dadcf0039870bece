/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/scenario-fixture.h"

#include "exchange/exchange-catalog.h"
#include "scenario/keys.h"

namespace inca
{

/**
 * A tenth of all frames is lost on every link. Timeouts doubled with nothing heard, a repetition that was
 * lost waited for one, too, and in the end one took longer than the watchdog waits: exit 4.
 */
class HeavyLoss : public ScenarioFixture
{
  protected:
    static Scenario Lossy(const std::string& algorithm, std::uint32_t workers)
    {
        auto scenario = Bare("tensor:50kB", workers);
        scenario.exchange.algorithm = algorithm;
        scenario.cluster.lossRate = 0.1;
        return scenario;
    }
};

TEST_F(HeavyLoss, EndsEveryExchange)
{
    for (const auto& algorithm : ExchangeNames())
    {
        auto scenario = Lossy(algorithm, 8);
        if (algorithm != "switch-slots")
        {
            scenario.cluster.topology = "fat-tree"; // up to 6 links between two hosts
        }
        for (scenario.simulation.seed = 1; scenario.simulation.seed <= 10;
             ++scenario.simulation.seed)
        {
            EXPECT_NO_THROW(Run(scenario)) << algorithm << " " << scenario.simulation.seed;
        }
    }
}

/* Half of all round trips over 6 links and back fail, and a timeout of 1 ms doubles to 64 ms at most. 20
 * steps with some of them take less than a second; it was 263 s where it ended. */
TEST_F(HeavyLoss, TakesNoMinutesInARing)
{
    auto scenario = Lossy("ring", 11);
    scenario.cluster.topology = "fat-tree";
    for (scenario.simulation.seed = 1; scenario.simulation.seed <= 10; ++scenario.simulation.seed)
    {
        EXPECT_LT(EndPs(scenario), 10'000'000'000'000) << scenario.simulation.seed;
    }
}

/* A timeout longer than the watchdog's 10 s: it knows. */
TEST_F(HeavyLoss, OfATimeoutBeyondTheWatchdogs)
{
    auto scenario = Lossy("switch-slots", 4);
    SetKey(scenario, "switch.timeout", "20s");
    EXPECT_NO_THROW(Run(scenario));
    scenario = Lossy("ring", 4);
    SetKey(scenario, "transport.min_timeout", "20s");
    EXPECT_NO_THROW(Run(scenario));
}

} // namespace inca
