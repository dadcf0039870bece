/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/printable.h"
#include "import/element-type.h"
#include "import/json-members.h"
#include "import/json-stream.h"
#include "import/torch-collective.h"
#include "import/torch-recording.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

/** Of ExecutionTraceObserver, 1.0.0 to 1.1.1-chakra.0.0.4. */
const std::vector<std::string> g_attributes{"rf_id",
                                            "fw_parent",
                                            "seq_id",
                                            "scope",
                                            "tid",
                                            "fw_tid",
                                            "op_schema",
                                            "kernel_backend",
                                            "kernel_file",
                                            "kernel_hash",
                                            "tensor_range",
                                            "rank",
                                            "collective_name",
                                            "dtype",
                                            "in_msg_nelems",
                                            "out_msg_nelems",
                                            "in_split_size",
                                            "out_split_size",
                                            "global_rank_start",
                                            "global_rank_stride",
                                            "pg_name",
                                            "pg_desc",
                                            "pg_size",
                                            "pg_ranks",
                                            "src_rank",
                                            "dst_rank",
                                            "is_async",
                                            "is_asynchronized_op",
                                            "seq"};

/** The same, and what Chakra's trace linker adds of a profile. */
const std::vector<std::string> g_nodeKeys{"id",
                                          "name",
                                          "ctrl_deps",
                                          "inputs",
                                          "outputs",
                                          "attrs",
                                          "rf_id",
                                          "parent",
                                          "fw_parent",
                                          "seq_id",
                                          "scope",
                                          "tid",
                                          "fw_tid",
                                          "op_schema",
                                          "input_shapes",
                                          "input_types",
                                          "output_shapes",
                                          "output_types",
                                          "input_strides",
                                          "output_strides",
                                          "inclusive_dur",
                                          "exclusive_dur",
                                          "ts",
                                          "cat",
                                          "ph",
                                          "dur",
                                          "pid",
                                          "stream",
                                          "inter_thread_dep",
                                          "sync_dep",
                                          "sync_dep_to",
                                          "pg_name",
                                          "correlation",
                                          "external_id"};
const std::vector<std::string> g_fileKeys{
    "schema", "pid", "time", "start_ts", "finish_ts", "nodes", "rank", "world_size"};

bool
IsAmong(const std::string& name, const std::vector<std::string>& known)
{
    return std::find(known.begin(), known.end(), name) != known.end();
}

