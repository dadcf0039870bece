/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/scenario-reader.h"

#include "exchange/slot-scheme.h"
#include "scenario-settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

LoadedScenario
Parse(const std::string& text, const std::vector<std::string>& settings = {})
{
    return ParseScenario(text, "ring.toml", settings);
}

std::vector<std::string>
TomlComplaints(const std::string& text, const std::vector<std::string>& settings = {})
{
    return ComplaintsIn([&] { Parse(text, settings); });
}

const std::string g_ring = "[training]\ntrace = \"alexnet\"\n";

} // namespace

TEST(ScenarioReader, TakesDefaultsForWhatIsNotThere)
{
    const auto loaded = Parse(g_ring);
    EXPECT_EQ(loaded.scenario.training.trace, "alexnet");
    EXPECT_EQ(loaded.scenario.cluster.workers, 4U);
    EXPECT_THAT(loaded.warnings, IsEmpty());
}

TEST(ScenarioReader, ReadsEveryTable)
{
    const auto s = Parse("[training]\ntrace = \"vgg-16\"\niterations = 3\nsend = \"layer\"\n"
                         "[cluster]\nworkers = 8\nbandwidth = \"2.5Gbps\"\n"
                         "[[cluster.worker]]\nindex = 3\nbandwidth = \"1Gbps\"\n"
                         "[[cluster.worker]]\nindex = 1\ncompute_scale = 2\n"
                         "[exchange]\nalgorithm = \"worker-aggregator\"\nbroadcast = \"flat\"\n"
                         "[codec]\nname = \"inceptionn\"\nbound = \"2^-8\"\n"
                         "[host]\nduplex = \"half\"\ncopy_rate = \"none\"\n"
                         "[transport]\nwindow = 128\n"
                         "[simulation]\nwarmup = 1\n"
                         "[attributes]\n\"inca::Nic::B\" = \"x\"\n\"inca::Nic::A\" = 3\n")
                       .scenario;
    EXPECT_EQ(s.training.iterations, 3U);
    EXPECT_EQ(s.cluster.bitsPerSecond, 2'500'000'000U);
    EXPECT_EQ(s.codec.bound, 8U);
    EXPECT_EQ(s.host.duplex, "half");
    EXPECT_EQ(s.host.copyBytesPerSecond, 0U);
    ASSERT_EQ(s.cluster.overrides.size(), 2U);
    EXPECT_EQ(s.cluster.overrides[0].index, 1U); // ascending, whatever the file's order
    EXPECT_EQ(s.cluster.overrides[0].computeScale, 2.0);
    EXPECT_EQ(s.cluster.overrides[1].bitsPerSecond, 1'000'000'000U);
    const std::vector<std::pair<std::string, std::string>> attributes{{"inca::Nic::B", "x"},
                                                                      {"inca::Nic::A", "3"}};
    EXPECT_EQ(s.attributes, attributes); // in the file's order
}

/** Lines behind [training], settings of the command line, and the only complaint, or a part of it. */
struct RefusedCase
{
    std::string lines;
    std::vector<std::string> settings;
    std::string complaint;
};

void
ExpectRefused(const std::vector<RefusedCase>& cases)
{
    for (const auto& [lines, settings, complaint] : cases)
    {
        EXPECT_THAT(TomlComplaints(g_ring + lines, settings), ElementsAre(HasSubstr(complaint)))
            << lines;
    }
}

TEST(ScenarioReader, SaysWhereAndWhatWouldBeRight)
{
    ExpectRefused({
        // The value begins in line 4, after 'algorithm = ', in column 13.
        {"[exchange]\nalgorithm = \"rign\"\n",
         {},
         "ring.toml:4:13: exchange.algorithm: unknown 'rign'; did you mean 'ring'?"},
        {"[cluster]\nbandwith = \"1Gbps\"\n",
         {},
         "ring.toml:4:1: cluster.bandwith: unknown 'cluster.bandwith'; did you mean "
         "'cluster.bandwidth'?"},
        {"workers = 4\n", {}, "did you mean 'cluster.workers'?"},
        {"[exchanges]\norder = \"ready\"\n", {}, "did you mean 'exchange.order'?"},
        {"\"\\u001b[31m\" = 1\n", {}, "training.?[31m"}, // no control character is shown
        {"[cluster]\nbandwidth = \"0bps\"\n", {}, "must be 1kbps to 100Tbps, got '0bps'"},
        {"[host]\nsum_rate = \"0GBps\"\n", {}, "must be above 0"},
        {"[simulation]\nframes_per_train = 1\n",
         {},
         "simulation.frames_per_train: gone; write simulation.mode = \"packet\""},
        {"[simulation]\nmax_baseline_cpu_time = \"none\"\n",
         {},
         "simulation.max_baseline_cpu_time: gone, as a run is compared with nothing by itself; "
         "inca sweep --against LABEL"},
        // Kinds of values.
        {"[host]\nduplex = 0\n",
         {},
         "needs a text in quotes, full or half, got a whole number '0'"},
        {"[cluster]\nbandwidth = [\"1Gbps\"]\n",
         {},
         "needs a text in quotes, such as \"10Gbps\", got a list"},
        {"[cluster]\nworkers = 4.5\n",
         {},
         "needs a whole number, 2..65536, got a decimal number '4.5'"},
        {"[cluster]\nloss_rate = \"0\"\n", {}, "needs a number, 0..0.5, got a text '0'"},
        {"[codec]\nratio = true\n",
         {},
         "needs a number, or a text in quotes, 0.5..1000000, or \"safe\", got true or false "
         "'true'"},
        {"overlap = \"true\"\n", {}, "needs true or false, without quotes, got a text 'true'"},
        {"[attributes]\n\"inca::Nic::A\" = [\"1\"]\n", {}, "an attribute needs a text"},
        {"[exchanges]\n[exchange]\n",
         {},
         "unknown table 'exchanges'; did you mean 'exchange'?"}, // of two empty
        {"[aggregation]\nfoo = 1\n",
         {},
         "ring.toml:4:1: aggregation.foo: unknown table 'aggregation'; known are training, "},
        // What was meant.
        {"", {"codec.name=INCEPTIONN"}, "unknown 'INCEPTIONN'; did you mean 'inceptionn'?"},
        {"",
         {"codec.name=mxfp4"},
         "; it is a value of codec.format (block: what values, groups and scales are)"},
        {"[exchange]\nalgorithm = \"nccl\"\n", {}, "; it is a value of exchange.library ("},
        {"[cluster]\ntopology = \"fat-tree\"\ntrunk_bandwidth = \"5Gbps\"\n",
         {"cluster.oversubscription=2"},
         "--set cluster.oversubscription: sets cluster.trunk_bandwidth, which is given, too"},
        {"", {"cluster.bandwidth=25GBps"}, "'GBps' counts bytes, and this is in bits: 'Gbps'"},
        {"", {"cluster.bandwidth=25gbps"}, "unknown unit; case matters: 'Gbps'"},
        {"", {"cluster.loss_rate=5%"}, "must be a number of 0..0.5, got '5%'; 5% is 0.05"},
        {"", {"training.trace=mine.txt"}, "mine.txt: a trace's file ends in .csv"},
        // What is no TOML.
        {"iterations = \n", {}, "ring.toml:3:"},
        {"trace = \"b\"\n", {}, "ring.toml:3:"},
        {"send=end\n", {}, "; a text or a quantity with its unit stands in quotes"},
        {"[cluster]\nbandwidth = 10Gbps\n", {}, "stands in quotes"},
        {"send = \"end\n", {}, "; the text's closing quote is missing"},
        // Of the whole: who set the key, and what else would do.
        {"",
         {"simulation.warmup=1"},
         "--set simulation.warmup: must be below training.iterations (1), got 1; set "
         "simulation.warmup=0 or training.iterations=2"},
        {"",
         {"cluster.worker.7.bandwidth=1Gbps"},
         "--set cluster.worker.7.bandwidth: worker 7 is not there"},
        {"",
         {"exchange.algorithm=switch-slots", "cluster.mtu=576"},
         "ring.toml: switch.values_per_packet: 256 values make an IP packet of 44 + 4 * 256 = "
         "1068 bytes, cluster.mtu is 576 (256 is its default); set switch.values_per_packet=133 "
         "or cluster.mtu=1068"},
    });
    EXPECT_THAT(TomlComplaints(""),
                ElementsAre(HasSubstr("ring.toml: training.trace: must be given")));
    EXPECT_THAT(TomlComplaints("training = \"hdc\"\n"),
                ElementsAre("ring.toml:1:1: training: is a table: write [training] in a line of "
                            "its own and its keys below"));
}

TEST(ScenarioReader, RefusesWhatIsWrongWithRepeatedTables)
{
    ExpectRefused({
        {"[[cluster.worker]]\nindex = 4\ncompute_scale = 2\n",
         {},
         "ring.toml:4:9: cluster.worker.index: worker 4 is not there; with cluster.workers = 4 "
         "they are 0..3; set cluster.workers=5"},
        {"[[cluster.worker]]\nindex = 1\n[[cluster.worker]]\nindex = 1\n",
         {},
         "ring.toml:6:9: cluster.worker.index: worker 1 was there"},
        {"[[cluster.worker]]\ncompute_scale = 2\n",
         {},
         "every [[cluster.worker]] needs a whole number"},
        {"[cluster.worker]\nindex = 2\n", {}, "needs double brackets"},
        {"[[cluster.worker]]\nindex = 1\nbandwith = \"1Gbps\"\n", {}, "did you mean 'bandwidth'?"},
        {"[[cluster.worker]]\nindex = 1\nbandwidth = 1\n",
         {},
         "such as \"10Gbps\", got a whole number '1'"},
        {"[[cluster.worker]]\nindex = -1\ncompute_scale = 1\n",
         {},
         "must be a whole number of 0..65535, got '-1'"},
        {"[[cluster.worker]]\nindex = -1\n", {}, "must be a whole number of 0..65535, got '-1'"},
        {"[[cluster.worker]]\nindex = 4\n", {}, "worker 4 is not there"},
        {"", {"cluster.worker.x.bandwidth=1Gbps"}, "0..65535, got 'x'"},
        {"", {"cluster.worker.65536.bandwidth=1Gbps"}, "0..65535, got '65536'"},
        {"",
         {"cluster.worker.x.bandwidth=1Gbps"},
         "index is the N of cluster.worker.N.bandwidth: "},
        {"", {"cluster.worker.3=1Gbps"}, "3: index is the N of cluster.worker.N.bandwidth"},
        {"", {"cluster.worker.0.host.mtu=1"}, "unknown 'mtu'; known are bandwidth"},
        {"", {"cluster.worker.3.mtu=1"}, "unknown 'mtu'; known are bandwidth"},
        {"", {"cluster.worker.1.compute_scale=0"}, "must be a number of 1e-06..1000000"},
        {"",
         {"cluster.worker.0.index=3"},
         "cluster.worker.0.index: index is the N of cluster.worker.N.bandwidth"},
        {"", {"host.protocol.1.start_cost=1us"}, "'1': needs a unit, as in '25MiB'"},
        {"",
         {"host.protocol.0.start_cost=1us"},
         "up_to is the N of host.protocol.N.start_cost: must be 1B to 1TiB, got '0'"},
        {"", {"host.protocol.start_cost=1us"}, "up_to is the N of host.protocol.N.start_cost"},
        {"", {"exchange.bucket_bytes=25"}, "'25': needs a unit, as in '25MiB'"},
        {"[[host.protocol]]\nstart_cost = \"1us\"\n",
         {},
         "every [[host.protocol]] needs a text in quotes, such as"},
        {"[[host.protocol]]\nup_to = 64\n", {}, "every [[host.protocol]] needs a text in quotes"},
        {"[[host.protocol]]\nup_to = \"1KiB\"\n[[host.protocol]]\nup_to = \"1024B\"\n",
         {},
         "ring.toml:6:9: host.protocol.up_to: protocol 1024B was there"},
        {"", {"host.protocol.1.5KiB.message_cots=1us"}, "did you mean 'message_cost'?"},
    });
}

TEST(ScenarioReader, RefusesSweepsOfAnotherForm)
{
    for (const auto* list :
         {"\"cluster.workers=2,3\"", "[1, 2]", "[]", "[\"a=1\", 2]", "[[\"a\"]]"})
    {
        const auto lines = std::string("[sweep]\nvary = ") + list + "\n";
        ExpectRefused({{lines, {}, "ring.toml:4:8: sweep.vary: needs a list of texts"}});
    }
    ExpectRefused({
        {"[sweep]\nvaries = [\"cluster.workers=2,3\"]\n",
         {},
         "ring.toml:4:1: sweep.varies: unknown 'sweep.varies'; did you mean 'sweep.vary'?"},
        {"[sweep]\nwhere = \"a\"\n", {}, "sweep.where: is gone; leave points out by sweep.zip"},
        {"[sweep]\nsystem = \"ring\"\n", {}, "sweep.system: needs double brackets"},
        {"[[sweep.system]]\nlabel = \"a\"\n", {}, "sweep.system.set: is missing"},
    });
    EXPECT_THAT(TomlComplaints("sweep = [\"cluster.workers=2,3\"]\n" + g_ring),
                ElementsAre(HasSubstr("write [sweep] in a line of its own")));
    EXPECT_THAT(TomlComplaints(g_ring + "[[sweep.system]]\nlable = \"a\"\nset = [\"a=b\"]\n"),
                ElementsAre(HasSubstr("did you mean 'sweep.system.label'?"),
                            HasSubstr("sweep.system.label: is missing")));
    EXPECT_THAT(TomlComplaints(g_ring + "[[sweep.system]]\nlabel = 3\nset = \"a=b\"\n"),
                ElementsAre(HasSubstr("needs a text"), HasSubstr("needs a list of texts")));
}

TEST(ScenarioReader, RefusesAttributesThatKeysSet)
{
    const std::string width = "attributes.inca::CompressionEngine::Width";
    ExpectRefused({
        {"[attributes]\n\"inca::Transport::Window\" = 32\n",
         {},
         "ring.toml:4:29: attributes.inca::Transport::Window: write transport.window, which sets "
         "it"},
        {"",
         {width + "=7"},
         "--set " + width + ": sets engine.width: must be a whole number of 8.."},
    });
}

TEST(ScenarioReader, WarnsOfKeysThatCannotMatter)
{
    EXPECT_THAT(
        Parse(g_ring + "[exchange]\nbroadcast = \"flat\"\n", {"codec.bound=2^-6"}).warnings,
        ElementsAre("ring.toml:4:1: exchange.broadcast: has no effect: ring broadcasts no weights",
                    "--set codec.bound: has no effect: codec.name is none"));
    EXPECT_THAT(
        Parse(g_ring + "[exchange]\nbroadcast = \"flat\"\n", {"switch.timeout=1ms"}).idleKeys,
        ElementsAre("exchange.broadcast", "switch.timeout"));
    EXPECT_THAT(ParseScenario(g_ring, "ring.toml", {}, {{"codec.bound=2^-6"}}).warnings,
                ElementsAre("--vary codec.bound: has no effect: codec.name is none"));
    const std::string engine = "attributes.inca::CompressionEngine::Width";
    EXPECT_THAT(Parse(g_ring, {engine + "=64"}).warnings,
                ElementsAre("--set " + engine + ": has no effect: codec.name is none"));
    EXPECT_THAT(Parse(g_ring, {engine + "=64", "codec.name=truncate"}).warnings, IsEmpty());
}

/* A file is looked for in the working directory, then in the scenario's folder. */
TEST(ScenarioReader, FindsFilesBesideTheScenario)
{
    namespace fs = std::filesystem;
    const auto before = fs::current_path();
    const auto folder = testing::TempDir() + "inca-beside";
    fs::remove_all(folder);
    fs::create_directories(folder + "/study");
    fs::current_path(folder);
    for (const auto* path : {"study/own.csv", "study/g0.safetensors", "study/hdc"})
    {
        std::ofstream(path) << "x";
    }
    const auto load = [](const std::string& lines) {
        return ParseScenario("[training]\n" + lines, "study/ring.toml", {});
    };
    const auto training = load("trace = \"own.csv\"\nvalues = true\n"
                               "values_file = \"g{worker}.safetensors\"\n")
                              .scenario.training;
    EXPECT_EQ(training.trace, "study/own.csv");
    EXPECT_EQ(training.valuesFile, "study/g{worker}.safetensors");
    EXPECT_EQ(load("trace = \"hdc\"\n").scenario.training.trace, "hdc"); // a name is no path
    const auto absolute = fs::absolute("study/own.csv").string();
    EXPECT_EQ(load("trace = \"" + absolute + "\"\n").scenario.training.trace, absolute);
    std::ofstream("own.csv") << "x";
    const auto both = load("trace = \"own.csv\"\n");
    EXPECT_EQ(both.scenario.training.trace, "own.csv");
    EXPECT_THAT(both.warnings,
                ElementsAre("study/ring.toml:2:1: training.trace: is in the working directory and "
                            "beside the scenario, too; the former is taken"));
    fs::remove("own.csv");
    fs::create_hard_link("study/own.csv", "own.csv");
    EXPECT_THAT(load("trace = \"own.csv\"\n").warnings, IsEmpty()); // one file
    fs::current_path(before);
}

TEST(ScenarioReader, ARatioIsANumberOrSafe)
{
    const auto with = [](const std::string& line, const std::vector<std::string>& settings) {
        return Parse(g_ring + "[codec]\nname = \"homomorphic\"\n" + line, settings).scenario;
    };
    EXPECT_EQ(with("ratio = 16\n", {}).codec.ratio, 16.0);
    EXPECT_EQ(with("ratio = 0.5\n", {}).codec.ratio, 0.5);
    EXPECT_EQ(with("", {"codec.ratio=safe"}).codec.ratio, std::nullopt);
    EXPECT_EQ(with("ratio = \"safe\"\n", {"codec.ratio=2.5"}).codec.ratio, 2.5);
    EXPECT_THAT(FormatScenario(with("ratio = \"safe\"\n", {})), HasSubstr("\nratio = 'safe'\n"));
    EXPECT_THAT(FormatScenario(with("ratio = 12.5\n", {})), HasSubstr("\nratio = 12.5\n"));
}

TEST(ScenarioReader, TellsAllComplaintsAtOnce)
{
    EXPECT_THAT(TomlComplaints("[training]\ntrace = 3\niterations = 0\n"
                               "[cluster]\nbandwidth = 10\nworkers = \"4\"\n",
                               {"host.duplex=2", "cluster.workers"}),
                ElementsAre(HasSubstr("ring.toml:2:9: training.trace: needs a text in quotes"),
                            HasSubstr("ring.toml:3:14: training.iterations: must be a whole number "
                                      "of 1..1000000, got '0'"),
                            HasSubstr("such as \"10Gbps\", got a whole number '10'"),
                            HasSubstr("needs a whole number, 2..65536, got a text '4'"),
                            "--set host.duplex: is full or half, where it was 1 or 0, got '2'",
                            "--set cluster.workers: needs the form key=value"));
}

TEST(ScenarioReader, SettingsComeAfterTheFile)
{
    const auto s = Parse(g_ring + "[cluster]\nworkers = 8\n",
                         {"cluster.workers=16",
                          "cluster.worker.9.bandwidth=1Gbps",
                          "attributes.\"inca::Nic::A\"=5",
                          "cluster.workers=12"})
                       .scenario;
    EXPECT_EQ(s.cluster.workers, 12U);
    ASSERT_EQ(s.cluster.overrides.size(), 1U);
    EXPECT_EQ(s.cluster.overrides[0].index, 9U);
    ASSERT_EQ(s.attributes.size(), 1U);
    EXPECT_EQ(s.attributes[0].second, "5");
}

TEST(ScenarioReader, RefusesAFileThatCannotBeReadOrIsHuge)
{
    EXPECT_THROW(ReadScenario("/no/such/file.toml", {}), InputError);
    EXPECT_THROW(ReadScenario(testing::TempDir(), {}), InputError);
    const auto path = testing::TempDir() + "huge.toml";
    std::ofstream(path) << std::string((1U << 20U) + 1, '#');
    EXPECT_THROW(ReadScenario(path, {}), InputError);
}

TEST(ScenarioReader, FormatsAScenarioThatReadsBackToTheSame)
{
    const auto s = Parse(g_ring,
                         {"cluster.workers=6",
                          "cluster.worker.5.compute_scale=1.1",
                          "cluster.aggregator_bandwidth=40Gbps",
                          "exchange.algorithm=worker-aggregator",
                          "training.jitter=normal",
                          "training.jitter_sd=0.1",
                          "host.byte_rate=3GBps",
                          "host.protocol.1.5KiB.message_cost=2us",
                          "host.protocol.64B.message_rate=1GBps",
                          "host.preset=none", // it says nothing of them
                          "attributes.inca::Nic::Note=a \"quoted\"\ttext"})
                       .scenario;
    const auto text = FormatScenario(s);
    const auto again = Parse(text);
    EXPECT_EQ(FormatScenario(again.scenario), text);
    EXPECT_THAT(again.warnings, IsEmpty());
    EXPECT_EQ(again.scenario.training.jitterSd, 0.1);
    EXPECT_EQ(again.scenario.cluster.overrides.at(0).computeScale, 1.1);
    EXPECT_EQ(again.scenario.attributes, s.attributes);
    const auto& protocols = again.scenario.host.protocols; // by size
    ASSERT_EQ(protocols.size(), 2U);
    EXPECT_EQ(protocols[0].bytesPerSecond, 1'000'000'000U);
    EXPECT_EQ(protocols[1].upToBytes, 1536U);
    EXPECT_EQ(protocols[1].messagePs, 2'000'000);
}

TEST(ScenarioReader, ReadsSwitchesAndTopologies)
{
    const auto loaded =
        Parse(g_ring + "[cluster]\nworkers = 8\ntopology = \"leaf-spine\"\nhosts_per_leaf = 2\n"
                       "trunk_bandwidth = \"40Gbps\"\n"
                       "[exchange]\nalgorithm = \"switch-tree\"\nstart = \"together\"\n"
                       "[switch]\nlatency = \"500ns\"\nslots = 64\nvalues_per_packet = 64\n"
                       "adder = \"int32\"\nscaling = \"fixed\"\nfixed_exponent = -3\n"
                       "timeout = \"10ms\"\ndouble_after = 5\nadder_rate = \"2.5Gvalues/s\"\n"
                       "memory = \"1MiB\"\n",
              {"training.values=true"});
    EXPECT_THAT(loaded.warnings, IsEmpty());
    const auto& s = loaded.scenario;
    EXPECT_EQ(s.cluster.trunkBitsPerSecond, 40'000'000'000U);
    EXPECT_EQ(s.exchange.start, "together");
    EXPECT_EQ(s.inSwitch.latencyPs, 500'000);
    EXPECT_EQ(ReadSlotSettings(s.aggregation).slots, 64U);
    EXPECT_EQ(ReadSlotSettings(s.aggregation).fixedExponent, -3);
    EXPECT_EQ(ReadSlotSettings(s.aggregation).timeoutPs, 10'000'000'000);
    EXPECT_EQ(ReadSlotSettings(s.aggregation).doubleAfter, 5U);
    EXPECT_EQ(ReadSlotSettings(s.aggregation).valuesPerSecond, 2'500'000'000U);
    EXPECT_EQ(ReadSlotSettings(s.aggregation).memoryBytes, 1U << 20U);
    const auto again = Parse(FormatScenario(s));
    EXPECT_EQ(FormatScenario(again.scenario), FormatScenario(s));
    EXPECT_EQ(ReadSlotSettings(again.scenario.aggregation).fixedExponent, -3);
    EXPECT_EQ(again.scenario.cluster.trunkBitsPerSecond, 40'000'000'000U);
}

TEST(ScenarioReader, ReadsTheSweepOfAFile)
{
    const auto text = g_ring + "[sweep]\nvary = [\"cluster.workers=2,3\",\n"
                               "        \"host.duplex=half,full\"]\n";
    EXPECT_THAT(Parse(text).warnings, IsEmpty()); // a single run takes none of it
    EXPECT_EQ(Parse(text).scenario.cluster.workers, 4U);
    const auto vary = ParseSweep(text, "ring.toml").vary;
    ASSERT_EQ(vary.size(), 2U);
    EXPECT_EQ(vary[0].text, "cluster.workers=2,3");
    EXPECT_EQ(vary[0].origin, "ring.toml:4:9: sweep.vary"); // behind "vary = ["
    EXPECT_EQ(vary[1].origin, "ring.toml:5:9: sweep.vary");
    EXPECT_FALSE(ParseSweep(g_ring, "ring.toml").Varies());
}

TEST(ScenarioReader, ReadsSystemsAndZip)
{
    const auto text = g_ring + "[sweep]\nzip = [\"cluster.workers=2,3\"]\n"
                               "[[sweep.system]]\nset = [\"codec.name=none\"]\nlabel = \"plain\"\n";
    EXPECT_THAT(TomlComplaints(text), IsEmpty());
    const auto spec = ParseSweep(text, "ring.toml");
    ASSERT_EQ(spec.zip.size(), 1U);
    ASSERT_EQ(spec.systems.size(), 1U);
    EXPECT_EQ(spec.systems[0].label, "plain");
    EXPECT_EQ(spec.systems[0].settings[0].text, "codec.name=none");
    EXPECT_EQ(spec.systems[0].settings[0].origin, "ring.toml:6:8: sweep.system 'plain'");
}

} // namespace inca
