/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/kineto-event.h"

#include "import/torch-collective.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace inca
{

namespace
{

/** Of libkineto's ActivityType, and of older profiles. */
const std::map<std::string, KinetoClass>&
Classes()
{
    static const std::map<std::string, KinetoClass> classes{
        {"cpu_op", KinetoClass::OPERATOR},
        {"Operator", KinetoClass::OPERATOR}, // as older profiles write it
        {"user_annotation", KinetoClass::OPERATOR},
        {"kernel", KinetoClass::DEVICE},
        {"Kernel", KinetoClass::DEVICE},
        {"gpu_memcpy", KinetoClass::DEVICE},
        {"Memcpy", KinetoClass::DEVICE},
        {"gpu_memset", KinetoClass::DEVICE},
        {"Memset", KinetoClass::DEVICE},
        {"cuda_runtime", KinetoClass::LAUNCH},
        {"cuda_driver", KinetoClass::LAUNCH},
        {"hip_runtime", KinetoClass::LAUNCH},
        {"Runtime", KinetoClass::LAUNCH},
        {"privateuse1_runtime", KinetoClass::LAUNCH},
        {"privateuse1_driver", KinetoClass::LAUNCH},
        {"xpu_runtime", KinetoClass::LAUNCH},
        {"xpu_driver", KinetoClass::LAUNCH},
        {"python_function", KinetoClass::PYTHON},
        {"gpu_user_annotation", KinetoClass::OTHER},
        {"external_correlation", KinetoClass::OTHER},
        {"cpu_instant_event", KinetoClass::OTHER},
        {"overhead", KinetoClass::OTHER},
        {"mtia_runtime", KinetoClass::OTHER},
        {"mtia_ccp_events", KinetoClass::OTHER},
        {"mtia_insight", KinetoClass::OTHER},
        {"mtia_counters", KinetoClass::OTHER},
        {"mtia_workloadd", KinetoClass::OTHER},
        {"cuda_sync", KinetoClass::OTHER},
        {"cuda_event", KinetoClass::OTHER},
        {"glow_runtime", KinetoClass::OTHER},
        {"cuda_profiler_range", KinetoClass::OTHER},
        {"hpu_op", KinetoClass::OTHER},
        {"collective_comm", KinetoClass::OTHER},
        {"xpu_scope_profiler", KinetoClass::OTHER},
        {"xpu_sync", KinetoClass::OTHER},
        {"hardware_counters", KinetoClass::OTHER},
        {"gpu_pm_counter", KinetoClass::OTHER},
        {"Trace", KinetoClass::OTHER},
        {"TraceSpan", KinetoClass::OTHER},
        {"Communication", KinetoClass::OTHER},
        {"DataLoader", KinetoClass::OTHER}};
    return classes;
}

} // namespace

std::optional<KinetoClass>
KinetoClassOf(const std::string& category)
{
    const auto found = Classes().find(category);
    return found == Classes().end() ? std::nullopt : std::optional(found->second);
}

const std::vector<std::string>&
KinetoCategories()
{
    static const auto names = [] {
        std::vector<std::string> all;
        for (const auto& [name, kind] : Classes())
        {
            all.push_back(name);
        }
        return all;
    }();
    return names;
}

bool
IsPhaseWithoutDuration(const std::string& phase)
{
    static const std::string known = "MsftibneC";
    return phase.size() == 1 && known.find(phase) != std::string::npos;
}

const std::vector<std::string>&
KinetoEventKeys()
{
    static const std::vector<std::string> keys{
        "ph",   "cat", "name",  "pid",   "tid",     "ts",      "dur",
        "args", "id",  "bp",    "s",     "cname",   "tts",     "tdur",
        "id2",  "sf",  "stack", "scope", "bind_id", "flow_in", "flow_out"};
    return keys;
}

std::size_t
CountOtherArgs(const Json& args)
{
    static const std::set<std::string> taken{KINETO_KEYS.name,
                                             KINETO_KEYS.type,
                                             KINETO_KEYS.elements,
                                             KINETO_KEYS.group,
                                             KINETO_KEYS.groupSize,
                                             "Input Dims",
                                             "Input dims",
                                             "Input type",
                                             "Sequence number",
                                             "Fwd thread id",
                                             "Module Hierarchy",
                                             "correlation",
                                             "device"};
    if (!args.is_object())
    {
        return 0;
    }
    const auto& members = args.get_ref<const Json::object_t&>();
    return static_cast<std::size_t>(
        std::count_if(members.begin(), members.end(), [](const auto& member) {
            return taken.count(member.first) == 0;
        }));
}

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

} // namespace inca
