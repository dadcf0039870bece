/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/import-text.h"
#include "import/protobuf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/* What INCA does not know in a file is refused, with its place and what would help; a lenient import lists
 * it with its number.                                                                                     */

namespace inca
{

namespace
{

struct UnknownCase
{
    std::string what;
    std::string text;
    std::string refusal; ///< a part of it
    std::string line;    ///< of the lenient import's report
};

/** A node of et_def.proto that sums 4000 bytes, of a type, with one more attribute. */
std::string
ChakraText(std::uint64_t type, const std::string& attribute)
{
    const auto integer = [](const char* name, std::uint64_t value) {
        ProtobufWriter writer;
        writer.Bytes(1, name);
        writer.Varint(9, value);
        return writer.Message();
    };
    ProtobufWriter metadata;
    metadata.Bytes(1, "0.0.4");
    ProtobufWriter other;
    other.Varint(1, 6);
    other.Varint(3, type);
    ProtobufWriter node;
    node.Varint(1, 7);
    node.Varint(3, 7);
    node.Bytes(10, integer("comm_type", 0));
    node.Bytes(10, integer("comm_size", 4000));
    node.Bytes(10, integer(attribute.c_str(), 1));
    return metadata.Delimited() + other.Delimited() + node.Delimited();
}

std::string
Kineto(const std::string& event)
{
    return R"({"traceEvents": [)" + event +
           R"(, {"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "ts": 1, "dur": 1, )"
           R"("args": {"Collective name": "allreduce", "In msg nelems": 10, "dtype": "Float"}}]})";
}

std::string
ExecutionTrace(const std::string& node, const std::string& schema = "1.1.0-chakra.0.0.4")
{
    return R"({"schema": ")" + schema + R"(", "nodes": [)" + node +
           R"(, {"id": 2, "name": "record_param_comms", "attrs": [)"
           R"({"name": "collective_name", "value": "allreduce"}, {"name": "dtype", "value": "Float"},)"
           R"({"name": "in_msg_nelems", "value": 10}]}]})";
}

const std::string WORKLOAD = "1\nfc -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 4 1\n";
const std::string PARAM =
    R"({"comms": "all_reduce", "in_msg_size": 10, "dtype": "float", "pg_id": 0}])";

std::vector<UnknownCase>
Cases()
{
    const std::string event = R"({"ph": "X", "cat": "cpu_op", "name": "x", "ts": 1, "dur": 1)";
    return {
        {"category",
         Kineto(R"({"ph": "X", "cat": "cpu_opp", "name": "x", "ts": 1, "dur": 1})"),
         "file:1: traceEvents[0].cat: unknown 'cpu_opp'; did you mean 'cpu_op'? (no category of an "
         "event that INCA knows; --lenient leaves it out)",
         "1 x category of an event 'cpu_opp', the first at file:1: traceEvents[0].cat"},
        {"phase",
         Kineto(R"({"ph": "B", "name": "x", "ts": 1})"),
         "traceEvents[0].ph: unknown 'B'",
         "1 x phase of an event 'B'"},
        {"event's key",
         Kineto(event + R"(, "duration": 3})"),
         "traceEvents[0]: unknown 'duration'",
         "1 x key of an event 'duration'"},
        {"collective",
         Kineto(R"({"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "ts": 1, "dur": 1, )"
                R"("args": {"Collective name": "allfoo", "In msg nelems": 3, "dtype": "Float"}})"),
         "traceEvents[0].Collective name: unknown 'allfoo'",
         "1 x collective 'allfoo'"},
        {"type of elements",
         Kineto(R"({"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "ts": 1, "dur": 1, )"
                R"("args": {"Collective name": "broadcast", "In msg nelems": 3, "dtype": "Flo"}})"),
         "traceEvents[0].dtype: unknown 'Flo'",
         "1 x type of elements 'Flo'"},
        {"node's key",
         ExecutionTrace(R"({"id": 1, "name": "x", "colour": 1})"),
         "nodes[0]: unknown 'colour'",
         "1 x key of a node 'colour'"},
        {"attribute of an execution trace",
         ExecutionTrace(R"({"id": 1, "name": "x", "attrs": [{"name": "rfid", "value": 1}]})"),
         "nodes[0].attrs: unknown 'rfid'; did you mean 'rf_id'?",
         "1 x attribute of a node 'rfid'"},
        {"schema",
         ExecutionTrace(R"({"id": 1, "name": "x"})", "2.0.0"),
         "schema: unknown '2.0.0'",
         "1 x schema of an execution trace '2.0.0'"},
        {"attribute of Chakra",
         ChakraText(4, "comm_sise"),
         "file: node 7: attr: unknown 'comm_sise'; did you mean 'comm_size'?",
         "1 x attribute of a node 'comm_sise', the first at file: node 7: attr"},
        {"type of a node",
         ChakraText(11, "num_ops"),
         "file: node 6: type: unknown '11'",
         "1 x type of a node '11'"},
        {"missing type of a node",
         ChakraText(0, "num_ops"),
         "file: node 6: type: unknown 'INVALID_NODE'",
         "1 x type of a node 'INVALID_NODE'"},
        {"type of Chakra's JSON",
         R"({"version": "0.0.4"} {"id": "1", "type": "COMP_NOD"} )"
         R"({"id": "2", "type": "COMM_COLL_NODE", "attr": [{"name": "comm_type", "int64Val": "0"},)"
         R"({"name": "comm_size", "int64Val": "40"}]})",
         "file:1: node 1: type: unknown 'COMP_NOD'; did you mean 'COMP_NODE'?",
         "1 x type of a node 'COMP_NOD'"},
        {"key of the feeder's JSON",
         R"({"workload_graph": [{"Id": 1, "NodeType": 7, "comm_type": 0, "comm_size": 40, )"
         R"("color": "red"}]})",
         "file:1: node 1: attr: unknown 'color'",
         "1 x attribute of a node 'color'"},
        {"version of Chakra",
         R"({"version": "7.1"} {"id": "2", "type": "COMM_COLL_NODE", )"
         R"("attr": [{"name": "comm_type", "int64Val": "0"}, {"name": "comm_size", "int64Val": "40"}]})",
         "version: unknown '7.1'",
         "1 x version of Chakra '7.1'"},
        {"key of PARAM",
         R"([{"comms": "wait", "request": 7}, )" + PARAM,
         "[0]: unknown 'request'",
         "1 x key of an element 'request'"},
        {"type of PARAM",
         R"([{"comms": "all_reduce", "in_msg_size": 10, "dtype": "floaty", "pg_id": 0}, )" + PARAM,
         "[0].dtype: unknown 'floaty'",
         "1 x type of elements 'floaty'"},
        {"entry of DDPLoggingData",
         R"({"bucket_sizes": "40", "bucket_colour": 3})",
         "file: unknown 'bucket_colour'",
         "1 x entry of DDPLoggingData 'bucket_colour'"},
        {"key of a header",
         "HYBRID_TRANSFORMER model_parallel_NPU_grup: 4\n" + WORKLOAD,
         "file:1: header: unknown 'model_parallel_NPU_grup'; did you mean",
         "1 x key of a workload's header 'model_parallel_NPU_grup'"},
        {"collective of a workload",
         "DATA\n2\nfc -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 4 1\nx -1 1 SHUFFLE 8 1 NONE 0 1 NONE 0 1\n",
         "file:4: collective: unknown 'SHUFFLE'",
         "1 x collective of a workload 'SHUFFLE', the first at file:4: collective"},
        {"column",
         "layer_index,numel,forward_pass_ns,backward_pass_ns,colour\n0,10,1,1,red\n",
         "file:1: unknown 'colour'",
         "1 x column of SwitchML's models 'colour'"}};
}

} // namespace

