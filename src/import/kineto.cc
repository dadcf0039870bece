/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/printable.h"
#include "import/json-records.h"
#include "import/torch-collective.h"
#include "import/torch-recording.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace inca
{

namespace
{

constexpr double NS_PER_US = 1000;
constexpr std::size_t MOST_DEVICES = 1'000;
constexpr std::size_t MOST_LAUNCHES = 10'000'000;

/** What an event's category makes of it. */
enum class EventClass
{
    OPERATOR, ///< of PyTorch on the CPU, or a range of the user's
    DEVICE,   ///< work of a GPU
    LAUNCH,   ///< a call of its driver
    OTHER,
};

EventClass
ClassOf(const std::string& category)
{
    static const std::map<std::string, EventClass> classes{
        {"cpu_op", EventClass::OPERATOR},
        {"Operator", EventClass::OPERATOR}, // as older profiles write it
        {"user_annotation", EventClass::OPERATOR},
        {"kernel", EventClass::DEVICE},
        {"Kernel", EventClass::DEVICE},
        {"gpu_memcpy", EventClass::DEVICE},
        {"Memcpy", EventClass::DEVICE},
        {"gpu_memset", EventClass::DEVICE},
        {"Memset", EventClass::DEVICE},
        {"cuda_runtime", EventClass::LAUNCH},
        {"cuda_driver", EventClass::LAUNCH},
        {"Runtime", EventClass::LAUNCH},
        {"privateuse1_runtime", EventClass::LAUNCH},
        {"xpu_runtime", EventClass::LAUNCH}};
    const auto found = classes.find(category);
    return found == classes.end() ? EventClass::OTHER : found->second;
}

/** By NCCL's and RCCL's names, or by what the profiler says of it. */
bool
IsCollectiveKernel(const std::string& name, const Json* args)
{
    std::string lower;
    for (const auto letter : name.substr(0, 40))
    {
        lower.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(letter))));
    }
    return lower.find("nccl") != std::string::npos || lower.find("rccl") != std::string::npos ||
           (args != nullptr && FindMember(*args, KINETO_KEYS.name) != nullptr);
}

/** When an event was. (ns) */
struct Span
{
    std::int64_t begin;
    std::int64_t end;
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
        if (m_usedDevices.size() == 1 && m_usedDevices.begin()->first < m_devices.size())
        {
            m_recording.device = m_devices[m_usedDevices.begin()->first];
        }
        if (m_usedDevices.size() > 1)
        {
            m_report.Warn(
                "one process used several GPUs: their work is taken for that of one worker");
        }
        UseKernelsCollectives();
        m_recording.names = m_names.Names();
        SortRecording(m_recording);
        return std::move(m_recording);
    }

  private:
    void TakeEvent(const JsonPlace& place, const Json& event)
    {
        if (!event.is_object())
        {
            place.Refuse("", "must be an event");
        }
        const auto phase = TextMember(event, "ph");
        if (phase != "X")
        {
            static const std::string known = "MsftibneC";
            if (phase.size() != 1 || known.find(phase) == std::string::npos)
            {
                m_report.Doubt(place.file + ":" + std::to_string(place.line) + ": " + place.Text() +
                               ".ph: unknown '" + Printable(phase.substr(0, 40)) + "'");
            }
            m_report.LeaveOut("event of phase " + Printable(phase.substr(0, 4)),
                              "names, arrows and instants have no duration");
            return;
        }
        auto category = TextMember(event, "cat");
        if (category.empty() && TextMember(event, "pid") == "CPU functions")
        {
            category = "cpu_op"; // of a PyTorch that was built without Kineto, as Debian's is
        }
        m_report.Read("event " + Printable(category.substr(0, 40)));
        const auto span = SpanOf(place, event);
        switch (ClassOf(category))
        {
        case EventClass::OPERATOR:
            TakeOperator(place, event, span);
            break;
        case EventClass::DEVICE:
            TakeDeviceWork(place, event, span);
            break;
        case EventClass::LAUNCH:
            TakeLaunch(place, event, span);
            break;
        case EventClass::OTHER:
            m_report.LeaveOut("event " + Printable(category.substr(0, 40)),
                              "neither an operator nor work of a GPU");
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
        const auto kind = MarkOfName(name);
        if (!kind)
        {
            TakeForwardOperator(place, args, sequence, span);
            return;
        }
        TorchMark mark;
        mark.kind = *kind;
        mark.begin = span.begin;
        mark.end = span.end;
        mark.name = m_names.IndexOf(name);
        mark.sequence = sequence.value_or(-1);
        const auto* shapes = args == nullptr ? nullptr : FindMember(*args, "Input Dims");
        shapes = shapes == nullptr && args != nullptr ? FindMember(*args, "Input dims") : shapes;
        if (shapes != nullptr && shapes->is_array() && !shapes->empty())
        {
            mark.elements = ElementsOfShape(shapes->front());
            const auto* types = FindMember(*args, "Input type");
            const bool hasType = types != nullptr && types->is_array() && !types->empty() &&
                                 types->front().is_string();
            mark.type = m_names.IndexOf(hasType ? types->front().get<std::string>() : "");
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

    /** Remembers when the operator of a later NODE began. */
    void TakeForwardOperator(const JsonPlace& place,
                             const Json* args,
                             std::optional<std::int64_t> sequence,
                             const Span& span)
    {
        if (!sequence || *sequence < 0 ||
            IntegerMember(place, *args, "Fwd thread id").value_or(0) != 0)
        {
            return;
        }
        const auto [found, isNew] = m_recording.forwardBegins.emplace(*sequence, span.begin);
        found->second = isNew ? span.begin : std::min(found->second, span.begin);
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
    std::vector<std::pair<TorchMark, TorchCollective>> m_kernelMarks;
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
