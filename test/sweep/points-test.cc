/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/points.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "support/end-of.h"
#include "support/why-not.h"
#include "trace/trace-catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

class PlanSweepTest : public testing::Test
{
  protected:
    PlanSweepTest()
    {
        std::ofstream(path) << "[training]\ntrace = \"tensor:1MB\"\n[host]\nsum_rate = \"none\"\n";
    }

    SweepRequest Request(const std::vector<std::string>& vary,
                         const std::vector<std::string>& settings = {}) const
    {
        SweepRequest request;
        request.scenario = path;
        request.settings = settings;
        for (const auto& text : vary)
        {
            request.options.vary.push_back({text});
        }
        return request;
    }

    SweepPlan Plan(const std::vector<std::string>& vary,
                   const std::vector<std::string>& settings = {}) const
    {
        return PlanSweep(Request(vary, settings));
    }

    std::vector<std::string> ComplaintsOf(const SweepRequest& request) const
    {
        try
        {
            PlanSweep(request);
        }
        catch (const InputError& error)
        {
            return error.Complaints();
        }
        return {};
    }

    // of its own: tests run at the same time
    std::string path{testing::TempDir() + "points-" +
                     testing::UnitTest::GetInstance()->current_test_info()->name() + ".toml"};
};

Scenario
ScenarioOf(const std::string& trace)
{
    Scenario scenario;
    scenario.training.trace = trace;
    scenario.training.readTrace = std::make_shared<const GradientTrace>(FindTrace(trace));
    return scenario;
}

std::string
KeyOf(const Scenario& scenario)
{
    return ResultKey(ResultInputs().Of(scenario));
}

std::string
Copied(const std::string& name)
{
    auto path = testing::TempDir() + name;
    std::ofstream(path) << std::ifstream(INCA_SOURCE_DIR "/traces/hdc.csv").rdbuf();
    return path;
}

} // namespace

