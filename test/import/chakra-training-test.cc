/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/chakra-file.h"

#include "base/errors.h"

#include "import/import-text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

/** A file put together node by node. */
class GraphMaker
{
  public:
    GraphMaker()
    {
        chakra::GlobalMetadata metadata;
        metadata.set_version("0.0.4");
        AppendChakra(metadata, m_text);
    }

    GraphMaker& Compute(const std::string& name,
                        std::uint64_t duration,
                        const std::vector<std::uint64_t>& needs)
    {
        chakra::Node node;
        node.set_type(chakra::COMP_NODE);
        node.set_name(name);
        node.set_duration_micros(duration);
        return Add(node, needs);
    }

    GraphMaker& Collective(chakra::CollectiveCommType type,
                           std::uint64_t bytes,
                           const std::vector<std::uint64_t>& needs,
                           std::uint64_t duration = 0)
    {
        chakra::Node node;
        node.set_type(chakra::COMM_COLL_NODE);
        node.set_name("sum");
        node.set_duration_micros(duration);
        const auto add = [&node](const char* name, std::uint64_t value) {
            auto* attribute = node.add_attr();
            attribute->set_name(name);
            attribute->set_uint64_val(value);
        };
        add("comm_type", type);
        add("comm_size", bytes);
        return Add(node, needs);
    }

    GraphMaker& AllReduce(std::uint64_t bytes,
                          const std::vector<std::uint64_t>& needs,
                          std::uint64_t duration = 0)
    {
        return Collective(chakra::ALL_REDUCE, bytes, needs, duration);
    }

    const std::string& Text() const
    {
        return m_text;
    }

  private:
    GraphMaker& Add(chakra::Node& node, const std::vector<std::uint64_t>& needs)
    {
        node.set_id(m_count++);
        node.mutable_data_deps()->Add(needs.begin(), needs.end());
        AppendChakra(node, m_text);
        return *this;
    }

