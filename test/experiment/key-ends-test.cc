/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/run-experiment.h"
#include "experiment/scenario-fixture.h"
#include "scenario/keys.h"
#include "scenario/scenario-reader.h"
#include "support/end-of.h"
#include "support/key-texts.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace inca
{

/** Every key with the names that it takes, its smallest and its largest number, and those next to them. */
class KeyEnds : public ScenarioFixture
{
  protected:
    using Settings = std::vector<std::string>;

    /** Scenarios of which each key matters in one; first the one of which most workers can be simulated soon. */
    static const std::vector<Settings>& Scenarios()
    {
        static const std::vector<Settings> scenarios{
            {"exchange.algorithm=switch-slots"},
            {"exchange.chunk_bytes=40B", "exchange.bucket_bytes=400B"},
            {"training.jitter=normal", "training.jitter_sd=0.1", "cluster.loss_rate=0.1"},
            {"training.values=true", "codec.name=inceptionn"},
            {"training.values=true", "codec.name=truncate"},
            {"training.values=true",
             "codec.name=cast",
             "codec.placement=cpu",
             "codec.encode_rate=1GBps",
             "codec.decode_rate=1GBps"},
            {"exchange.algorithm=worker-aggregator", "exchange.broadcast=flat"},
            {"exchange.algorithm=sharded-parameter-server", "cluster.gpus=2"},
            {"exchange.algorithm=tree"},
            {"exchange.algorithm=hierarchical-ring",
             "cluster.workers=4",
             "cluster.topology=leaf-spine",
             "cluster.hosts_per_leaf=2"},
            {"cluster.topology=fat-tree"},
            {"cluster.topology=rack-pair"},
            {"codec.name=inceptionn", "sparsify.method=top-k"},
            {"exchange.algorithm=switch-slots", "training.values=true"},
            {"exchange.algorithm=switch-slots", "training.values=true", "switch.scaling=fixed"},
            {"codec.name=homomorphic", "codec.index=bloom"},
            {"codec.name=homomorphic", "codec.ratio=safe"},
            {"transport.name=tcp"},
            {"exchange.algorithm=two-shot",
             "cluster.workers=4",
             "exchange.group_size=2",
             "training.values=true",
             "codec.name=block",
             "codec.format=torchft-fp8",
             "codec.encode_rate=1GBps",
             "codec.decode_rate=1GBps"},
        };
        return scenarios;
    }

    Scenario With(Settings settings, const std::string& last) const
    {
        const auto key = last.substr(0, last.find('=') + 1);
        const auto isSame = [&key](const auto& setting) { return setting.rfind(key, 0) == 0; };
        settings.erase(std::remove_if(settings.begin(), settings.end(), isSame), settings.end());
        settings.insert(settings.begin(),
                        {"training.trace=" + trace, "training.iterations=2", "cluster.workers=2"});
        settings.push_back(last);
        return ParseScenario("", "tiny.toml", settings).scenario;
    }

    /** @return the first scenario of which @p key matters, or nothing */
    const Settings* Where(const Key& key) const
    {
        const auto matters = [&](const Settings& settings) {
            return IdleReason(key, With(settings, "simulation.seed=7")).empty();
        };
        const auto found = std::find_if(Scenarios().begin(), Scenarios().end(), matters);
        return found == Scenarios().end() ? nullptr : &*found;
    }

    /** Runs in a process of its own, which ends when it was looked at some times how far the run is. */
    static void RunBriefly(const Scenario& scenario)
    {
        constexpr int longEnough = 3;
        int looks = 0;
        RunExperiment(scenario, [&looks](double) {
            if (++looks == longEnough)
            {
                std::_Exit(0);
            }
        });
    }

    void RunAll(const Key& key, const std::vector<std::string>& texts) const
    {
        const auto* settings = Where(key);
        ASSERT_NE(settings, nullptr) << key.name << " matters in none of the scenarios";
        for (const auto& text : texts)
        {
            const auto end = EndOf([&] { RunBriefly(With(*settings, key.name + "=" + text)); });
            EXPECT_TRUE(end == 0 || end == 2 || end == 4) << key.name << "=" << text << ": " << end;
        }
    }

    const std::string trace = TwoLayers();
};

TEST_F(KeyEnds, RunOrAreRefused)
{
    for (const auto& key : ScenarioKeys())
    {
        auto texts = NamesOf(key);
        const auto numbers = NumbersAtTheEnds(key);
        texts.insert(texts.end(), numbers.begin(), numbers.end());
        RunAll(key, texts);
    }
}

} // namespace inca
