/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/torch-recording.h"

namespace inca
{

namespace
{

constexpr TorchCollectiveKeys KEYS{
    "collective_name", "dtype", "in_msg_nelems", "pg_name", "pg_size"};

/** A node's attributes, by name: {"name": "pg_size", "value": 2} of the newer schema. */
Json
AttributesOf(const JsonPlace& place, const Json& node)
{
    static const auto none = Json::array();
    auto attributes = Json::object();
    const auto* list = FindMember(node, "attrs");
    if (list != nullptr && !list->is_array())
    {
        place.Refuse("attrs", "must be a list of attributes");
    }
    for (const auto& attribute : list == nullptr ? none : *list)
    {
        if (const auto* value = FindMember(attribute, "value"))
        {
            attributes[TextMember(attribute, "name")] = *value;
        }
    }
    return attributes;
}

/**
 * Something of a node's first input; null if it has none.
 * @param newer its key in a node's "inputs" @param older its key in the node, as the older schema has it
 */
const Json*
OfFirstInput(const Json& node, const char* newer, const char* older)
{
    const auto* inputs = FindMember(node, "inputs");
    return inputs != nullptr && inputs->is_object() ? FirstOfMember(*inputs, newer)
                                                    : FirstOfMember(node, older);
}

void
TakeNode(const JsonPlace& place, const Json& node, TorchRecorder& recorder, ImportReport& report)
{
    if (!node.is_object())
    {
        place.Refuse("", "must be a node");
    }
    report.Read("node");
    TorchOperator taken;
    taken.name = TextMember(node, "name");
    const auto id = IntegerMember(place, node, "id");
    taken.begin = id.value_or(0);
    taken.end = taken.begin;
    taken.shape = OfFirstInput(node, "shapes", "input_shapes");
    taken.type = OfFirstInput(node, "types", "input_types");
    if (!recorder.Take(place, taken, AttributesOf(place, node)))
    {
        report.LeaveOut("node of another operator", "says nothing of gradients");
    }
    else if (!id)
    {
        place.Refuse("id", "is missing");
    }
    recorder.RequireSize();
}

void
CheckSchema(const JsonPlace& place, const Json& member, ImportReport& report)
{
    const auto schema = ShortText(member);
    if (schema.rfind("1.0.", 0) != 0 && schema.rfind("1.1.", 0) != 0)
    {
        report.Doubt(place.Prefix("") + "unknown schema of an execution trace '" + schema +
                     "'; known are 1.0 and 1.1");
    }
}

} // namespace

TorchRecording
ReadExecutionTrace(ByteSource& source, ImportReport& report)
{
    TorchRecorder recorder(source.Name(), false, KEYS, report);
    ReadJsonPieces(source, [&](const JsonPlace& place, const Json& piece) {
        if (place.key == "nodes" && place.element)
        {
            TakeNode(place, piece, recorder, report);
        }
        else if (place.key == "schema")
        {
            CheckSchema(place, piece, report);
        }
    });
    return recorder.Finish();
}

} // namespace inca
