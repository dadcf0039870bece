/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/printable.h"
#include "import/collective-times.h"
#include "import/element-type.h"
#include "import/json-members.h"
#include "import/json-stream.h"
#include "import/kineto-event.h"
#include "import/module-names.h"
#include "import/torch-collective.h"
#include "import/torch-recording.h"

#include <algorithm>
#include <map>
#include <utility>

namespace inca
{

namespace
{

constexpr double NS_PER_US = 1000;
constexpr std::size_t MOST_DEVICES = 1'000;
constexpr std::size_t MOST_LAUNCHES = 10'000'000;

/** When an event was. (ns) */
struct Span
{
    std::int64_t begin;
    std::int64_t end;
};

/** What a backend was told: "gloo:all_reduce". */
struct BackendCall
{
    std::string collective; ///< normalised
    TorchMark mark;
    bool onCpu; ///< so its mark lasts as long as it does
};

class KinetoReader
{
  public:
    KinetoReader(const std::string& file, ImportReport& report)
        : m_report(report)
    {
        m_recording.file = file;
        m_recording.hasTimes = true;
    }

    void Take(const JsonPlace& place, const Json& piece)
    {
        if (place.element && (place.key == "traceEvents" || place.key.empty()))
        {
            TakeEvent(place, piece);
            RequireSize(m_recording);
        }
        else if (place.key == "deviceProperties" && place.element)
        {
            m_devices.resize(std::min(m_devices.size() + 1, MOST_DEVICES));
            m_devices.back() = TextMember(piece, "name");
        }
        else if (place.key == "distributedInfo")
        {
            m_recording.worldSize = CountMember(place, piece, "world_size");
        }
        else
        {
            m_report.LeaveOut("metadata " + Printable(place.key.substr(0, 60)),
                              "describes the profile"); // whoever profiles may add some
        }
    }

    TorchRecording Finish()
    {
        for (auto& [work, correlation] : m_launched)
        {
            const auto launch = m_launches.find(correlation);
            m_recording.work[work].launch =
                launch == m_launches.end() ? m_recording.work[work].begin
                                           : std::min(launch->second, m_recording.work[work].begin);
        }
        for (const auto index : m_collectiveWork)
        {
            const auto& work = m_recording.work[index];
            m_recording.runs.push_back({work.launch, work.begin, work.end});
        }
        if (m_usedDevices.size() == 1 && m_usedDevices.begin()->first < m_devices.size())
        {
            m_recording.device = m_devices[m_usedDevices.begin()->first];
        }
        if (m_usedDevices.size() > 1)
        {
            m_report.Warn(
                "one process used several GPUs: their work is taken for that of one worker");
        }
        UseBackends();
        UseKernelsCollectives();
        m_recording.names = m_names.Names();
        SortRecording(m_recording);
        TimeCollectives(m_recording);
        NameForwards(m_recording, std::move(m_modules));
        if (m_otherArgs > 0)
        {
            m_report.LeaveOut(
                "other arg of events", "says nothing of sizes, times or order", 0, m_otherArgs);
        }
        return std::move(m_recording);
    }

  private:
    void TakeEvent(const JsonPlace& place, const Json& event)
    {
        if (!event.is_object())
        {
            place.Refuse("", "must be an event");
        }
        for (const auto& [key, value] : event.get_ref<const Json::object_t&>())
        {
            const auto& known = KinetoEventKeys();
            if (std::find(known.begin(), known.end(), key) == known.end())
            {
                m_report.Unknown(place.Prefix(""), "key of an event", key, known);
            }
        }
        const auto phase = TextMember(event, "ph");
        if (phase == "X")
        {
            TakeWhole(place, event);
        }
        else if (IsPhaseWithoutDuration(phase))
        {
            m_report.LeaveOut("event of phase " + phase,
                              "names, arrows and instants have no duration");
        }
        else
        {
            m_report.Unknown(place.Prefix("ph"), "phase of an event", phase, {"X", "M", "s", "f"});
        }
    }

    /** One that says when it began and how long it took. */
    void TakeWhole(const JsonPlace& place, const Json& event)
    {
        auto category = TextMember(event, "cat");
        if (category.empty() && TextMember(event, "pid") == "CPU functions")
        {
            category = "cpu_op"; // of a PyTorch that was built without Kineto, as Debian's is
        }
        m_report.Read("event " + Printable(category.substr(0, 40)));
        const auto span = SpanOf(place, event);
        const auto* args = FindMember(event, "args");
        m_otherArgs += args == nullptr ? 0 : CountOtherArgs(*args);
        const auto kind = KinetoClassOf(category);
        if (!kind)
        {
            m_report.Unknown(
                place.Prefix("cat"), "category of an event", category, KinetoCategories());
            return;
        }
        switch (*kind)
        {
        case KinetoClass::OPERATOR:
            TakeOperator(place, event, span);
            break;
        case KinetoClass::DEVICE:
            TakeDeviceWork(place, event, span);
            break;
        case KinetoClass::LAUNCH:
            TakeLaunch(place, event, span);
            break;
        case KinetoClass::PYTHON:
            TakePythonCall(place, event, span);
            break;
        case KinetoClass::OTHER:
            m_report.LeaveOut("event " + category, "neither an operator nor work of a GPU");
            break;
        }
    }

