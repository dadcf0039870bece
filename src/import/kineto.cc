/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/printable.h"
#include "import/torch-recording.h"

#include <algorithm>
#include <set>

namespace inca
{

namespace
{

constexpr std::size_t MOST_DEVICES = 1'000;
constexpr std::size_t MOST_LAUNCHES = 10'000'000;
constexpr std::size_t MOST_SHOWN = 40;
constexpr TorchCollectiveKeys KEYS{
    "Collective name", "dtype", "In msg nelems", "Process Group Name", "Group size"};

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
    const auto lower = NormalisedCollective(name.substr(0, MOST_SHOWN));
    return lower.find("nccl") != std::string::npos || lower.find("rccl") != std::string::npos ||
           FindMember(args, KEYS.name) != nullptr;
}

class KinetoReader
{
  public:
    KinetoReader(const std::string& file, ImportReport& report)
        : m_report(report),
          m_recorder(file, true, KEYS, report)
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
            m_report.Doubt(place.Prefix("ph") + "unknown phase of an event '" +
                           Printable(phase.substr(0, MOST_SHOWN)) + "'");
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
        const auto shown = "event " + Printable(category.substr(0, MOST_SHOWN));
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
ReadKineto(ByteSource& source, ImportReport& report)
{
    KinetoReader reader(source.Name(), report);
    ReadJsonPieces(source,
                   [&](const JsonPlace& place, const Json& piece) { reader.Take(place, piece); });
    return reader.Finish();
}

} // namespace inca