    std::string m_text;
    std::uint64_t m_count{0};
};

} // namespace

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
 * first gradient's backward. The last 5 us are the update. Forward and update are shared out by elements (6.7, 13.3 and
 * 20; 0.8, 1.7 and 2.5 us), and the first gradient is the last layer's.                                                                */
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
    EXPECT_EQ(LayersOf(imported),
              "gradient-3 3000: 20 10 2; gradient-2 2000: 13 20 1; gradient-1 1000: 6 50 0");
    EXPECT_EQ(imported.report.bytesIn, 24'000U);
    EXPECT_EQ(imported.report.bytesOut, 24'000U);
}

TEST(ChakraTraining, NamesOperationsThatAreNoTimes)
{
    chakra::Node node;
    node.set_type(chakra::COMP_NODE);
    node.add_attr()->set_name("num_ops");
    node.mutable_attr(0)->set_int64_val(1'000'000);
    node.set_id(9);
    auto text = GraphMaker().AllReduce(4000, {}).Text();
    AppendChakra(node, text);
    ExpectTold(ImportText(text),
               {"nodes have num_ops, which say what they compute, and no duration_micros"});
}

TEST(ChakraTraining, RefusesCirclesAndWhatIsMissing)
{
    EXPECT_THAT(
        RefusalOf(GraphMaker().Compute("a", 1, {1}).Compute("b", 1, {0}).AllReduce(4, {1}).Text()),
        testing::HasSubstr("circle, which node 0 'a'"));
    EXPECT_THAT(RefusalOf(GraphMaker().Compute("a", 1, {0}).AllReduce(4, {0}).Text()),
                testing::HasSubstr("circle, which node 0 'a'"));
    const auto missing = GraphMaker().Compute("a", 1, {9}).AllReduce(4, {0}).Text();
    EXPECT_THAT(RefusalOf(missing), testing::HasSubstr("node 0 'a' needs node 9"));
    EXPECT_EQ(RefusalOf(missing, Lenient()), "");
    EXPECT_THAT(RefusalOf(GraphMaker().Compute("a", 1, {}).Text()),
                testing::HasSubstr("nothing to import"));
    EXPECT_THAT(
        RefusalOf(GraphMaker().Compute("COMP_NODE_a_BWD_WG", 1, {}).AllReduce(4, {}).Text()),
        testing::HasSubstr("ASTRA-sim"));
    EXPECT_THAT(RefusalOf(GraphMaker().Compute("a", UINT64_MAX, {}).AllReduce(4, {}).Text()),
                testing::HasSubstr("takes longer"));
}

/* Integers of any kind, and what INCA has no use for. */
TEST(ChakraFile, ReadsWhatOthersWrite)
{
    chakra::GlobalMetadata metadata;
    chakra::Node message;
    message.set_id(5);
    message.set_name("sum\xff"); // no UTF-8
    message.set_type(chakra::COMM_COLL_NODE);
    message.add_ctrl_deps(1);
    message.add_data_deps(400);
    message.set_start_time_micros(9);
    const auto add = [&message](const char* name) {
        auto* attribute = message.add_attr();
        attribute->set_name(name);
        return attribute;
    };
    add("comm_type")->set_uint64_val(7);
    add("comm_size")->set_int32_val(4096);
    add("is_cpu_op")->set_bool_val(true);
    add("pg_name")->set_string_val("2");
    add("comm_tag")->set_uint32_val(11);
    add("rf_id")->set_int64_val(-1);
    add("unheard_of")->set_string_val("x");
    std::string text;
    AppendChakra(metadata, text);
    AppendChakra(message, text);
    EXPECT_TRUE(IsChakra(text));
    EXPECT_THAT(RefusalOf(text), testing::HasSubstr("node 5 'sum?' needs node 1"));
    const auto imported = ImportText(text, Lenient());
    EXPECT_EQ(LayersOf(imported), "gradient-1 1024: 0 0 0");
    ExpectTold(imported, {"a reduce-scatter of gradients is exchanged as an all-reduce"});
}

TEST(ChakraFile, RefusesWhatItDoesNotKnow)
{
    const auto textOf = [](int type, const std::string& version, std::int64_t size) {
        chakra::GlobalMetadata metadata;
        metadata.set_version(version);
        chakra::Node message;
        message.set_id(6);
        message.set_type(static_cast<chakra::NodeType>(type));
        auto* attribute = message.add_attr();
        attribute->set_name("comm_size");
        attribute->set_int64_val(size);
        attribute = message.add_attr();
        attribute->set_name("comm_type");
        attribute->set_int64_val(0);
        std::string text;
        AppendChakra(metadata, text);
        AppendChakra(message, text);
        return text;
    };
    EXPECT_EQ(RefusalOf(textOf(7, "0.0.4", 40)), "");
    EXPECT_THAT(RefusalOf(textOf(7, "0.0.4", -40)), testing::HasSubstr("file: node 6: comm_size:"));
    EXPECT_THAT(RefusalOf(textOf(11, "0.0.4", 40)),
                testing::HasSubstr("file: node 6: type: unknown '11'"));
    EXPECT_THAT(RefusalOf(textOf(0, "0.0.4", 40)), testing::HasSubstr("type: unknown '0'"));
    EXPECT_THAT(RefusalOf(textOf(7, "7.1", 40)), testing::HasSubstr("version: unknown '7.1'"));
    EXPECT_EQ(RefusalOf(textOf(7, "7.1", 40), Lenient()), "");
}

/* Two iterations, told apart by their forward passes: backward takes 6 and 8, of which the lower is taken. */
TEST(ChakraTraining, TakesMediansOfIterations)
{
    const auto imported = ImportText(GraphMaker()
                                         .Compute("## forward ##", 3, {})
                                         .Compute("b", 6, {})
                                         .AllReduce(40, {})
                                         .Compute("## forward ##", 3, {})
                                         .Compute("b", 8, {})
                                         .AllReduce(40, {})
                                         .Text());
    EXPECT_EQ(LayersOf(imported), "gradient-1 10: 3 6 0"); // of fp32
    EXPECT_EQ(imported.report.bytesIn, 40U);
}

} // namespace inca
