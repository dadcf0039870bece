/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/scenario-reader.h"

#include "base/errors.h"
#include "exchange/slot-scheme.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
ComplaintsOf(const std::string& text, const std::vector<std::string>& settings = {})
{
    try
    {
        Parse(text, settings);
    }
    catch (const InputError& error)
    {
        return error.Complaints();
    }
    return {};
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

TEST(ScenarioReader, NamesPlaceAndNearestOfAnUnknownName)
{
    // the value begins in line 4, after 'algorithm = ', in column 13
    EXPECT_THAT(ComplaintsOf(g_ring + "[exchange]\nalgorithm = \"rign\"\n"),
                ElementsAre("ring.toml:4:13: exchange.algorithm: unknown 'rign'; "
                            "did you mean 'ring'?"));
}

TEST(ScenarioReader, NamesTheNearestKey)
{
    EXPECT_THAT(ComplaintsOf(g_ring + "[cluster]\nbandwith = \"1Gbps\"\n"),
                ElementsAre("ring.toml:4:1: cluster.bandwith: unknown 'cluster.bandwith'; "
                            "did you mean 'cluster.bandwidth'?"));
    EXPECT_THAT(ComplaintsOf("workers = 4\n" + g_ring),
                ElementsAre("ring.toml:1:1: workers: unknown 'workers'; "
                            "did you mean 'cluster.workers'?"));
    EXPECT_THAT(ComplaintsOf(g_ring + "[exchanges]\norder = \"ready\"\n"),
                ElementsAre(HasSubstr("did you mean 'exchange.order'?")));
}

TEST(ScenarioReader, TellsAllComplaintsAtOnce)
{
    EXPECT_THAT(ComplaintsOf("[training]\ntrace = 3\niterations = 0\n"
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

TEST(ScenarioReader, RefusesQuantitiesOutOfRange)
{
    EXPECT_THAT(ComplaintsOf(g_ring + "[cluster]\nbandwidth = \"0bps\"\n"),
                ElementsAre(HasSubstr("must be 1kbps to 100Tbps, got '0bps'")));
    EXPECT_THAT(ComplaintsOf(g_ring + "[host]\nsum_rate = \"0GBps\"\n"),
                ElementsAre(HasSubstr("must be above 0")));
    EXPECT_THAT(ComplaintsOf(g_ring + "[simulation]\nframes_per_train = 1\n"),
                ElementsAre(HasSubstr("simulation.frames_per_train: gone; write "
                                      "simulation.mode = \"packet\"")));
    EXPECT_THAT(
        ComplaintsOf(g_ring + "[simulation]\nmax_baseline_cpu_time = \"none\"\n"),
        ElementsAre(HasSubstr("simulation.max_baseline_cpu_time: gone, as a run is compared "
                              "with nothing by itself; inca sweep --against LABEL")));
    EXPECT_THAT(
        ComplaintsOf(g_ring + "[host]\nduplex = 0\n"),
        ElementsAre(HasSubstr("needs a text in quotes, full or half, got a whole number '0'")));
}

TEST(ScenarioReader, RefusesBrokenTomlWithItsPlace)
{
    EXPECT_THAT(ComplaintsOf("[training]\ntrace = \n"), ElementsAre(HasSubstr("ring.toml:2:")));
    EXPECT_THAT(ComplaintsOf("[training]\ntrace = \"a\"\ntrace = \"b\"\n"),
                ElementsAre(HasSubstr("ring.toml:3:")));
}

TEST(ScenarioReader, RefusesAMissingTrace)
{
    EXPECT_THAT(ComplaintsOf("[cluster]\nworkers = 2\n"),
                ElementsAre(HasSubstr("ring.toml: training.trace: must be given")));
    EXPECT_THAT(ComplaintsOf(""), ElementsAre(HasSubstr("training.trace: must be given")));
}

TEST(ScenarioReader, RefusesWhatIsWrongWithWorkers)
{
    EXPECT_THAT(ComplaintsOf(g_ring + "[[cluster.worker]]\nindex = 4\ncompute_scale = 2\n"),
                ElementsAre("ring.toml:4:9: cluster.worker.index: worker 4 is not there; with "
                            "cluster.workers = 4 they are 0..3; set cluster.workers=5"));
    EXPECT_THAT(ComplaintsOf(g_ring + "[[cluster.worker]]\nindex = 1\n"
                                      "[[cluster.worker]]\nindex = 1\n"),
                ElementsAre(HasSubstr("ring.toml:6:9: cluster.worker.index: worker 1 was there")));
    EXPECT_THAT(ComplaintsOf(g_ring + "[[cluster.worker]]\ncompute_scale = 2\n"),
                ElementsAre(HasSubstr("every [[cluster.worker]] needs a whole number")));
    EXPECT_THAT(ComplaintsOf(g_ring + "[cluster.worker]\nindex = 2\n"),
                ElementsAre(HasSubstr("needs double brackets")));
    EXPECT_THAT(ComplaintsOf(g_ring + "[[cluster.worker]]\nindex = 1\nbandwith = \"1Gbps\"\n"),
                ElementsAre(HasSubstr("did you mean 'bandwidth'?")));
    EXPECT_THAT(ComplaintsOf(g_ring + "[[cluster.worker]]\nindex = 1\nbandwidth = 1\n"),
                ElementsAre(HasSubstr("such as \"1Gbps\", got a whole number '1'")));
    EXPECT_THAT(ComplaintsOf(g_ring + "[[cluster.worker]]\nindex = -1\ncompute_scale = 1\n"),
                ElementsAre(HasSubstr("must be a whole number of 0..65535, got '-1'")));
    EXPECT_THAT(ComplaintsOf(g_ring + "[[cluster.worker]]\nindex = -1\n"),
                ElementsAre(HasSubstr("must be a whole number of 0..65535, got '-1'")));
    EXPECT_THAT(ComplaintsOf(g_ring + "[[cluster.worker]]\nindex = 4\n"),
                ElementsAre(HasSubstr("worker 4 is not there")));
}

TEST(ScenarioReader, SettingsComeAfterTheFile)
{
    const auto s = Parse(g_ring + "[cluster]\nworkers = 8\n",
                         {"cluster.workers=16",
                          "cluster.worker.9.bandwidth=1Gbps",
                          "attributes.inca::Nic::A=5",
                          "cluster.workers=12"})
                       .scenario;
    EXPECT_EQ(s.cluster.workers, 12U);
    ASSERT_EQ(s.cluster.overrides.size(), 1U);
    EXPECT_EQ(s.cluster.overrides[0].index, 9U);
    ASSERT_EQ(s.attributes.size(), 1U);
    EXPECT_EQ(s.attributes[0].second, "5");
}

TEST(ScenarioReader, ComplaintsAboutTheWholeNameWhoSetTheKey)
{
    EXPECT_THAT(
        ComplaintsOf(g_ring, {"simulation.warmup=1"}),
        ElementsAre("--set simulation.warmup: must be below training.iterations (1), got 1; set "
                    "simulation.warmup=0 or training.iterations=2"));
    EXPECT_THAT(ComplaintsOf(g_ring, {"cluster.worker.7.bandwidth=1Gbps"}),
                ElementsAre(HasSubstr("--set cluster.worker.7.bandwidth: worker 7 is not there")));
}

TEST(ScenarioReader, WarnsOfKeysThatCannotMatter)
{
    EXPECT_THAT(Parse(g_ring + "[exchange]\nbroadcast = \"flat\"\n", {"codec.bound=2^-6"}).warnings,
                ElementsAre("ring.toml:4:1: exchange.broadcast: has no effect: ring broadcasts no "
                            "weights",
                            "--set codec.bound: has no effect: codec.name is none"));
}

TEST(ScenarioReader, RefusesAFileThatCannotBeReadOrIsHuge)
{
    EXPECT_THROW(ReadScenario("/no/such/file.toml", {}), InputError);
    EXPECT_THROW(ReadScenario(testing::TempDir(), {}), InputError);
    const auto path = testing::TempDir() + "huge.toml";
    std::ofstream(path) << std::string((1U << 20U) + 1, '#');
    EXPECT_THROW(ReadScenario(path, {}), InputError);
}

TEST(ScenarioReader, ShowsNoControlCharactersOfItsInput)
{
    EXPECT_THAT(ComplaintsOf(g_ring + "\"\\u001b[31m\" = 1\n"),
                ElementsAre(HasSubstr("training.?[31m")));
}

TEST(ScenarioReader, SaysWhatIsTheDefaultOfAKeyThatNobodySet)
{
    EXPECT_THAT(
        ComplaintsOf(g_ring, {"exchange.algorithm=switch-slots", "cluster.mtu=576"}),
        ElementsAre("ring.toml: switch.values_per_packet: 256 values make an IP packet of 44 + 4 "
                    "* 256 = 1068 bytes, cluster.mtu is 576 (256 is its default); set "
                    "switch.values_per_packet=133 or cluster.mtu=1068"));
}

TEST(ScenarioReader, NamesTheOptionThatVaries)
{
    const auto warnings = ParseScenario(g_ring, "ring.toml", {}, {{"codec.bound=2^-6"}}).warnings;
    EXPECT_THAT(warnings, ElementsAre("--vary codec.bound: has no effect: codec.name is none"));
}

TEST(ScenarioReader, TakesAnAttributeInQuotes)
{
    const auto s = Parse(g_ring, {"attributes.\"inca::Nic::Buffer\"=1500"}).scenario;
    ASSERT_EQ(s.attributes.size(), 1U);
    EXPECT_EQ(s.attributes[0].first, "inca::Nic::Buffer");
}

TEST(ScenarioReader, ReadsAnAttributeAsTheKeyThatSetsIt)
{
    const auto text = g_ring + "[attributes]\n\"inca::Transport::Window\" = 32\n";
    const auto s = Parse(text).scenario;
    EXPECT_EQ(s.transport.window, 32U);
    EXPECT_TRUE(s.attributes.empty());
    EXPECT_EQ(Parse(text, {"transport.window=32"}).scenario.transport.window, 32U);
}

TEST(ScenarioReader, NamesBothPlacesOfAContradiction)
{
    const auto window = "[attributes]\n\"inca::Transport::Window\" = 32\n";
    EXPECT_THAT(ComplaintsOf("[training]\ntrace = \"hdc\"\n[transport]\nwindow = 64\n" +
                             std::string(window)),
                ElementsAre("ring.toml:6:29: attributes.inca::Transport::Window: sets "
                            "transport.window to 32, but ring.toml:4:1: transport.window sets it "
                            "to 64; leave one of them out"));
    EXPECT_THAT(ComplaintsOf("[training]\ntrace = \"hdc\"\n" + std::string(window),
                             {"transport.window=64"}),
                ElementsAre(HasSubstr("but --set transport.window sets it to 64")));
}

/* The check of the whole names what the user wrote. */
TEST(ScenarioReader, ChecksAttributesAsKeys)
{
    EXPECT_THAT(ComplaintsOf("[training]\ntrace = \"hdc\"\n[attributes]\n"
                             "\"inca::SwitchPort::Buffer\" = 1000\n"),
                ElementsAre(HasSubstr("attributes.inca::SwitchPort::Buffer: must hold a frame")));
    EXPECT_THAT(ComplaintsOf("[training]\ntrace = \"hdc\"\n[attributes]\n"
                             "\"inca::SwitchPort::Buffer\" = -1\n"),
                ElementsAre(HasSubstr("sets cluster.buffer: must be 0 or more, got '-1'")));
}

TEST(ScenarioReader, WarnsOfEnginesThatNothingPassesThrough)
{
    const std::string engine = "attributes.inca::CompressionEngine::Width";
    EXPECT_THAT(Parse(g_ring, {engine + "=64"}).warnings,
                ElementsAre("--set " + engine + ": has no effect: codec.name is none"));
    EXPECT_THAT(Parse(g_ring, {engine + "=64", "codec.name=truncate"}).warnings, IsEmpty());
    EXPECT_THAT(Parse(g_ring,
                      {engine + "=64",
                       "codec.name=truncate",
                       "codec.placement=cpu",
                       "codec.encode_rate=1GBps",
                       "codec.decode_rate=1GBps"})
                    .warnings,
                ElementsAre(HasSubstr("has no effect: codec.placement is cpu")));
}

TEST(ScenarioReader, HintsAtForgottenQuotes)
{
    EXPECT_THAT(ComplaintsOf("[training]\ntrace=hdc\n"),
                ElementsAre(HasSubstr("; a text or a quantity with its unit stands in quotes")));
    EXPECT_THAT(ComplaintsOf("[cluster]\nbandwidth = 10Gbps\n"),
                ElementsAre(HasSubstr("stands in quotes")));
    EXPECT_THAT(ComplaintsOf("[training]\ntrace = \"hdc\n"),
                ElementsAre(HasSubstr("; the text's closing quote is missing")));
}

TEST(ScenarioReader, SaysThatATableIsNoKey)
{
    EXPECT_THAT(ComplaintsOf("training = \"hdc\"\n"),
                ElementsAre("ring.toml:1:1: training: is a table: write [training] in a line of "
                            "its own and its keys below"));
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
                          "attributes.inca::Nic::Note=a \"quoted\"\ttext"})
                       .scenario;
    const auto text = FormatScenario(s);
    const auto again = Parse(text);
    EXPECT_EQ(FormatScenario(again.scenario), text);
    EXPECT_THAT(again.warnings, IsEmpty());
    EXPECT_EQ(again.scenario.training.jitterSd, 0.1);
    EXPECT_EQ(again.scenario.cluster.overrides.at(0).computeScale, 1.1);
    EXPECT_EQ(again.scenario.attributes, s.attributes);
}

TEST(ScenarioReader, SaysWhomItsWarningsAreAbout)
{
    const auto loaded = Parse(g_ring + "[exchange]\nbroadcast = \"flat\"\n",
                              {"attributes.inca::SlotClient::Timeout=1ms"});
    EXPECT_THAT(loaded.idleKeys, ElementsAre("exchange.broadcast", "switch.timeout"));
    EXPECT_EQ(loaded.warnings.size(), 2U);
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

TEST(ScenarioReader, RefusesASweepThatIsNoListOfTexts)
{
    for (const auto* list :
         {"\"cluster.workers=2,3\"", "[1, 2]", "[]", "[\"a=1\", 2]", "[[\"a\"]]"})
    {
        const auto text = g_ring + "[sweep]\nvary = " + list + "\n";
        EXPECT_THAT(ComplaintsOf(text),
                    ElementsAre(HasSubstr("ring.toml:4:8: sweep.vary: needs a list of texts")))
            << list;
    }
    EXPECT_THAT(ComplaintsOf(g_ring + "[sweep]\nvaries = [\"cluster.workers=2,3\"]\n"),
                ElementsAre("ring.toml:4:1: sweep.varies: unknown 'sweep.varies'; did you mean "
                            "'sweep.vary'?"));
    EXPECT_THAT(ComplaintsOf("sweep = [\"cluster.workers=2,3\"]\n" + g_ring),
                ElementsAre(HasSubstr("write [sweep] in a line of its own")));
}

TEST(ScenarioReader, ReadsSystemsZipAndWhere)
{
    const auto text = g_ring + "[sweep]\nzip = [\"cluster.workers=2,3\"]\n"
                               "where = \"cluster.workers < 3\"\n"
                               "[[sweep.system]]\nset = [\"codec.name=none\"]\nlabel = \"plain\"\n";
    EXPECT_THAT(ComplaintsOf(text), IsEmpty());
    const auto spec = ParseSweep(text, "ring.toml");
    ASSERT_EQ(spec.zip.size(), 1U);
    ASSERT_EQ(spec.where.size(), 1U);
    EXPECT_EQ(spec.where[0].origin, "ring.toml:5:9: sweep.where");
    ASSERT_EQ(spec.systems.size(), 1U);
    EXPECT_EQ(spec.systems[0].label, "plain");
    EXPECT_EQ(spec.systems[0].settings[0].text, "codec.name=none");
    EXPECT_EQ(spec.systems[0].settings[0].origin, "ring.toml:7:8: sweep.system 'plain'");
}

TEST(ScenarioReader, RefusesSystemsOfAnotherForm)
{
    EXPECT_THAT(ComplaintsOf(g_ring + "[sweep]\nsystem = \"ring\"\n"),
                ElementsAre(HasSubstr("sweep.system: needs double brackets")));
    EXPECT_THAT(ComplaintsOf(g_ring + "[[sweep.system]]\nlabel = \"a\"\n"),
                ElementsAre(HasSubstr("sweep.system.set: is missing")));
    EXPECT_THAT(ComplaintsOf(g_ring + "[[sweep.system]]\nlable = \"a\"\nset = [\"a=b\"]\n"),
                ElementsAre(HasSubstr("did you mean 'sweep.system.label'?"),
                            HasSubstr("sweep.system.label: is missing")));
    EXPECT_THAT(ComplaintsOf(g_ring + "[[sweep.system]]\nlabel = 3\nset = \"a=b\"\n"),
                ElementsAre(HasSubstr("needs a text"), HasSubstr("needs a list of texts")));
    EXPECT_THAT(ComplaintsOf(g_ring + "[sweep]\nwhere = [\"a\"]\n"),
                ElementsAre(HasSubstr("sweep.where: needs a text")));
}

TEST(ScenarioReader, ListsAreNoValuesOfKeysOrAttributes)
{
    EXPECT_THAT(ComplaintsOf(g_ring + "[cluster]\nbandwidth = [\"1Gbps\"]\n"),
                ElementsAre(HasSubstr("needs a text in quotes, such as \"10Gbps\", got a list")));
    EXPECT_THAT(ComplaintsOf(g_ring + "[attributes]\n\"inca::Nic::A\" = [\"1\"]\n"),
                ElementsAre(HasSubstr("an attribute needs a text")));
}

} // namespace inca