    static Span SpanOf(const JsonPlace& place, const Json& event)
    {
        const auto begin = TimeMember(place, event, "ts", NS_PER_US);
        const auto duration = TimeMember(place, event, "dur", NS_PER_US);
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
        return {*begin, *begin + *duration};
    }

    void TakeOperator(const JsonPlace& place, const Json& event, const Span& span)
    {
        ++m_recording.cpuEvents;
        const auto name = TextMember(event, "name");
        const auto* args = FindMember(event, "args");
        const auto sequence =
            args == nullptr ? std::nullopt : IntegerMember(place, *args, "Sequence number");
        const auto backend = CollectiveOfBackend(name);
        const auto kind = backend.empty() ? MarkOfName(name) : TorchMark::Kind::COLLECTIVE;
        if (!kind)
        {
            TakeForwardOperator(place, event, sequence, span);
            return;
        }
        TorchMark mark;
        mark.kind = *kind;
        mark.begin = span.begin;
        mark.end = span.end;
        mark.name = m_names.IndexOf(name);
        mark.sequence = sequence.value_or(-1);
        const auto isTensor = TakeShape(args, mark);
        if (*kind == TorchMark::Kind::GRADIENT && !isTensor)
        {
            m_report.LeaveOut("sparse gradient", "of an embedding: all-reduces do not take it");
            return;
        }
        if (!backend.empty())
        {
            TakeBackend(name, backend, mark);
            return;
        }
        if (*kind == TorchMark::Kind::COLLECTIVE)
        {
            auto collective =
                TorchCollectiveOf(place, args == nullptr ? Json() : *args, KINETO_KEYS, m_report);
            if (!collective)
            {
                return;
            }
            mark.collective = m_recording.collectives.size();
            m_recording.collectives.push_back(std::move(*collective));
        }
        m_recording.marks.push_back(mark);
    }

    /** @return whether there is none, or one of a tensor */
    bool TakeShape(const Json* args, TorchMark& mark)
    {
        const auto* shapes = args == nullptr ? nullptr : FindMember(*args, "Input Dims");
        shapes = shapes == nullptr && args != nullptr ? FindMember(*args, "Input dims") : shapes;
        if (shapes == nullptr || !shapes->is_array() || shapes->empty())
        {
            return true;
        }
        mark.elements = ElementsOfShape(shapes->front());
        mark.rowElements = ElementsOfRow(shapes->front());
        const auto* types = FindMember(*args, "Input type");
        const bool hasType =
            types != nullptr && types->is_array() && !types->empty() && types->front().is_string();
        const auto type = hasType ? types->front().get<std::string>() : "";
        mark.type = m_names.IndexOf(type);
        return !hasType || !IsNoTensor(shapes->front(), type);
    }

    /** What the backend does, or, if that is the GPU's, is told to do. */
    void TakeBackend(const std::string& name, const std::string& collective, const TorchMark& mark)
    {
        const bool onCpu = name.rfind("gloo:", 0) == 0 || name.rfind("mpi:", 0) == 0;
        if (onCpu)
        {
            m_recording.runs.push_back({mark.begin, mark.begin, mark.end});
        }
        m_backends.push_back({collective, mark, onCpu});
        if (m_backends.size() > MOST_LAUNCHES)
        {
            throw InputError(m_recording.file + ": more than 10 million collectives; record fewer "
                                                "steps");
        }
    }

    /** Where PyTorch itself does not say what is exchanged, its backend does, and if but how often. */
    void UseBackends()
    {
        if (!m_recording.collectives.empty())
        {
            return;
        }
        const auto names = m_names.Names();
        for (auto& call : m_backends)
        {
            const auto type =
                call.mark.elements > 0 ? FindElementType(names[call.mark.type]) : std::nullopt;
            call.mark.collective = m_recording.collectives.size();
            m_recording.collectives.push_back(
                {call.collective,
                 type ? type->name : "",
                 "",
                 0,
                 call.mark.elements,
                 call.mark.elements * (type ? type->bytes : 0),
                 call.onCpu ? std::optional(call.mark.end - call.mark.begin) : std::nullopt});
            m_recording.marks.push_back(call.mark);
        }
    }

    /** Python's own calls name modules. */
    void TakePythonCall(const JsonPlace& place, const Json& event, const Span& span)
    {
        const auto module = ModuleOfCall(TextMember(event, "name"));
        if (module.empty())
        {
            m_report.LeaveOut("event python_function", "only those of modules are taken");
            return;
        }
        m_report.Read("call of a module");
        m_modules.push_back({ThreadOf(event), span.begin, span.end, module});
        if (m_modules.size() > MOST_LAUNCHES)
        {
            place.Refuse("", "more than 10 million calls of modules; record fewer steps");
        }
    }