/** A node's attributes, by name: {"name": "pg_size", "value": 2} of the newer schema. */
Json
AttributesOf(const JsonPlace& place, const Json& node, ImportReport& report)
{
    auto attributes = Json::object();
    const auto* list = FindMember(node, "attrs");
    if (list == nullptr)
    {
        return attributes;
    }
    if (!list->is_array())
    {
        place.Refuse("attrs", "must be a list of attributes");
    }
    for (const auto& attribute : *list)
    {
        const auto name = TextMember(attribute, "name");
        const auto* value = FindMember(attribute, "value");
        if (!IsAmong(name, g_attributes))
        {
            report.Unknown(place.Prefix("attrs"), "attribute of a node", name, g_attributes);
        }
        else if (value != nullptr)
        {
            attributes[name] = *value;
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
    const auto* list = inputs != nullptr && inputs->is_object() ? FindMember(*inputs, newer)
                                                                : FindMember(node, older);
    return list != nullptr && list->is_array() && !list->empty() ? &list->front() : nullptr;
}

/** "Tensor(float)" is "float". */
std::string
TypeOfTensor(const Json* type)
{
    const auto text = type != nullptr && type->is_string() ? type->get<std::string>() : "";
    const auto begin = text.find('(') + 1;
    return text.substr(begin, text.find(')') - begin);
}

class ExecutionTraceReader
{
  public:
    ExecutionTraceReader(const std::string& file, ImportReport& report)
        : m_report(report)
    {
        m_recording.file = file;
    }

    void TakeNode(const JsonPlace& place, const Json& node)
    {
        if (!node.is_object())
        {
            place.Refuse("", "must be a node");
        }
        m_report.Read("node");
        for (const auto& [key, value] : node.get_ref<const Json::object_t&>())
        {
            if (!IsAmong(key, g_nodeKeys))
            {
                m_report.Unknown(place.Prefix(""), "key of a node", key, g_nodeKeys);
            }
        }
        const auto attributes = AttributesOf(place, node, m_report);
        const auto name = TextMember(node, "name");
        const auto backend = CollectiveOfBackend(name);
        const auto kind = backend.empty() ? MarkOfName(name) : TorchMark::Kind::COLLECTIVE;
        if (!kind)
        {
            m_report.LeaveOut("node of another operator", "says nothing of gradients");
            return;
        }
        const auto id = IntegerMember(place, node, "id");
        if (!id)
        {
            place.Refuse("id", "is missing");
        }
        TorchMark mark;
        mark.kind = *kind;
        mark.begin = *id;
        mark.end = mark.begin;
        mark.name = m_names.IndexOf(name);
        const auto* shape = OfFirstInput(node, "shapes", "input_shapes");
        mark.elements = shape == nullptr ? 0 : ElementsOfShape(*shape);
        mark.rowElements = shape == nullptr ? 1 : ElementsOfRow(*shape);
        const auto* type = OfFirstInput(node, "types", "input_types");
        mark.type = m_names.IndexOf(TypeOfTensor(type));
        if (*kind == TorchMark::Kind::GRADIENT && shape != nullptr && type != nullptr &&
            type->is_string() && IsNoTensor(*shape, type->get<std::string>()))
        {
            m_report.LeaveOut("sparse gradient", "of an embedding: all-reduces do not take it");
            return;
        }
        if (!backend.empty())
        {
            TakeBackend(backend, mark);
            return;
        }
        if (*kind == TorchMark::Kind::COLLECTIVE && !TakeCollective(place, attributes, mark))
        {
            return;
        }
        m_recording.marks.push_back(mark);
        RequireSize(m_recording);
    }

    /** What the file says beside its nodes. */
    void TakeMember(const JsonPlace& place, const Json& member)
    {
        if (!IsAmong(place.key, g_fileKeys))
        {
            m_report.Unknown(place.Prefix(""), "key of an execution trace", place.key, g_fileKeys);
        }
        else if (place.key == "schema")
        {
            const auto schema = member.is_string() ? member.get<std::string>() : member.dump();
            if (schema.rfind("1.0.", 0) != 0 && schema.rfind("1.1.", 0) != 0)
            {
                m_report.Unknown(place.Prefix(""),
                                 "schema of an execution trace",
                                 schema,
                                 {"1.0.1", "1.0.3-chakra.0.0.4", "1.1.0-chakra.0.0.4"});
            }
        }
        else
        {
            m_report.LeaveOut("member " + place.key, "describes the record");
        }
    }

    TorchRecording Finish()
    {
        UseBackends();
        m_recording.names = m_names.Names();
        SortRecording(m_recording);
        return std::move(m_recording);
    }

  private:
    /** What the backend is told to do, in case nothing else says that it is. */
    void TakeBackend(const std::string& name, const TorchMark& mark)
    {
        if (mark.elements > 0)
        {
            m_backends.emplace_back(name, mark);
            RequireSize(m_recording);
        }
    }

    /** Before PyTorch 2, an execution trace has no record_param_comms. */
    void UseBackends()
    {
        if (!m_recording.collectives.empty())
        {
            return;
        }
        const auto names = m_names.Names();
        for (auto& [name, mark] : m_backends)
        {
            const auto type = FindElementType(names[mark.type]);
            mark.collective = m_recording.collectives.size();
            m_recording.collectives.push_back({name,
                                               type ? type->name : "",
                                               "",
                                               0,
                                               mark.elements,
                                               mark.elements * (type ? type->bytes : 0),
                                               std::nullopt});
            m_recording.marks.push_back(mark);
        }
    }

    bool TakeCollective(const JsonPlace& place, const Json& attributes, TorchMark& mark)
    {
        auto collective = TorchCollectiveOf(place, attributes, EXECUTION_TRACE_KEYS, m_report);
        if (!collective)
        {
            return false;
        }
        mark.collective = m_recording.collectives.size();
        m_recording.collectives.push_back(std::move(*collective));
        return true;
    }

    ImportReport& m_report;
    TorchRecording m_recording;
    NameTable m_names;
    std::vector<std::pair<std::string, TorchMark>> m_backends;
};

} // namespace

TorchRecording
ReadExecutionTrace(ByteSource& source, ImportReport& report)
{
    ExecutionTraceReader reader(source.Name(), report);
    ReadJsonPieces(source, false, [&](const JsonPlace& place, const Json& piece) {
        if (place.key == "nodes" && place.element)
        {
            reader.TakeNode(place, piece);
        }
        else
        {
            reader.TakeMember(place, piece);
        }
    });
    return reader.Finish();
}

} // namespace inca
