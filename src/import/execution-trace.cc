/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/printable.h"
#include "import/element-type.h"
#include "import/json-records.h"
#include "import/operation-sequence.h"
#include "import/torch-collective.h"
#include "import/torch-recording.h"

#include <utility>
#include <vector>

namespace inca
{

namespace
{

/** A node's attributes, by name: {"name": "pg_size", "value": 2} of the newer schema. */
Json
AttributesOf(const Json& node)
{
    auto attributes = Json::object();
    const auto* list = FindMember(node, "attrs");
    if (list != nullptr && list->is_array())
    {
        for (const auto& attribute : *list)
        {
            const auto* value = FindMember(attribute, "value");
            if (value != nullptr)
            {
                attributes[TextMember(attribute, "name")] = *value;
            }
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

/** @return "allreduce" of "gloo:all_reduce"; empty if @p name is no backend's */
std::string
CollectiveOfBackend(const std::string& name)
{
    for (const auto* backend : {"gloo:", "nccl:", "mpi:", "ucc:"})
    {
        if (name.rfind(backend, 0) == 0)
        {
            return NormalisedCollective(name.substr(name.find(':') + 1));
        }
    }
    return "";
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
        mark.type = m_names.IndexOf(TypeOfTensor(OfFirstInput(node, "types", "input_types")));
        if (!backend.empty())
        {
            TakeBackend(backend, mark);
            return;
        }
        if (*kind == TorchMark::Kind::COLLECTIVE && !TakeCollective(place, node, mark))
        {
            return;
        }
        m_recording.marks.push_back(mark);
        RequireSize(m_recording);
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
                                               mark.elements * (type ? type->bytes : 0)});
            m_recording.marks.push_back(mark);
        }
    }

    bool TakeCollective(const JsonPlace& place, const Json& node, TorchMark& mark)
    {
        const auto attributes = AttributesOf(node);
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
    });
    return reader.Finish();
}

} // namespace inca
