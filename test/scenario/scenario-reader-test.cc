/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/scenario-reader.h"
#include "scenario/specs.h"

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
    EXPECT_TRUE(s.host.isHalfDuplex);
    EXPECT_EQ(s.host.copyBytesPerSecond, 0U);
    ASSERT_EQ(s.cluster.overrides.size(), 2U);
    EXPECT_EQ(s.cluster.overrides[0].index, 1U); // ascending, whatever the file's order
    EXPECT_EQ(s.cluster.overrides[0].computeScale, 2.0);
    EXPECT_EQ(s.cluster.overrides[1].bitsPerSecond, 1'000'000'000U);
    const std::vector<std::pair<std::string, std::string>> attributes{{"inca::Nic::B", "x"},
                                                                      {"inca::Nic::A", "3"}};
    EXPECT_EQ(s.attributes, attributes); // in the file's order
}

/* [group.data] is [exchange] and [codec]; what a group does not say is as these say, unless it is of another codec. */
TEST(ScenarioReader, ReadsWhatGroupsSay)
{
    const std::string hybrid = "trace = \"alexnet\"\nsharding = \"hybrid\"\nshard_group = 2\n";
    const auto s = Parse("[training]\n" + hybrid +
                         "[group.data]\nalgorithm = \"halving-doubling\"\n"
                         "[group.data.codec]\nname = \"inceptionn\"\nbound = \"2^-8\"\n"
                         "bits_per_value = 12\n"
                         "[group.shard]\ncodec = { bound = \"2^-6\" }\n"
                         "[group.replica.codec]\nname = \"truncate\"\n")
                       .scenario;
    EXPECT_EQ(s.exchange.algorithm, "halving-doubling");
    EXPECT_EQ(s.codec.bound, 8U);
    EXPECT_EQ(CodedAs(s, false).codec.name, "inceptionn");
    EXPECT_EQ(CodedAs(s, false).codec.bound, 6U);
    EXPECT_EQ(CodedAs(s, false).codec.bitsPerValue, 12);
    EXPECT_EQ(CodedAs(s, true).codec.name, "truncate");
    EXPECT_EQ(CodedAs(s, true).codec.bitsPerValue, std::nullopt); // it was of another one
    EXPECT_EQ(CodecTitleOf(s), "inceptionn 2^-6; truncate 16");
    EXPECT_EQ(CodecTitleOf(Parse(FormatScenario(s)).scenario), CodecTitleOf(s));
    EXPECT_THAT(TomlComplaints("[training]\n" + hybrid + "[codec]\nname = \"cast\"\n" +
                               "[group.data]\ncodec.name = \"none\"\n"),
                ElementsAre(HasSubstr("sets codec.name, which another line sets, too")));
}

TEST(ScenarioReader, WarnsOfKeysThatCannotMatter)
{
    EXPECT_THAT(Parse(g_ring + "[exchange]\nbroadcast = \"flat\"\n", {"codec.bound=2^-6"}).warnings,
                ElementsAre(HasSubstr("ring.toml:4:1: exchange.broadcast:"),
                            HasSubstr("--set codec.bound:")));
    EXPECT_THAT(
        Parse(g_ring + "[exchange]\nbroadcast = \"flat\"\n", {"switch.timeout=1ms"}).idleKeys,
        ElementsAre("exchange.broadcast", "switch.timeout"));
    EXPECT_THAT(ParseScenario(g_ring, "ring.toml", {}, {{"codec.bound=2^-6"}}).warnings,
                ElementsAre(HasSubstr("--vary codec.bound:")));
    const std::string alone = g_ring + "[cluster]\nworkers = 1\ngpus = 4\n";
    const std::string table = "[[cluster.worker]]\nindex = 0\nbandwidth = \"1Gbps\"\n";
    EXPECT_THAT(Parse(alone + table).warnings,
                ElementsAre(HasSubstr("ring.toml:8:1: cluster.worker.bandwidth: has no effect")));
    EXPECT_THAT(Parse(alone, {"cluster.worker.0.bandwidth=1Gbps"}).idleKeys,
                ElementsAre("cluster.worker.0.bandwidth"));
    const std::string engine = "attributes.inca::CompressionEngine::Width";
    EXPECT_THAT(Parse(g_ring, {engine + "=64"}).warnings,
                ElementsAre(HasSubstr("--set " + engine + ":")));
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
    EXPECT_THAT(both.warnings, ElementsAre(HasSubstr("study/ring.toml:2:1: training.trace:")));
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
                ElementsAre(HasSubstr("ring.toml:2:9: training.trace:"),
                            HasSubstr("ring.toml:3:14: training.iterations:"),
                            HasSubstr("ring.toml:5:13: cluster.bandwidth:"),
                            HasSubstr("ring.toml:6:11: cluster.workers:"),
                            HasSubstr("--set host.duplex:"),
                            HasSubstr("--set cluster.workers:")));
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
    EXPECT_TRUE(s.exchange.startTogether);
    EXPECT_EQ(s.inSwitch.latencyPs, 500'000);
    EXPECT_EQ(ReadSlotFormat(s.rowSettings).slots, 64U);
    EXPECT_EQ(ReadSlotFormat(s.rowSettings).fixedExponent, -3);
    EXPECT_EQ(ReadSlotFormat(s.rowSettings).timeoutPs, 10'000'000'000);
    EXPECT_EQ(ReadSlotFormat(s.rowSettings).doubleAfter, 5U);
    EXPECT_EQ(ReadSlotFormat(s.rowSettings).valuesPerSecond, 2'500'000'000U);
    EXPECT_EQ(ReadSlotFormat(s.rowSettings).memoryBytes, 1U << 20U);
    const auto again = Parse(FormatScenario(s));
    EXPECT_EQ(FormatScenario(again.scenario), FormatScenario(s));
    EXPECT_EQ(ReadSlotFormat(again.scenario.rowSettings).fixedExponent, -3);
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
