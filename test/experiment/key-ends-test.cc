/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "experiment/run-experiment.h"
#include "experiment/scenario-fixture.h"
#include "record/result-row.h"
#include "scenario/keys.h"
#include "scenario/scenario-reader.h"
#include "support/end-of.h"
#include "support/key-texts.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <string>
#include <utility>
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
            {"training.send=fused", "exchange.bucket_bytes=400B"},
            {"training.jitter=normal", "training.jitter_sd=0.1", "cluster.loss_rate=0.1"},
            {"training.values=true", "codec.name=inceptionn"},
            {"training.values=true", "codec.name=truncate"},
            {"training.values=true", "codec.name=netzip"},
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
            {"training.sharding=full", "exchange.algorithm=switch-slots"},
            {"training.sharding=hybrid",
             "training.shard_group=2",
             "training.accumulation=2",
             "codec.name=inceptionn",
             "cluster.workers=4"},
            {"training.sharding=hybrid",
             "training.shard_group=4",
             "exchange.algorithm=two-shot",
             "cluster.workers=16"},
            {"training.trace=tensor:4kB", "exchange.collective=dispatch"},
            {"training.trace=tensor:4kB", "exchange.collective=all-to-all"},
            {"training.trace=tensor:400kB", "cluster.gpus=2"},
            {"training.trace=tensor:400kB",
             "cluster.gpus=2",
             "group.node.codec.name=truncate",
             "group.node.codec.placement=gpu",
             "group.node.codec.encode_rate=1GBps",
             "group.node.codec.decode_rate=1GBps"},
            {"training.trace=tensor:400kB", "cluster.gpus=2", "group.node.algorithm=switch-slots"},
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

    static std::vector<std::string> Texts(const Key& key)
    {
        auto texts = NamesOf(key);
        const auto numbers = NumbersAtTheEnds(key);
        texts.insert(texts.end(), numbers.begin(), numbers.end());
        return texts;
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

    static std::vector<Key> IdleKeys(const Scenario& scenario)
    {
        std::vector<Key> idle;
        std::copy_if(ScenarioKeys().begin(),
                     ScenarioKeys().end(),
                     std::back_inserter(idle),
                     [&scenario](const Key& key) { return !IdleReason(key, scenario).empty(); });
        return idle;
    }

    /** All the texts of Texts that each key takes. */
    static std::map<std::string, std::vector<std::string>> TakenTexts()
    {
        std::map<std::string, std::vector<std::string>> taken;
        for (const auto& key : ScenarioKeys())
        {
            const auto texts = Texts(key);
            std::copy_if(texts.begin(),
                         texts.end(),
                         std::back_inserter(taken[key.name]),
                         [&key](const auto& text) { return Takes(key, text); });
        }
        return taken;
    }

    /** @param number of the texts that each of @p keys takes; those stay that would make the whole refused */
    static Scenario Changed(Scenario scenario, const std::vector<Key>& keys, std::size_t number)
    {
        static const auto taken = TakenTexts();
        for (const auto& key : keys)
        {
            if (const auto& texts = taken.at(key.name); !texts.empty()) // else it names a file
            {
                auto changed = scenario;
                key.set(changed, texts[number % texts.size()]);
                scenario = Complaints(changed).empty() ? changed : scenario;
            }
        }
        return scenario;
    }

    /** All that a run writes, but for its warnings and its seed; or why it is refused. */
    static std::string OutputOf(const Scenario& scenario)
    {
        try
        {
            auto record = RunExperiment(scenario, {});
            record.warnings.clear();
            record.origin.seed = 0;
            return CsvRow(record) + LayersCsv(record) + LinksCsv(record) + SwitchesCsv(record) +
                   ErrorsCsv(record);
        }
        catch (const InputError& error)
        {
            return error.what();
        }
    }

    const std::string trace = TwoLayers();
};

TEST_F(KeyEnds, RunOrAreRefused)
{
    for (const auto& key : ScenarioKeys())
    {
        RunAll(key, Texts(key));
    }
}

/* All of them at once: of layers or of a tensor that has values, in each of the scenarios, and where a port before 8 senders
 * holds more than the 65 frames above which DCTCP's mark. */
TEST_F(KeyEnds, ChangeNothingWhereTheyHaveNoEffect)
{
    auto scenarios = Scenarios();
    for (auto settings : Scenarios())
    {
        settings.emplace_back("training.trace=tensor:4kB");
        scenarios.push_back(std::move(settings));
    }
    scenarios.push_back(
        {"exchange.algorithm=parameter-server", "cluster.workers=8", "training.trace=tensor:1MB"});
    for (const auto& settings : scenarios)
    {
        SCOPED_TRACE(testing::PrintToString(settings));
        const auto scenario = With(settings, "simulation.seed=7");
        const auto idle = IdleKeys(scenario);
        for (std::size_t number = 0; number < 4; ++number)
        {
            const bool isSame = OutputOf(Changed(scenario, idle, number)) == OutputOf(scenario);
            EXPECT_TRUE(isSame);
            for (std::size_t i = 0; !isSame && i < idle.size(); ++i)
            {
                EXPECT_EQ(OutputOf(Changed(scenario, {idle[i]}, number)), OutputOf(scenario))
                    << idle[i].name;
            }
        }
    }
}

} // namespace inca