/* 2 bandwidths times 2 numbers of workers: the last key varies fastest. */
TEST_F(PlanSweepTest, PlansTheGridInOrder)
{
    const auto plan = Plan({"cluster.bandwidth=10Gbps,20Gbps", "cluster.workers=2,3"});
    ASSERT_EQ(plan.points.size(), 4U);
    EXPECT_THAT(plan.points[1].varied,
                ElementsAre("cluster.bandwidth=10Gbps", "cluster.workers=3"));
    EXPECT_EQ(plan.points[1].scenario.cluster.bitsPerSecond, 10'000'000'000U);
    EXPECT_EQ(plan.points[1].scenario.cluster.workers, 3U);
    EXPECT_EQ(plan.points[2].scenario.cluster.bitsPerSecond, 20'000'000'000U);
    EXPECT_EQ(Plan({"transport.window=8,16,64"}).points.size(), 3U) << "also below ack_every";
}

/* Settings hold at all points. What is idle at each of them is told once; what one exchange reads is idle in the other alone,
 * and a sweep over both is what such a key is there for. */
TEST_F(PlanSweepTest, WarnsOnceOfWhatMattersNowhere)
{
    const auto plan = Plan({"exchange.algorithm=ring,worker-aggregator"},
                           {"exchange.broadcast=flat", "codec.bound=2^-6", "cluster.latency=5us"});
    EXPECT_THAT(plan.warnings, ElementsAre(HasSubstr("codec.bound")));
    EXPECT_EQ(plan.points[0].scenario.cluster.latencyPs, 5'000'000);
    EXPECT_EQ(plan.points[1].scenario.cluster.latencyPs, 5'000'000);
}

/* Before anything runs, and each complaint once. The trace of a point is looked for where the file says so: line 6, behind
 * "vary = [". */
TEST_F(PlanSweepTest, RefusesWhatNoPointCanRun)
{
    EXPECT_THAT(ComplaintsOf(Request({"cluster.workers=0,2", "host.duplex=half,7"})),
                ElementsAre(HasSubstr("cluster.workers"), HasSubstr("host.duplex")));
    std::ofstream(path, std::ios::app) << "[sweep]\nvary = [\"training.trace=no-such-trace\"]\n";
    EXPECT_THAT(ComplaintsOf(Request({})),
                ElementsAre(HasSubstr(path + ":6:9: sweep.vary training.trace:")));
}

/* A file that brings its sweep: the command line's values of the same key win, others come last, and
 * --set fixes a key. */
TEST_F(PlanSweepTest, TakesTheSweepOfTheFile)
{
    std::ofstream(path, std::ios::app) << "[sweep]\nvary = [\"cluster.workers=2,3\"]\n";
    const auto plan = Plan({});
    ASSERT_EQ(plan.points.size(), 2U);
    EXPECT_THAT(plan.points[1].varied, ElementsAre("cluster.workers=3"));
    EXPECT_EQ(plan.points[1].scenario.cluster.workers, 3U);
    const auto changed = Plan({"cluster.bandwidth=1Gbps,2Gbps", "cluster.workers=5"});
    ASSERT_EQ(changed.points.size(), 2U);
    EXPECT_THAT(changed.points[1].varied,
                ElementsAre("cluster.workers=5", "cluster.bandwidth=2Gbps"));
    const auto fixed = Plan({"cluster.latency=1us,2us"}, {"cluster.workers=7"});
    ASSERT_EQ(fixed.points.size(), 2U);
    EXPECT_THAT(fixed.points[1].varied, ElementsAre("cluster.latency=2us"));
    EXPECT_EQ(fixed.points[1].scenario.cluster.workers, 7U);
}

/* Only reading a trace tells that it is none; that is done before the first run, and once. The others can run. */
TEST_F(PlanSweepTest, APointThatIsRefusedSaysWhy)
{
    const auto broken = testing::TempDir() + "points-test-broken.csv";
    std::ofstream(broken) << "no trace\n";
    const auto plan =
        Plan({"training.trace=tensor:1MB,no-such-trace," + broken, "cluster.workers=2,3"});
    ASSERT_EQ(plan.points.size(), 6U);
    EXPECT_EQ(plan.points[1].refusal, "");
    EXPECT_THAT(plan.points[2].refusal,
                HasSubstr("--vary training.trace: unknown 'no-such-trace'"));
    EXPECT_THAT(plan.points[4].refusal, HasSubstr(broken + ":1: "));
    EXPECT_EQ(plan.points[4].refusal, plan.points[5].refusal);
}

/* Also for what only planning a run tells: no run fits into a byte. A condition is asked before a point is refused: it may be
 * there to leave just those out. */
TEST_F(PlanSweepTest, AStrictSweepRefusesAllForOne)
{
    auto tight = Request({"simulation.max_memory=1B,32GiB"});
    auto request = Request({"exchange.algorithm=ring,switch-slots", "codec.name=none,truncate"});
    EXPECT_THAT(ComplaintsOf(request), testing::IsEmpty());
    EXPECT_THAT(ComplaintsOf(tight), testing::IsEmpty());
    request.strict = true;
    tight.strict = true;
    EXPECT_THAT(ComplaintsOf(request),
                ElementsAre(HasSubstr("--vary codec.name:"))); // with switch-slots
    EXPECT_THAT(ComplaintsOf(tight), ElementsAre(HasSubstr("simulation.max_memory")));
}

/* 2 points with 3 seeds each, from the scenario's own on; a lone tensor has nothing random, unless frames are lost. */
TEST_F(PlanSweepTest, RepeatsPointsWithOtherSeeds)
{
    auto request = Request({"cluster.workers=2,3"}, {"simulation.seed=7"});
    request.repeat = 3;
    const auto plan = PlanSweep(request);
    ASSERT_EQ(plan.points.size(), 6U);
    EXPECT_THAT(plan.points[4].settings, ElementsAre("cluster.workers=3", "simulation.seed=8"));
    EXPECT_EQ(plan.points[4].scenario.simulation.seed, 8U);
    EXPECT_EQ(plan.points[4].number, 5U);
    EXPECT_THAT(plan.warnings, testing::Contains(HasSubstr("--repeat:")));
    request.options.vary.push_back({"cluster.loss_rate=0,0.001"});
    EXPECT_THAT(PlanSweep(request).warnings, testing::IsEmpty());
    request.options.vary.pop_back();
    request.settings = {"simulation.seed=9223372036854775805"}; // 2^63 - 3, two below the largest
    EXPECT_EQ(PlanSweep(request).points.back().scenario.simulation.seed, 9223372036854775807U);
}

/* Of a file's two systems the command line changes one and adds a third. */
TEST_F(PlanSweepTest, SystemsOfTheFileAndTheCommandLine)
{
    std::ofstream(path, std::ios::app)
        << "[[sweep.system]]\nlabel = \"ring\"\nset = [\"exchange.algorithm=ring\"]\n"
           "[[sweep.system]]\nlabel = \"cut, ring\"\n"
           "set = [\"exchange.algorithm=ring\", \"codec.name=truncate\"]\n";
    auto request = Request({"cluster.workers=2,3"});
    request.options.systems = {ParseSystem("ring:exchange.algorithm=ring,exchange.concurrent=2"),
                               ParseSystem("switch:exchange.algorithm=switch-slots")};
    const auto plan = PlanSweep(request);
    ASSERT_EQ(plan.points.size(), 6U);
    EXPECT_EQ(plan.points[0].label, "ring");
    EXPECT_EQ(plan.points[0].scenario.exchange.concurrent, 2U);
    EXPECT_EQ(plan.points[2].label, "cut, ring");
    EXPECT_EQ(plan.points[2].scenario.codec.name, "truncate");
    EXPECT_THAT(plan.points[3].varied, ElementsAre("cluster.workers=3"));
    EXPECT_THAT(plan.points[3].settings,
                ElementsAre("exchange.algorithm=ring", "codec.name=truncate", "cluster.workers=3"));
    EXPECT_EQ(plan.points[4].label, "switch");
    EXPECT_EQ(NameOf(plan.points[4]), "switch cluster.workers=2");
    const auto labels = [&request](const std::vector<std::string>& only, const char* against) {
        request.only = only;
        request.against = against;
        std::vector<std::string> all;
        for (const auto& point : PlanSweep(request).points)
        {
            all.push_back(point.label);
        }
        return all;
    };
    request.options.vary.clear();
    EXPECT_THAT(labels({"switch,ring"}, ""), ElementsAre("ring", "switch"));
    EXPECT_THAT(labels({"cut, ring", "switch"}, ""), ElementsAre("cut, ring", "switch"));
    EXPECT_THAT(labels({"switch"}, "ring"), ElementsAre("ring", "switch"));
}

/* RFC 4122's version 5 in the version's place; the same ever after. */
/* In a process of its own, which ends as by an error: a signal is remembered. */
TEST_F(PlanSweepTest, HearsOfSignals)
{
    const auto plan = [this] { Plan({"cluster.workers=2,3"}); };
    const auto interrupted = [&plan] {
        CatchInterrupts();
        ::raise(SIGTERM);
        plan();
    };
    EXPECT_EQ(EndOf(plan), 0);
    EXPECT_EQ(EndOf(interrupted), 3);
}

TEST(ResultKey, IsAUuidOfItsInputs)
{
    const auto key = ResultKey({"a=1", "b=2"});
    EXPECT_EQ(key.size(), 36U);
    EXPECT_EQ(key[14], '5');
    EXPECT_EQ(key, ResultKey({"a=1", "b=2"}));
    EXPECT_NE(key, ResultKey({"a=1", "b=3"}));
}

TEST(ResultKey, IsOfWhatATraceHoldsAndOfAllKeys)
{
    EXPECT_EQ(KeyOf(ScenarioOf(Copied("key-one.csv"))), KeyOf(ScenarioOf(Copied("key-same.csv"))));
    EXPECT_NE(KeyOf(ScenarioOf("hdc")), KeyOf(ScenarioOf("alexnet")));
    EXPECT_EQ(KeyOf(ScenarioOf("tensor:4MB")), KeyOf(ScenarioOf("tensor:4000kB")));
    EXPECT_NE(KeyOf(ScenarioOf("tensor:4MB")), KeyOf(ScenarioOf("tensor:4MiB")));
    const auto plain = ScenarioOf("tensor:4MB");
    const std::vector<void (*)(Scenario&)> changes{[](Scenario& s) { s.cluster.latencyPs += 1; },
                                                   [](Scenario& s) { s.simulation.seed = 2; },
                                                   [](Scenario& s) {
                                                       s.attributes = {{"inca::Nic::A", "1"}};
                                                   }};
    for (const auto& change : changes)
    {
        auto changed = plain;
        change(changed);
        EXPECT_NE(KeyOf(changed), KeyOf(plain));
    }
}

TEST(ResultKey, IsOfWhatFilesOfValuesHold)
{
    const auto path = testing::TempDir() + "key-values.safetensors";
    auto scenario = ScenarioOf("tensor:4MB");
    scenario.training.values = true;
    scenario.training.valuesFile = path;
    std::ofstream(path) << "one";
    const auto one = KeyOf(scenario);
    std::ofstream(path) << "two";
    EXPECT_NE(KeyOf(scenario), one);
    scenario.training.valuesFile = "/no/file";
    EXPECT_THROW(KeyOf(scenario), InputError);
}

} // namespace inca
