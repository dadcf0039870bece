/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/torch-recording.h"

#include "base/errors.h"
#include "base/printable.h"
#include "import/recorded-training.h"

#include <algorithm>
#include <tuple>

namespace inca
{

namespace
{

using Kind = TorchMark::Kind;

constexpr std::uint64_t MOST_ELEMENTS = 1ULL << 50U;
constexpr std::size_t MOST_RECORDS = 10'000'000;

bool
BeginsWith(const std::string& text, const char* begin)
{
    return text.rfind(begin, 0) == 0;
}

/** @return what a record of that name marks; nothing if it marks nothing */
std::optional<Kind>
MarkOfName(const std::string& name)
{
    constexpr const char* GRADIENT = "torch::autograd::AccumulateGrad";
    static const std::unordered_map<std::string, Kind> whole{
        {"record_param_comms", Kind::COLLECTIVE},
        {"torch::distributed::reducer::mul_out", Kind::COPY},
        {GRADIENT, Kind::GRADIENT},
        {"## forward ##", Kind::FORWARD},
        {"## backward ##", Kind::BACKWARD},
        {"## optimizer ##", Kind::UPDATE},
        {"DistributedDataParallel.forward", Kind::FORWARD},
        {"FullyShardedDataParallel.forward", Kind::FORWARD}};
    if (const auto found = whole.find(name); found != whole.end())
    {
        return found->second;
    }
    if (BeginsWith(name, "ProfilerStep#"))
    {
        return Kind::STEP;
    }
    if (BeginsWith(name, "Optimizer.step#"))
    {
        return Kind::UPDATE;
    }
    if (BeginsWith(name, "autograd::engine::evaluate_function: ") &&
        name.find(GRADIENT) == std::string::npos)
    {
        return Kind::NODE;
    }
    return std::nullopt;
}

/** @return "allreduce" of "gloo:all_reduce"; empty if @p name is no backend's */
std::string
CollectiveOfBackend(const std::string& name)
{
    for (const auto* backend : {"gloo:", "nccl:", "mpi:", "ucc:", "xccl:", "hccl:"})
    {
        if (BeginsWith(name, backend))
        {
            return NormalisedCollective(name.substr(name.find(':') + 1));
        }
    }
    return "";
}

/** Elements of a tensor of @p shape, a list of numbers; 0 if it is none, or unknown. */
std::uint64_t
ElementsOfShape(const Json& shape)
{
    std::uint64_t elements = shape.is_array() ? 1 : 0;
    for (const auto& size : shape)
    {
        const auto count = size.is_number_unsigned() ? size.get<std::uint64_t>() : 0;
        elements = count == 0 || elements > MOST_ELEMENTS / count ? 0 : elements * count;
    }
    return elements;
}

/** "Tensor(float)" is "float", as "float" is. */
std::string
TypeOfTensor(const Json* type)
{
    const auto text = type != nullptr && type->is_string() ? type->get<std::string>() : "";
    const auto begin = text.find('(') + 1;
    return text.substr(begin, text.find(')') - begin);
}

/**
 * @return whether a gradient is no dense tensor, so that nothing sums it with others: of an embedding that
 * makes sparse gradients, PyTorch records neither dimensions nor a type
 */
bool
IsSparse(const TorchOperator& gradient)
{
    if (gradient.shape == nullptr || gradient.type == nullptr || !gradient.type->is_string())
    {
        return false;
    }
    const auto type = gradient.type->get<std::string>();
    return gradient.shape->is_array() && gradient.shape->empty() &&
           (type.empty() || type.find("uninitialized") != std::string::npos);
}

/** @return the collective; nothing if @p members name none, or it only waits or moves nothing */
std::optional<TorchCollective>
CollectiveOf(const JsonPlace& place,
             const Json& members,
             const TorchCollectiveKeys& keys,
             ImportReport& report)
{
    TorchCollective collective;
    collective.name = NormalisedCollective(TextMember(members, keys.name));
    collective.elements = CountMember(place, members, keys.elements).value_or(0);
    if (collective.elements > MOST_ELEMENTS)
    {
        place.Refuse(keys.elements, "more than 2^50 elements");
    }
    if (collective.name.empty() || collective.elements == 0)
    {
        const auto name = collective.name.empty() ? "collective without a name" : collective.name;
        report.LeaveOut(Printable(name.substr(0, 40)), "moves nothing, or has no size");
        return std::nullopt;
    }
    const auto typeName = TextMember(members, keys.type);
    const auto type = FindElementType(typeName);
    if (!type)
    {
        report.Doubt(place.Prefix(keys.type) + "unknown type of elements '" +
                     Printable(typeName.substr(0, 40)) + "'");
    }
    collective.elementType = type ? type->name : "";
    collective.bytes = collective.elements * (type ? type->bytes : 0);
    collective.group = TextMember(members, keys.group);
    collective.groupSize = CountMember(place, members, keys.groupSize).value_or(0);
    return collective;
}

void
SortWork(std::vector<DeviceWork>& work)
{
    std::stable_sort(work.begin(), work.end(), [](const DeviceWork& a, const DeviceWork& b) {
        return std::tie(a.launch, a.begin) < std::tie(b.launch, b.begin);
    });
}

/**
 * Gives a collective that has no time yet that of what was launched while PyTorch started it: from the
 * first's begin to the last's end. Where nothing was launched, it stays without.
 */
void
TimeCollective(const TorchMark& mark,
               const std::vector<DeviceWork>& runs,
               TorchCollective& collective)
{
    auto run = std::lower_bound(runs.begin(),
                                runs.end(),
                                mark.begin,
                                [](const DeviceWork& a, std::int64_t at) { return a.launch < at; });
    std::optional<DeviceWork> whole;
    for (; run != runs.end() && run->launch <= mark.end; ++run)
    {
        whole = whole.value_or(*run);
        whole->begin = std::min(whole->begin, run->begin);
        whole->end = std::max(whole->end, run->end);
    }
    if (whole && !collective.ns)
    {
        collective.ns = whole->end - whole->begin;
    }
}

constexpr TorchCollectiveKeys KEYS{
    "collective_name", "dtype", "in_msg_nelems", "pg_name", "pg_size"};

/** A node's attributes, by name: {"name": "pg_size", "value": 2} of the newer schema. */
Json
AttributesOf(const JsonPlace& place, const Json& node)
{
    auto attributes = Json::object();
    const auto* list = FindMember(node, "attrs");
    if (list != nullptr && !list->is_array())
    {
        place.Refuse("attrs", "must be a list of attributes");
    }
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i)
    {
        const auto& attribute = (*list)[i];
        if (const auto* value = FindMember(attribute, "value"))
        {
            attributes[TextMember(attribute, "name")] = *value;
        }
    }
    return attributes;
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
    const auto* inputs = FindMember(node, "inputs"); // the older schema has none
    const bool isNewer = inputs != nullptr && inputs->is_object();
    taken.shape = isNewer ? FirstOfMember(*inputs, "shapes") : FirstOfMember(node, "input_shapes");
    taken.type = isNewer ? FirstOfMember(*inputs, "types") : FirstOfMember(node, "input_types");
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

} // namespace

TorchRecorder::TorchRecorder(const std::string& file,
                             bool hasTimes,
                             const TorchCollectiveKeys& keys,
                             ImportReport& report)
    : m_report(report),
      m_keys(keys)
{
    recording.file = file;
    recording.hasTimes = hasTimes;
}

bool
TorchRecorder::Take(const JsonPlace& place, const TorchOperator& taken, const Json& collective)
{
    const auto backend = CollectiveOfBackend(taken.name);
    const auto kind = backend.empty() ? MarkOfName(taken.name) : Kind::COLLECTIVE;
    if (!kind)
    {
        return false;
    }
    if (*kind == Kind::GRADIENT && IsSparse(taken))
    {
        m_report.LeaveOut("sparse gradient", "of an embedding: all-reduces do not take it");
        return true;
    }
    TorchMark mark;
    mark.kind = *kind;
    mark.begin = taken.begin;
    mark.end = taken.end;
    mark.sequence = taken.sequence;
    mark.name = m_names.IndexOf(taken.name);
    mark.type = m_names.IndexOf(TypeOfTensor(taken.type));
    mark.elements = taken.shape == nullptr ? 0 : ElementsOfShape(*taken.shape);
    if (mark.elements > 0 && !taken.shape->empty())
    {
        mark.rowElements = mark.elements / taken.shape->front().get<std::uint64_t>();
    }
    if (!backend.empty())
    {
        TakeBackend(backend, taken, mark);
    }
    else if (*kind != Kind::COLLECTIVE)
    {
        recording.marks.push_back(mark);
    }
    else if (auto found = CollectiveOf(place, collective, m_keys, m_report))
    {
        Add(mark, std::move(*found));
    }
    return true;
}

/** What the backend does, or, if that is the GPU's, is told to do. */
void
TorchRecorder::TakeBackend(const std::string& collective,
                           const TorchOperator& taken,
                           const TorchMark& mark)
{
    const bool onCpu =
        recording.hasTimes && (BeginsWith(taken.name, "gloo:") || BeginsWith(taken.name, "mpi:"));
    if (onCpu)
    {
        recording.runs.push_back({mark.begin, mark.begin, mark.end, true});
    }
    if (mark.elements == 0 && !recording.hasTimes)
    {
        return;
    }
    const auto type = mark.elements > 0 ? FindElementType(TypeOfTensor(taken.type)) : std::nullopt;
    TorchCollective found;
    found.name = collective;
    found.elementType = type ? type->name : "";
    found.elements = mark.elements;
    found.bytes = mark.elements * (type ? type->bytes : 0);
    found.ns = onCpu ? std::optional(mark.end - mark.begin) : std::nullopt;
    m_backends.emplace_back(mark, std::move(found));
}

void
TorchRecorder::TakeKernel(const JsonPlace& place,
                          std::int64_t begin,
                          std::int64_t end,
                          const Json& collective)
{
    if (FindMember(collective, m_keys.elements) == nullptr)
    {
        return;
    }
    ImportReport ignored(true);
    if (auto found = CollectiveOf(place, collective, m_keys, ignored))
    {
        TorchMark mark;
        mark.kind = Kind::COLLECTIVE;
        mark.begin = begin;
        mark.end = end;
        mark.name = m_names.IndexOf("kernel");
        found->ns = end - begin;
        m_kernels.emplace_back(mark, std::move(*found));
    }
}

void
TorchRecorder::RequireSize() const
{
    if (std::max({recording.marks.size(),
                  recording.work.size(),
                  recording.forwards.size(),
                  recording.runs.size(),
                  m_backends.size()}) > MOST_RECORDS)
    {
        throw InputError(recording.file + ": more than 10 million operators or kernels; record "
                                          "fewer steps");
    }
}

TorchRecording
TorchRecorder::Finish()
{
    UseFallback(m_backends); // PyTorch before 2.1 does not say itself what is exchanged
    if (UseFallback(m_kernels))
    {
        m_report.Assume("collectives are those of the kernels: no operator names them");
    }
    recording.names = m_names.Names();
    std::stable_sort(recording.marks.begin(),
                     recording.marks.end(),
                     [](const TorchMark& a, const TorchMark& b) { return a.begin < b.begin; });
    SortWork(recording.work);
    SortWork(recording.runs);
    for (const auto& mark : recording.marks)
    {
        if (mark.kind == Kind::COLLECTIVE)
        {
            TimeCollective(mark, recording.runs, recording.collectives[mark.collective]);
        }
    }
    return std::move(recording);
}

bool
TorchRecorder::UseFallback(std::vector<Fallback>& fallback)
{
    const bool isUsed = recording.collectives.empty() && !fallback.empty();
    for (auto& [mark, collective] : fallback)
    {
        if (isUsed)
        {
            Add(mark, std::move(collective));
        }
    }
    return isUsed;
}

void
TorchRecorder::Add(TorchMark mark, TorchCollective collective)
{
    mark.collective = recording.collectives.size();
    recording.collectives.push_back(std::move(collective));
    recording.marks.push_back(mark);
}

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
            const auto schema = ShortText(piece);
            if (schema.rfind("1.0.", 0) != 0 && schema.rfind("1.1.", 0) != 0)
            {
                report.Doubt(place.Prefix("") + "unknown schema of an execution trace '" + schema +
                             "'; known are 1.0 and 1.1");
            }
        }
    });
    return recorder.Finish();
}

} // namespace inca