    std::uint32_t ThreadOf(const Json& event)
    {
        const auto* thread = FindMember(event, "tid");
        return m_threads.IndexOf(thread == nullptr ? "" : thread->dump());
    }

    /** Remembers when the operator of a later NODE began, and of which module it is. */
    void TakeForwardOperator(const JsonPlace& place,
                             const Json& event,
                             std::optional<std::int64_t> sequence,
                             const Span& span)
    {
        const auto* args = FindMember(event, "args");
        if (!sequence || *sequence < 0 ||
            IntegerMember(place, *args, "Fwd thread id").value_or(0) != 0)
        {
            return;
        }
        const auto [found, isNew] = m_recording.forwards.emplace(*sequence, ForwardOperator());
        if (isNew || span.begin < found->second.begin)
        {
            found->second = {span.begin,
                             ThreadOf(event),
                             ModuleOfHierarchy(TextMember(*args, "Module Hierarchy"))};
        }
    }

    void TakeDeviceWork(const JsonPlace& place, const Json& event, const Span& span)
    {
        const auto* args = FindMember(event, "args");
        DeviceWork work;
        work.launch = span.begin;
        work.begin = span.begin;
        work.end = span.end;
        work.isCollective = IsCollectiveKernel(TextMember(event, "name"), args);
        const auto correlation =
            args == nullptr ? std::nullopt : IntegerMember(place, *args, "correlation");
        if (correlation)
        {
            m_launched.emplace_back(m_recording.work.size(), *correlation);
        }
        const auto device = args == nullptr ? std::nullopt : CountMember(place, *args, "device");
        if (device)
        {
            ++m_usedDevices[*device];
        }
        if (work.isCollective)
        {
            TakeKernelsCollective(place, args, span);
            m_collectiveWork.push_back(m_recording.work.size());
        }
        m_recording.work.push_back(work);
    }

    /** Newer profiles say of the kernel, too, what it moves: of use where no operator does. */
    void TakeKernelsCollective(const JsonPlace& place, const Json* args, const Span& span)
    {
        if (args == nullptr || FindMember(*args, KINETO_KEYS.elements) == nullptr)
        {
            return;
        }
        ImportReport ignored(true);
        auto collective = TorchCollectiveOf(place, *args, KINETO_KEYS, ignored);
        if (collective)
        {
            TorchMark mark;
            mark.kind = TorchMark::Kind::COLLECTIVE;
            mark.begin = span.begin;
            mark.end = span.end;
            collective->ns = span.end - span.begin;
            m_kernelMarks.emplace_back(mark, std::move(*collective));
        }
    }

    void UseKernelsCollectives()
    {
        if (!m_recording.collectives.empty() || m_kernelMarks.empty())
        {
            return;
        }
        for (auto& [mark, collective] : m_kernelMarks)
        {
            mark.collective = m_recording.collectives.size();
            mark.name = m_names.IndexOf("kernel");
            m_recording.collectives.push_back(std::move(collective));
            m_recording.marks.push_back(mark);
        }
        m_report.Assume("collectives are those of the kernels: no operator names them");
    }

    void TakeLaunch(const JsonPlace& place, const Json& event, const Span& span)
    {
        const auto* args = FindMember(event, "args");
        const auto correlation =
            args == nullptr ? std::nullopt : IntegerMember(place, *args, "correlation");
        if (correlation)
        {
            m_launches.emplace(*correlation, span.begin);
            if (m_launches.size() > MOST_LAUNCHES)
            {
                place.Refuse("", "more than 10 million calls of a driver; record fewer steps");
            }
        }
    }

    ImportReport& m_report;
    TorchRecording m_recording;
    NameTable m_names;
    std::vector<std::string> m_devices;
    std::map<std::uint64_t, std::uint64_t> m_usedDevices; ///< pieces of work by device
    std::unordered_map<std::int64_t, std::int64_t> m_launches;
    std::vector<std::pair<std::size_t, std::int64_t>> m_launched; ///< work and its correlation
    std::vector<std::size_t> m_collectiveWork;                    ///< of the recording's work
    std::vector<std::pair<TorchMark, TorchCollective>> m_kernelMarks;
    std::vector<BackendCall> m_backends;
    std::vector<ModuleCall> m_modules;
    NameTable m_threads;
    std::uint64_t m_otherArgs{0};
};

} // namespace

TorchRecording
ReadKineto(ByteSource& source, ImportReport& report)
{
    KinetoReader reader(source.Name(), report);
    ReadJsonPieces(source, false, [&](const JsonPlace& place, const Json& piece) {
        reader.Take(place, piece);
    });
    return reader.Finish();
}

} // namespace inca
