/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/chakra-protobuf.h"
#include "import/chakra-training.h"

#include "import/import-text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

/** A graph put together node by node. */
class GraphMaker
{
  public:
    GraphMaker& Compute(const std::string& name,
                        std::uint64_t duration,
                        std::vector<std::uint64_t> needs)
    {
        auto& node = Add(ChakraType::COMP, name, std::move(needs));
        node.duration = duration;
        return *this;
    }

    GraphMaker& Collective(ChakraCollective type,
                           std::uint64_t bytes,
                           std::vector<std::uint64_t> needs)
    {
        auto& node = Add(ChakraType::COMM_COLL, "sum", std::move(needs));
        node.commType = static_cast<std::uint64_t>(type);
        node.commSize = bytes;
        return *this;
    }

    GraphMaker& AllReduce(std::uint64_t bytes, std::vector<std::uint64_t> needs)
    {
        return Collective(ChakraCollective::ALL_REDUCE, bytes, std::move(needs));
    }

    std::string Text() const
    {
        return FormatChakra(m_graph);
    }

  private:
    ChakraNode& Add(ChakraType type, const std::string& name, std::vector<std::uint64_t> needs)
    {
        auto& node = m_graph.nodes.emplace_back();
        node.id = m_graph.nodes.size() - 1;
        node.type = type;
        node.name = name;
        node.dataDeps = std::move(needs);
        m_graph.version = "0.0.4";
        return node;
    }

    ChakraGraph m_graph;
};

} // namespace

TEST(ChakraFile, IsReadAsItIsWritten)
{
    const auto text = GraphMaker().Compute("a", 7, {}).AllReduce(4096, {0}).Text();
    ByteSource source("x.et", text);
    EXPECT_TRUE(IsChakraProtobuf(source.Prefix()));
    ImportReport report;
    const auto graph = ReadChakraProtobuf(source, report);
    ASSERT_EQ(graph.nodes.size(), 2U);
    EXPECT_EQ(graph.version, "0.0.4");
    EXPECT_EQ(graph.nodes[0].duration, 7U);
    EXPECT_EQ(graph.nodes[1].type, ChakraType::COMM_COLL);
    EXPECT_EQ(graph.nodes[1].commSize, 4096U);
    EXPECT_EQ(graph.nodes[1].dataDeps, std::vector<std::uint64_t>{0});
    EXPECT_EQ(FormatChakra(graph), text);
}

TEST(ChakraFile, RefusesWhatIsCutOffAnywhere)
{
    const auto text = GraphMaker().Compute("a", 7, {}).AllReduce(4096, {0}).Text();
    for (std::size_t size = 9; size < text.size(); ++size)
    {
        ImportOptions options;
        options.format = "chakra";
        EXPECT_NE(RefusalOf(text.substr(0, size), options), "") << size;
    }
    EXPECT_THAT(RefusalOf(text.substr(0, text.size() - 3)), testing::HasSubstr("is cut off"));
}

/* Whole computing is 90 + 20 + 10 = 120 us, a third of it 40: that much of the 90 is forward, the rest the
 * first gradient's backward. The last 5 us are the update.                                            */