TEST(UnknownRecords, AreRefused)
{
    for (const auto& [what, text, refusal, line] : Cases())
    {
        EXPECT_THAT(RefusalOf(text), testing::HasSubstr(refusal)) << what;
        EXPECT_THAT(RefusalOf(text), testing::HasSubstr("--lenient leaves it out")) << what;
    }
}

TEST(UnknownRecords, AreListedWithTheirNumberIfLenient)
{
    for (const auto& [what, text, refusal, line] : Cases())
    {
        ASSERT_EQ(RefusalOf(text, Lenient()), "") << what;
        EXPECT_THAT(ImportText(text, Lenient()).report.UnknownLines(),
                    testing::Contains(testing::HasSubstr(line)))
            << what;
    }
}

TEST(UnknownRecords, AreCountedTogether)
{
    const std::string event = R"({"ph": "X", "cat": "glue", "name": "x", "ts": 1, "dur": 1})";
    const auto lines =
        ImportText(Kineto(event + ", " + event + ", " + event), Lenient()).report.UnknownLines();
    EXPECT_THAT(lines,
                testing::ElementsAre("3 x category of an event 'glue', the first at file:1: "
                                     "traceEvents[0].cat"));
}

/* Whoever writes a file may describe it as he likes. */
TEST(UnknownRecords, AreNotWhatDescribesTheFile)
{
    const auto report =
        ImportText(R"({"my_run": "seven", )" + Kineto(R"({"ph": "M", "name": "x"})").substr(1))
            .report.Text();
    EXPECT_THAT(report, testing::HasSubstr("1 x metadata my_run: describes the profile"));
}

} // namespace inca
