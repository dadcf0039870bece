/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/chakra-protobuf.h"
#include "import/protobuf.h"

#include "base/input-file.h"
#include "base/whole-file.h"
#include "support/own-path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace inca
{

namespace
{

/** As much of Chakra's et_def.proto as INCA reads, by its numbers. */
constexpr const char* PROTO = R"(
syntax = "proto3";
package ChakraProtoMsg;
message Attribute {
  string name = 1;
  oneof value { int32 int32_val = 7; int64 int64_val = 9; uint64 uint64_val = 13; sint64 sint64_val = 17;
                fixed64 fixed64_val = 21; bool bool_val = 27; string string_val = 29; }
}
message Node {
  uint64 id = 1; string name = 2; int32 type = 3;
  repeated uint64 ctrl_deps = 4; repeated uint64 data_deps = 5;
  uint64 start_time_micros = 6; uint64 duration_micros = 7;
  repeated Attribute attr = 10;
}
)";

/** Protocol Buffers' own compiler, which knows the format better than we do. */
class ChakraProtoc : public testing::Test
{
  protected:
    void SetUp() override
    {
        std::filesystem::create_directories(m_folder);
        WriteWholeFile(m_folder + "/et.proto", PROTO);
    }

    void TearDown() override
    {
        std::filesystem::remove_all(m_folder);
    }

    /** @param action "--decode" or "--encode" @return what protoc makes of @p input */
    std::string Protoc(const std::string& action, const std::string& input) const
    {
        WriteWholeFile(m_folder + "/in", input);
        const auto command = "cd " + m_folder + " && protoc " + action +
                             "=ChakraProtoMsg.Node et.proto < in > out 2> complaint";
        EXPECT_EQ(std::system(command.c_str()), 0)
            << "needs Debian's protobuf-compiler (tools/packages test): "
            << ReadInputFile(m_folder + "/complaint", 1U << 20U, "");
        return ReadInputFile(m_folder + "/out", 1U << 20U, "");
    }

    std::string m_folder = OwnPath();
};

} // namespace

TEST_F(ChakraProtoc, ReadsWhatIncaWrites)
{
    ChakraGraph graph;
    auto& node = graph.nodes.emplace_back();
    node.id = 300;
    node.name = "send";
    node.type = ChakraType::COMM_SEND;
    node.dataDeps = {1, 299};
    node.duration = 12;
    node.onCpu = false;
    node.commSize = 1U << 20U;
    node.commSource = 0;
    node.commDestination = 3;
    node.commTag = 7;
    const auto whole = FormatChakra(graph);
    auto text = std::string_view(whole).substr(3); // GlobalMetadata: its length 2, an empty version
    const auto size = TakeVarint(text);
    ASSERT_EQ(size, text.size());
    EXPECT_EQ(
        Protoc("--decode", std::string(text)),
        "id: 300\nname: \"send\"\ntype: 5\ndata_deps: 1\ndata_deps: 299\nduration_micros: 12\n"
        "attr {\n  name: \"is_cpu_op\"\n  bool_val: false\n}\n"
        "attr {\n  name: \"comm_size\"\n  int64_val: 1048576\n}\n"
        "attr {\n  name: \"comm_src\"\n  int32_val: 0\n}\n"
        "attr {\n  name: \"comm_dst\"\n  int32_val: 3\n}\n"
        "attr {\n  name: \"comm_tag\"\n  int32_val: 7\n}\n");
}

/* Integers of any kind, and dependencies packed, as protoc packs them. */
TEST_F(ChakraProtoc, WritesWhatIncaReads)
{
    const auto message = Protoc(
        "--encode",
        "id: 5 name: 'sum' type: 7 ctrl_deps: [1, 2] data_deps: [3, 400] start_time_micros: 9\n"
        "attr { name: 'comm_type' sint64_val: 7 } attr { name: 'comm_size' fixed64_val: 4096 }\n"
        "attr { name: 'is_cpu_op' bool_val: true } attr { name: 'pg_name' string_val: '2' }\n"
        "attr { name: 'comm_tag' uint64_val: 11 } attr { name: 'rf_id' int64_val: -1 }");
    std::string file(1, '\0'); // an empty GlobalMetadata
    file.push_back(static_cast<char>(message.size()));
    ASSERT_LT(message.size(), 128U);
    ByteSource source("x.et", file + message);
    ImportReport report;
    const auto graph = ReadChakraProtobuf(source, report);
    ASSERT_EQ(graph.nodes.size(), 1U);
    const auto& node = graph.nodes.front();
    EXPECT_EQ(node.id, 5U);
    EXPECT_EQ(node.name, "sum");
    EXPECT_EQ(node.type, ChakraType::COMM_COLL);
    EXPECT_EQ(node.controlDeps, (std::vector<std::uint64_t>{1, 2}));
    EXPECT_EQ(node.dataDeps, (std::vector<std::uint64_t>{3, 400}));
    EXPECT_EQ(node.start, 9U);
    EXPECT_EQ(node.commType, 7U);
    EXPECT_EQ(node.commSize, 4096U);
    EXPECT_EQ(node.onCpu, true);
    EXPECT_EQ(node.group, "2");
    EXPECT_EQ(node.commTag, 11U);
    EXPECT_THAT(report.Text(), testing::HasSubstr("1 x rf_id"));
}

} // namespace inca
