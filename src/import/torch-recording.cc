/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/torch-recording.h"

#include "base/errors.h"
#include "import/json-pieces.h"
#include "import/recorded-training.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace inca
{

namespace
{

using Kind = TorchMark::Kind;

/** An operator, or a range of the user's, as a record has it. */
struct TorchOperator
{
    std::string name;
    std::int64_t begin{0}; ///< as TorchMark has them @{
    std::int64_t end{0};
    std::int64_t sequence{-1};  ///< @}
    const Json* shape{nullptr}; ///< of its first input; null: unknown
    const Json* type{nullptr};  ///< the same
};

constexpr std::uint64_t MOST_EXCHANGED_ELEMENTS = 1ULL << 50U;
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
        elements = count == 0 || elements > MOST_EXCHANGED_ELEMENTS / count ? 0 : elements * count;
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

/** What PyTorch calls a part of a collective, in a profile and in an execution trace. */
struct CollectiveKey
{
    const char* kineto;
    const char* executionTrace;
};

constexpr CollectiveKey NAME{"Collective name", "collective_name"};
constexpr CollectiveKey ELEMENTS{"In msg nelems", "in_msg_nelems"};
constexpr CollectiveKey GROUP{"Process Group Name", "pg_name"};
constexpr CollectiveKey GROUP_SIZE{"Group size", "pg_size"};

const char*
KeyIn(const Json& members, const CollectiveKey& key)
{
    return FindMember(members, key.kineto) != nullptr ? key.kineto : key.executionTrace;
}

/** @return the collective; nothing if @p members name none, or it only waits or moves nothing */
std::optional<TorchCollective>
CollectiveOf(const JsonPlace& place, const Json& members, ImportReport& report)
{
    const auto text = [&members](const CollectiveKey& key) {
        return TextMember(members, KeyIn(members, key));
    };
    const auto count = [&](const CollectiveKey& key) {
        return CountMember(place, members, KeyIn(members, key)).value_or(0);
    };
    TorchCollective collective;
    collective.name = NormalisedCollective(text(NAME));
    collective.elements = count(ELEMENTS);
    if (collective.elements > MOST_EXCHANGED_ELEMENTS)
    {
        place.Refuse(KeyIn(members, ELEMENTS), "more than 2^50 elements");
    }
    if (collective.name.empty() || collective.elements == 0)
    {
        const auto name = collective.name.empty() ? "collective without a name" : collective.name;
        report.LeaveOut(Excerpt(name), "moves nothing, or has no size");
        return std::nullopt;
    }
    const auto typeName = TextMember(members, "dtype");
    const auto type = FindElementType(typeName);
    if (!type)
    {
        report.Doubt(place.Prefix("dtype") + "unknown type of elements '" + Excerpt(typeName) +
                     "'");
    }
    collective.elementType = type ? type->name : "";
    collective.bytes = collective.elements * (type ? type->bytes : 0);
    collective.group = text(GROUP);
    collective.groupSize = count(GROUP_SIZE);
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

/** Puts a recording together from a record's operators. */
class TorchRecorder
{
  public:
    /** @param hasTimes operators begin and end at times */
    TorchRecorder(const std::string& file, bool hasTimes, ImportReport& report)
        : m_report(report)
    {
        recording.file = file;
        recording.hasTimes = hasTimes;
    }

    /**
     * Takes what marks something, but for a gradient that is sparse and a collective that moves nothing.
     * @param collective says what a collective moves
     * @return whether it is of those that mark anything
     * @throws InputError if a size is none; with a strict report, if a type is unknown
     */
    bool Take(const JsonPlace& place, const TorchOperator& taken, const Json& collective)
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
        mark.name = Kept(taken.name);
        mark.type = Kept(TypeOfTensor(taken.type));
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
        else if (auto found = CollectiveOf(place, collective, m_report))
        {
            Add(mark, std::move(*found));
        }
        return true;
    }

    /** Takes a kernel that does what @p collective says, for where no operator says what is exchanged. */
    void TakeKernel(const JsonPlace& place,
                    std::int64_t begin,
                    std::int64_t end,
                    const Json& collective)
    {
        if (FindMember(collective, KeyIn(collective, ELEMENTS)) == nullptr)
        {
            return;
        }
        ImportReport ignored(true);
        if (auto found = CollectiveOf(place, collective, ignored))
        {
            TorchMark mark;
            mark.kind = Kind::COLLECTIVE;
            mark.begin = begin;
            mark.end = end;
            mark.name = Kept("kernel");
            found->ns = end - begin;
            m_kernels.emplace_back(mark, std::move(*found));
        }
    }

    /** @throws InputError if the recording has more than 10 million of anything */
    void RequireSize() const
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

    /** Sorts what the recording has, and gives collectives their times. */
    TorchRecording Finish()
    {
        UseFallback(m_backends); // PyTorch before 2.1 does not say itself what is exchanged
        if (UseFallback(m_kernels))
        {
            m_report.Assume("collectives are those of the kernels: no operator names them");
        }
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

    TorchRecording recording;

  private:
    /** A collective that counts if none of a better kind is recorded. */
    using Fallback = std::pair<TorchMark, TorchCollective>;

    /** A collective of a backend: what gloo and MPI do themselves, or what NCCL starts on the GPU. */
    void TakeBackend(const std::string& collective,
                     const TorchOperator& taken,
                     const TorchMark& mark)
    {
        const bool onCpu = recording.hasTimes &&
                           (BeginsWith(taken.name, "gloo:") || BeginsWith(taken.name, "mpi:"));
        if (onCpu)
        {
            recording.runs.push_back({mark.begin, mark.begin, mark.end, true});
        }
        if (mark.elements == 0 && !recording.hasTimes)
        {
            return;
        }
        const auto type =
            mark.elements > 0 ? FindElementType(TypeOfTensor(taken.type)) : std::nullopt;
        TorchCollective found;
        found.name = collective;
        found.elementType = type ? type->name : "";
        found.elements = mark.elements;
        found.bytes = mark.elements * (type ? type->bytes : 0);
        found.ns = onCpu ? std::optional(mark.end - mark.begin) : std::nullopt;
        m_backends.emplace_back(mark, std::move(found));
    }

    bool UseFallback(std::vector<Fallback>& fallback)
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

    void Add(TorchMark mark, TorchCollective collective)
    {
        mark.collective = recording.collectives.size();
        recording.collectives.push_back(std::move(collective));
        recording.marks.push_back(mark);
    }

    /** A text that may occur again and again; 200 characters of it. */
    const std::string* Kept(const std::string& name)
    {
        constexpr std::size_t MOST_CHARACTERS = 200;
        return &*recording.names.insert(name.substr(0, MOST_CHARACTERS)).first;
    }

    ImportReport& m_report;
    std::vector<Fallback> m_backends; ///< of collectives that only a backend names
    std::vector<Fallback> m_kernels;
};

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

constexpr std::size_t MOST_DEVICES = 1'000;
constexpr std::size_t MOST_LAUNCHES = 10'000'000;

/** An event that says when it began and how long it took. (ns) */
struct KinetoEvent
{
    const JsonPlace& place;
    const Json& members;
    const Json& args; ///< null: none
    std::int64_t begin;
    std::int64_t end;
};

/** By NCCL's and RCCL's names, or by what the profiler says of it. */
bool
IsCollectiveKernel(const std::string& name, const Json& args)
{
    const auto lower = NormalisedCollective(Excerpt(name));
    return lower.find("nccl") != std::string::npos || lower.find("rccl") != std::string::npos ||
           FindMember(args, NAME.kineto) != nullptr;
}

class KinetoReader
{
  public:
    KinetoReader(const std::string& file, ImportReport& report)
        : m_report(report),
          m_recorder(file, true, report)
    {
    }

    void Take(const JsonPlace& place, const Json& piece)
    {
        if (place.element && (place.key == "traceEvents" || place.key.empty()))
        {
            TakeEvent(place, piece);
            m_recorder.RequireSize();
        }
        else if (place.key == "deviceProperties" && place.element)
        {
            m_devices.resize(std::min(m_devices.size() + 1, MOST_DEVICES));
            m_devices.back() = TextMember(piece, "name");
        }
        else if (place.key == "distributedInfo")
        {
            m_recorder.recording.worldSize = CountMember(place, piece, "world_size");
        }
    }

    TorchRecording Finish()
    {
        auto& recording = m_recorder.recording;
        for (const auto& [index, correlation] : m_launched)
        {
            auto& work = recording.work[index];
            const auto launch = m_launches.find(correlation);
            work.launch =
                launch == m_launches.end() ? work.begin : std::min(launch->second, work.begin);
        }
        for (const auto& work : recording.work)
        {
            if (work.isCollective)
            {
                recording.runs.push_back(work);
            }
        }
        if (m_usedDevices.size() == 1 && *m_usedDevices.begin() < m_devices.size())
        {
            recording.device = m_devices[*m_usedDevices.begin()];
        }
        if (m_usedDevices.size() > 1)
        {
            m_report.Warn(
                "one process used several GPUs: their work is taken for that of one worker");
        }
        return m_recorder.Finish();
    }

  private:
    void TakeEvent(const JsonPlace& place, const Json& event)
    {
        static const std::string withoutDuration = "MsftibneC"; // of Chrome's phases
        if (!event.is_object())
        {
            place.Refuse("", "must be an event");
        }
        const auto phase = TextMember(event, "ph");
        if (phase == "X")
        {
            TakeWhole(place, event);
        }
        else if (phase.size() == 1 && withoutDuration.find(phase) != std::string::npos)
        {
            m_report.LeaveOut("event of phase " + phase,
                              "names, arrows and instants have no duration");
        }
        else
        {
            m_report.Doubt(place.Prefix("ph") + "PyTorch writes no event of phase '" +
                           Excerpt(phase) + "', but another program's timeline may");
        }
    }

    void TakeWhole(const JsonPlace& place, const Json& members)
    {
        static const Json noArgs;
        using Taker = void (KinetoReader::*)(const KinetoEvent&);
        // as libkineto's ActivityType and older profiles name them
        static const std::unordered_map<std::string, Taker> takers{
            {"cpu_op", &KinetoReader::TakeOperator},
            {"Operator", &KinetoReader::TakeOperator},
            {"user_annotation", &KinetoReader::TakeOperator},
            {"kernel", &KinetoReader::TakeDeviceWork},
            {"Kernel", &KinetoReader::TakeDeviceWork},
            {"gpu_memcpy", &KinetoReader::TakeDeviceWork},
            {"Memcpy", &KinetoReader::TakeDeviceWork},
            {"gpu_memset", &KinetoReader::TakeDeviceWork},
            {"Memset", &KinetoReader::TakeDeviceWork},
            {"cuda_runtime", &KinetoReader::TakeLaunch},
            {"cuda_driver", &KinetoReader::TakeLaunch},
            {"hip_runtime", &KinetoReader::TakeLaunch},
            {"Runtime", &KinetoReader::TakeLaunch},
            {"privateuse1_runtime", &KinetoReader::TakeLaunch},
            {"privateuse1_driver", &KinetoReader::TakeLaunch},
            {"xpu_runtime", &KinetoReader::TakeLaunch},
            {"xpu_driver", &KinetoReader::TakeLaunch}};
        auto category = TextMember(members, "cat");
        if (category.empty() && TextMember(members, "pid") == "CPU functions")
        {
            category = "cpu_op"; // of a PyTorch that was built without Kineto, as Debian's is
        }
        const auto shown = "event " + Excerpt(category);
        m_report.Read(shown);
        const auto* args = FindMember(members, "args");
        const auto begin = TimeMember(place, members, "ts");
        const auto duration = TimeMember(place, members, "dur");
        if (!begin || !duration)
        {
            place.Refuse(begin ? "dur" : "ts", "is missing");
        }
        if (*duration < 0)
        {
            place.Refuse("dur", "must be from 0 on, got " + std::to_string(*duration) + " ns");
        }
        if (*begin < 0 || *duration > INT64_MAX / 2 || *begin > INT64_MAX / 2)
        {
            place.Refuse("ts", "must be a time from 0 on that can be counted");
        }
        const KinetoEvent event{
            place, members, args == nullptr ? noArgs : *args, *begin, *begin + *duration};
        const auto taker = takers.find(category);
        if (taker != takers.end())
        {
            (this->*taker->second)(event);
        }
        else
        {
            m_report.LeaveOut(shown, "neither an operator nor work of a GPU");
        }
    }

    void TakeOperator(const KinetoEvent& event)
    {
        TorchOperator taken;
        taken.name = TextMember(event.members, "name");
        taken.begin = event.begin;
        taken.end = event.end;
        taken.sequence = IntegerMember(event.place, event.args, "Sequence number").value_or(-1);
        taken.shape = FirstOfMember(event.args, "Input Dims");
        taken.shape =
            taken.shape == nullptr ? FirstOfMember(event.args, "Input dims") : taken.shape;
        taken.type = FirstOfMember(event.args, "Input type");
        if (!m_recorder.Take(event.place, taken, event.args))
        {
            TakeForwardOperator(event, taken.sequence);
        }
    }

    /** Remembers when the operator of a later NODE began. */
    void TakeForwardOperator(const KinetoEvent& event, std::int64_t sequence)
    {
        if (sequence < 0 ||
            IntegerMember(event.place, event.args, "Fwd thread id").value_or(0) != 0)
        {
            return;
        }
        const auto found = m_recorder.recording.forwards.try_emplace(sequence, event.begin).first;
        found->second = std::min(found->second, event.begin);
    }

    void TakeDeviceWork(const KinetoEvent& event)
    {
        auto& all = m_recorder.recording.work;
        if (const auto correlation = IntegerMember(event.place, event.args, "correlation"))
        {
            m_launched.emplace_back(all.size(), *correlation);
        }
        if (const auto device = CountMember(event.place, event.args, "device"))
        {
            m_usedDevices.insert(*device);
        }
        const bool isCollective = IsCollectiveKernel(TextMember(event.members, "name"), event.args);
        if (isCollective)
        {
            m_recorder.TakeKernel(event.place, event.begin, event.end, event.args);
        }
        all.push_back({event.begin, event.begin, event.end, isCollective});
    }

    void TakeLaunch(const KinetoEvent& event)
    {
        if (const auto correlation = IntegerMember(event.place, event.args, "correlation"))
        {
            m_launches.emplace(*correlation, event.begin);
            if (m_launches.size() > MOST_LAUNCHES)
            {
                event.place.Refuse("",
                                   "more than 10 million calls of a driver; record fewer steps");
            }
        }
    }

    ImportReport& m_report;
    TorchRecorder m_recorder;
    std::vector<std::string> m_devices;
    std::set<std::uint64_t> m_usedDevices;
    std::unordered_map<std::int64_t, std::int64_t> m_launches;
    std::vector<std::pair<std::size_t, std::int64_t>> m_launched; ///< work and its correlation
};

} // namespace

TorchRecording
ReadExecutionTrace(ByteSource& source, ImportReport& report)
{
    TorchRecorder recorder(source.Name(), false, report);
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

TorchRecording
ReadKineto(ByteSource& source, ImportReport& report)
{
    KinetoReader reader(source.Name(), report);
    ReadJsonPieces(source,
                   [&](const JsonPlace& place, const Json& piece) { reader.Take(place, piece); });
    return reader.Finish();
}

} // namespace inca
