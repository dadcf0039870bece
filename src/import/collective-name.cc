/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/collective-name.h"

#include <algorithm>
#include <cctype>

namespace inca
{

namespace
{

const std::vector<std::string> g_silent{
    "init", "wait", "barrier", "monitoredbarrier", "noop", "coalesced", "batchisendirecv"};
const std::vector<std::string> g_moving{"allreduce",
                                        "allreducecoalesced",
                                        "allreducesparse",
                                        "reduce",
                                        "reduceoop",
                                        "broadcast",
                                        "broadcastoop",
                                        "allgather",
                                        "allgatherv",
                                        "allgatherbase",
                                        "allgathercoalesced",
                                        "allgatherintotensor",
                                        "allgatherintotensorcoalesced",
                                        "reducescatter",
                                        "reducescatterv",
                                        "reducescatterbase",
                                        "reducescattertensor",
                                        "reducescattertensorcoalesced",
                                        "alltoall",
                                        "alltoallv",
                                        "alltoallbase",
                                        "alltoallsingle",
                                        "gather",
                                        "scatter",
                                        "send",
                                        "recv",
                                        "isend",
                                        "irecv",
                                        "recvanysource",
                                        "pt2pt",
                                        "multicast",
                                        "incast"};

std::vector<std::string>
All()
{
    auto all = g_moving;
    all.insert(all.end(), g_silent.begin(), g_silent.end());
    return all;
}

} // namespace

std::string
NormalisedCollective(const std::string& name)
{
    std::string text;
    for (const auto letter : name)
    {
        if (letter != '_' && letter != ' ')
        {
            text.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(letter))));
        }
    }
    return text;
}

const std::vector<std::string>&
KnownCollectives()
{
    static const auto all = All();
    return all;
}

bool
IsSilent(const std::string& collective)
{
    return std::find(g_silent.begin(), g_silent.end(), collective) != g_silent.end();
}

void
CheckCollective(const std::string& prefix, const std::string& collective, ImportReport& report)
{
    const auto& known = KnownCollectives();
    if (std::find(known.begin(), known.end(), collective) == known.end())
    {
        report.Unknown(prefix, "collective", collective, known);
    }
}

bool
IsSum(const std::string& collective)
{
    return collective.rfind("allreduce", 0) == 0 || collective.find("reducescatter") < 2;
}

void
AssumeOfSum(const std::string& collective, ImportReport& report)
{
    if (collective.rfind("allreduce", 0) != 0)
    {
        report.Assume(
            "a reduce-scatter of gradients is exchanged as an all-reduce of as many bytes");
    }
}

std::string
WhyCollectiveLeftOut(const std::string& collective, std::uint64_t bytes)
{
    if (bytes == 0)
    {
        return "moves nothing, or has no size";
    }
    if (collective.find("alltoall") != std::string::npos)
    {
        return "expert parallel (or embeddings), which INCA does not simulate";
    }
    if (collective == "send" || collective == "recv")
    {
        return "pipeline parallel, which INCA does not simulate";
    }
    if (collective.rfind("allgather", 0) == 0)
    {
        return "gathers weights or activations; INCA gathers weights itself (training.sharding)";
    }
    return IsSum(collective) ? "outside backward or of another group: tensor parallel, which INCA "
                               "does not simulate"
                             : "no sum of gradients";
}

} // namespace inca