TEST(ChakraTraining, TakesASequence)
{
    const auto imported = ImportText(GraphMaker()
                                         .Compute("f", 90, {})
                                         .AllReduce(4000, {0})
                                         .Compute("b", 20, {0})
                                         .AllReduce(8000, {2})
                                         .Compute("b", 10, {2})
                                         .AllReduce(12000, {4})
                                         .Compute("u", 5, {5})
                                         .Text());
    const auto& layers = imported.trace.layers;
    ASSERT_EQ(layers.size(), 3U);
    EXPECT_EQ(layers[2].elements, 1000U); // the first gradient is the last layer's
    EXPECT_EQ(layers[2].backwardPs, 50'000'000);
    EXPECT_EQ(layers[1].backwardPs, 20'000'000);
    EXPECT_EQ(layers[0].backwardPs, 10'000'000);
    EXPECT_EQ(layers[0].forwardPs + layers[1].forwardPs + layers[2].forwardPs, 40'000'000);
    EXPECT_EQ(layers[0].updatePs + layers[1].updatePs + layers[2].updatePs, 5'000'000);
    EXPECT_EQ(imported.report.BytesIn(), 24'000U);
    EXPECT_EQ(imported.report.BytesOut(), 24'000U);
}

/* The unit trap: what the converter makes of an ASTRA-sim file has its nanoseconds in duration_micros. */
TEST(ChakraTraining, TakesFilesMadeFromTextInNanoseconds)
{
    const auto imported = ImportText(GraphMaker()
                                         .Compute("COMP_NODE_conv1_FWD", 100, {})
                                         .Compute("COMP_NODE_fc_FWD", 200, {0})
                                         .Compute("COMP_NODE_fc_BWD_WG", 40, {1})
                                         .AllReduce(8000, {2})
                                         .Compute("COMP_NODE_fc_BWD_IG", 80, {2})
                                         .Compute("COMP_NODE_conv1_BWD_WG", 30, {4})
                                         .AllReduce(4000, {5})
                                         .Collective(ChakraCollective::ALL_GATHER, 100, {0})
                                         .Text());
    const auto& layers = imported.trace.layers;
    ASSERT_EQ(layers.size(), 2U);
    EXPECT_EQ(layers[0].name, "conv1");
    EXPECT_EQ(layers[0].forwardPs, 100'000);
    EXPECT_EQ(layers[1].backwardPs, 120'000);
    EXPECT_EQ(layers[1].elements, 2000U);
    EXPECT_THAT(imported.report.Text(), testing::HasSubstr("1 x allgather, 100 B"));
    EXPECT_THAT(imported.report.Text(), testing::HasSubstr("times are in ns"));
}

TEST(ChakraTraining, RefusesCirclesAndWhatIsMissing)
{
    EXPECT_THAT(
        RefusalOf(GraphMaker().Compute("a", 1, {1}).Compute("b", 1, {0}).AllReduce(4, {1}).Text()),
        testing::HasSubstr("nodes need each other in a circle: node"));
    EXPECT_THAT(RefusalOf(GraphMaker().Compute("a", 1, {0}).AllReduce(4, {0}).Text()),
                testing::HasSubstr("circle: node 0 'a' needs node 0 'a'"));
    const auto missing = GraphMaker().Compute("a", 1, {9}).AllReduce(4, {0}).Text();
    EXPECT_THAT(RefusalOf(missing), testing::HasSubstr("node 0 'a' needs node 9, which the file"));
    EXPECT_EQ(RefusalOf(missing, Lenient()), "");
    EXPECT_THAT(RefusalOf(GraphMaker().Compute("a", 1, {}).Text()),
                testing::HasSubstr("nothing to import"));
    EXPECT_THAT(RefusalOf(GraphMaker().Compute("a", UINT64_MAX, {}).AllReduce(4, {}).Text()),
                testing::HasSubstr("takes longer"));
}

TEST(ChakraFile, ReadsBothOfItsJsonForms)
{
    const auto jsonizer = ImportText(
        "{\"version\": \"0.0.4\"}\n"
        R"({"id": "0", "name": "f", "type": "COMP_NODE", "durationMicros": "30"})"
        "\n"
        R"({"id": "1", "name": "s", "type": "COMM_COLL_NODE", "dataDeps": ["0"], "attr": [)"
        R"({"name": "comm_type", "int64Val": "0"}, {"name": "comm_size", "uint64Val": "4000"}]})");
    ASSERT_EQ(jsonizer.trace.layers.size(), 1U);
    EXPECT_EQ(jsonizer.trace.layers[0].elements, 1000U);
    EXPECT_EQ(jsonizer.trace.layers[0].forwardPs, 10'000'000); // a third of 30 us

    const auto feeder = ImportText(
        R"({"workload_graph": [{"Id": 1, "Name": "f", "NodeType": 4, "runtime": 30, "data_deps": [],)"
        R"("ctrlDeps": []}, {"Id": 2, "Name": "s", "NodeType": 7, "data_deps": [1], "comm_type": 0,)"
        R"("comm_size": 4000, "is_cpu_op": false}]})");
    ASSERT_EQ(feeder.trace.layers.size(), 1U);
    EXPECT_EQ(feeder.trace.layers[0].elements, 1000U);
    EXPECT_EQ(feeder.trace.layers[0].backwardPs, 20'000'000);
}

} // namespace inca
