/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/chakra-training.h"

#include "base/errors.h"
#include "base/printable.h"
#include "base/units.h"
#include "import/collectives.h"
#include "import/iterations.h"
#include "import/operation-sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <queue>
#include <unordered_map>

namespace inca
{

namespace
{

constexpr std::int64_t MOST_PS = 1'000'000'000'000'000'000;

std::string
NameOf(const ChakraNode& node)
{
    return fmt::format("node {} '{}'", node.id, Printable(node.name.substr(0, 60)));
}

/** Who waits for whom, by index. */
struct Waits
{
    std::vector<std::vector<std::size_t>> of; ///< those that need a node
    std::vector<std::size_t> open;            ///< how many a node needs
};

Waits
WaitsOf(const ChakraGraph& graph, ImportReport& report)
{
    std::unordered_map<std::uint64_t, std::size_t> byId;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    {
        if (!byId.emplace(graph.nodes[i].id, i).second)
        {
            report.Doubt(
                fmt::format("{}: two nodes have the id {}", graph.file, graph.nodes[i].id));
        }
    }
    Waits waits;
    waits.of.resize(graph.nodes.size());
    waits.open.resize(graph.nodes.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    {
        const auto& node = graph.nodes[i];
        for (const auto* deps : {&node.controlDeps, &node.dataDeps})
        {
            for (const auto id : *deps)
            {
                const auto found = byId.find(id);
                if (found == byId.end())
                {
                    report.Doubt(fmt::format("{}: {} needs node {}, which the file does not have",
                                             graph.file,
                                             NameOf(node),
                                             id));
                    continue;
                }
                waits.of[found->second].push_back(i);
                ++waits.open[i];
            }
        }
    }
    return waits;
}

/** Says one circle among the nodes that could not be ordered. */
[[noreturn]] void
RefuseCircle(const ChakraGraph& graph, const Waits& waits)
{
    std::vector<std::size_t> needed(graph.nodes.size(), graph.nodes.size());
    std::size_t at = graph.nodes.size();
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    {
        for (const auto waiting : waits.of[i])
        {
            if (waits.open[i] > 0 && waits.open[waiting] > 0)
            {
                needed[waiting] = i;
                at = waiting;
            }
        }
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) // to be surely in a circle
    {
        at = needed[at];
    }
    std::string text = NameOf(graph.nodes[at]);
    constexpr std::size_t MOST_SHOWN = 8;
    auto next = needed[at];
    for (std::size_t i = 0; next != at && i < MOST_SHOWN; ++i, next = needed[next])
    {
        text += " needs " + NameOf(graph.nodes[next]);
    }
    text += next == at ? " needs " + NameOf(graph.nodes[at]) : " needs ...";
    throw InputError(graph.file + ": nodes need each other in a circle: " + text);
}

std::int64_t
PsOf(const ChakraGraph& graph, const ChakraNode& node, std::int64_t unit)
{
    if (node.duration > static_cast<std::uint64_t>(MOST_PS / unit))
    {
        throw InputError(fmt::format("{}: {} takes longer than 10^6 s", graph.file, NameOf(node)));
    }
    return static_cast<std::int64_t>(node.duration) * unit;
}

// -- files made from ASTRA-sim's text --------------------------------------------------------------

constexpr std::string_view COMPUTE = "COMP_NODE_";
constexpr std::string_view COLLECTIVE = "COMM_COLL_NODE_";

enum class Pass
{
    FORWARD,
    INPUT_GRADIENT,
    WEIGHT_GRADIENT,
};

/** What "COMP_NODE_conv1_BWD_WG" says. */
struct LayerPass
{
    std::string layer;
    Pass pass{Pass::FORWARD};
};

std::optional<LayerPass>
LayerPassOf(const ChakraNode& node)
{
    static const std::vector<std::pair<std::string, Pass>> ends{{"_FWD", Pass::FORWARD},
                                                                {"_BWD_IG", Pass::INPUT_GRADIENT},
                                                                {"_BWD_WG", Pass::WEIGHT_GRADIENT}};
    if (node.name.compare(0, COMPUTE.size(), COMPUTE) != 0)
    {
        return std::nullopt;
    }
    for (const auto& [end, pass] : ends)
    {
        const auto size = node.name.size();
        if (size > COMPUTE.size() + end.size() &&
            node.name.compare(size - end.size(), end.size(), end) == 0)
        {
            return LayerPass{node.name.substr(COMPUTE.size(), size - COMPUTE.size() - end.size()),
                             pass};
        }
    }
    return std::nullopt;
}

bool
IsFromText(const ChakraGraph& graph)
{
    bool computes = false;
    for (const auto& node : graph.nodes)
    {
        if (node.type == ChakraType::COMP)
        {
            computes = true;
            if (!LayerPassOf(node))
            {
                return false;
            }
        }
    }
    return computes;
}

/** What the passes of a file say of one layer, each time. */
struct NamedLayer
{
    std::string name;
    std::vector<std::int64_t> forwardPs;
    std::vector<std::int64_t> inputGradientPs;
    std::vector<std::int64_t> weightGradientPs;
    std::vector<std::uint64_t> gradientBytes;
};

/** Layers by the names of a file's nodes, in the order of their forward passes. */
class NamedLayers
{
  public:
    NamedLayers(const ChakraGraph& graph, std::int64_t unit, ImportReport& report)
        : m_graph(graph),
          m_unit(unit),
          m_report(report)
    {
        for (const auto index : OrderOf(graph, report))
        {
            Add(graph.nodes[index]);
        }
    }

    RecordedTraining Training(const ImportOptions& options)
    {
        const auto type = options.gradientType.empty() ? "fp32" : options.gradientType;
        const auto bytesPerElement = BytesOfGradientType(type);
        std::vector<RecordedLayer> layers;
        std::uint64_t bytesIn = 0;
        for (const auto& layer : m_layers)
        {
            const auto bytes = layer.gradientBytes.empty() ? 0 : layer.gradientBytes.front();
            for (const auto other : layer.gradientBytes)
            {
                if (other != bytes)
                {
                    m_report.Doubt(m_graph.file + ": layer " + Printable(layer.name) +
                                   " exchanges another size in another iteration");
                }
            }
            if (bytes % bytesPerElement != 0)
            {
                throw InputError(fmt::format("{}: layer {}: {} bytes are no whole {} values "
                                             "(--gradient-type)",
                                             m_graph.file,
                                             Printable(layer.name),
                                             bytes,
                                             type));
            }
            bytesIn += bytes;
            layers.push_back(
                {layer.name,
                 {bytes / bytesPerElement},
                 MedianOf(layer.forwardPs),
                 AddSaturated(MedianOf(layer.inputGradientPs), MedianOf(layer.weightGradientPs)),
                 0});
        }
        m_report.Assume("updates take no time: the converter drops them");
        RecordedTraining training;
        training.layers = WithGradients(layers, m_report);
        training.buckets = ExchangesOf(training.layers);
        m_report.bytesIn = bytesIn;
        return training;
    }

  private:
    void Add(const ChakraNode& node)
    {
        if (const auto pass = LayerPassOf(node))
        {
            auto& layer = Of(pass->layer);
            auto& times = pass->pass == Pass::FORWARD          ? layer.forwardPs
                          : pass->pass == Pass::INPUT_GRADIENT ? layer.inputGradientPs
                                                               : layer.weightGradientPs;
            times.push_back(PsOf(m_graph, node, m_unit));
            m_passes[node.id] = *pass;
        }
        else if (node.type == ChakraType::COMM_COLL)
        {
            AddCollective(node);
        }
        else
        {
            m_report.LeaveOut("node that neither computes nor is a collective",
                              "no part of data-parallel training");
        }
    }

    void AddCollective(const ChakraNode& node)
    {
        const auto bytes = node.commSize.value_or(0);
        const auto name = NormalisedCollective(ChakraCollectiveName(node.commType.value_or(0)));
        for (const auto* deps : {&node.dataDeps, &node.controlDeps})
        {
            for (const auto id : *deps)
            {
                const auto found = m_passes.find(id);
                if (found != m_passes.end() && found->second.pass == Pass::WEIGHT_GRADIENT &&
                    (name == "allreduce" || name == "reducescatter") && bytes > 0)
                {
                    Of(found->second.layer).gradientBytes.push_back(bytes);
                    return;
                }
            }
        }
        m_report.LeaveOut(name,
                          bytes == 0 ? "has no size"
                                     : "not after a weight gradient: tensor or expert parallel, "
                                       "which INCA does not simulate",
                          bytes);
    }

    NamedLayer& Of(const std::string& name)
    {
        const auto [found, isNew] = m_indices.emplace(name, m_layers.size());
        if (isNew)
        {
            m_layers.emplace_back().name = name;
        }
        return m_layers[found->second];
    }

    const ChakraGraph& m_graph;
    std::int64_t m_unit;
    ImportReport& m_report;
    std::vector<NamedLayer> m_layers;
    std::map<std::string, std::size_t> m_indices;
    std::unordered_map<std::uint64_t, LayerPass> m_passes; ///< by node
};

// -- others ----------------------------------------------------------------------------------------

/** A node's phase is its own, else that of what it stands in. */
std::vector<RecordedPhase>
PhasesOf(const ChakraGraph& graph, const std::vector<std::size_t>& order)
{
    std::unordered_map<std::uint64_t, RecordedPhase> byId;
    std::vector<RecordedPhase> phases(graph.nodes.size());
    for (const auto index : order)
    {
        const auto& node = graph.nodes[index];
        auto phase = PhaseOfName(node.name);
        for (const auto* deps : {&node.controlDeps, &node.dataDeps})
        {
            for (std::size_t i = 0; i < deps->size() && phase == RecordedPhase::UNKNOWN; ++i)
            {
                const auto found = byId.find((*deps)[i]);
                phase = found == byId.end() ? phase : found->second;
            }
        }
        phases[index] = phase;
        byId[node.id] = phase;
    }
    return phases;
}

/** @return whether nodes say what ran on a GPU */
bool
KnowsGpu(const ChakraGraph& graph)
{
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const ChakraNode& node) {
        return node.type == ChakraType::COMP && node.onCpu == false && node.duration > 0;
    });
}

/** Normalised; a node without a type of collective is taken for what it is not. */
std::string
CollectiveOf(const ChakraNode& node)
{
    return node.commType ? NormalisedCollective(ChakraCollectiveName(*node.commType))
                         : "collective";
}

void
CheckCollectiveOf(const ChakraGraph& graph, const ChakraNode& node, ImportReport& report)
{
    if (!node.commType)
    {
        report.Doubt(fmt::format("{}: {}: comm_type is missing", graph.file, NameOf(node)));
    }
    else if (*node.commType > static_cast<std::uint64_t>(ChakraCollective::BARRIER))
    {
        report.Doubt(fmt::format(
            "{}: {}: comm_type: unknown '{}'", graph.file, NameOf(node), *node.commType));
    }
}

std::vector<RecordedOperation>
OperationsOf(const ChakraGraph& graph, std::int64_t unit, ImportReport& report)
{
    const auto order = OrderOf(graph, report);
    const auto phases = PhasesOf(graph, order);
    const bool knowsGpu = KnowsGpu(graph);
    std::vector<RecordedOperation> operations;
    for (const auto index : order)
    {
        const auto& node = graph.nodes[index];
        RecordedOperation operation;
        operation.phase = phases[index];
        operation.bytes = node.commSize.value_or(0);
        operation.group = node.group;
        if (node.type == ChakraType::COMP)
        {
            if (knowsGpu && node.onCpu.value_or(false))
            {
                report.LeaveOut("COMP_NODE on the CPU", "the GPU's own times are taken");
                continue;
            }
            operation.ps = PsOf(graph, node, unit);
        }
        else if (node.type == ChakraType::COMM_COLL)
        {
            if (!node.commType && !node.commSize)
            {
                report.LeaveOut("COMM_COLL_NODE without a type and a size",
                                "the CPU's part of a collective");
                continue;
            }
            CheckCollectiveOf(graph, node, report);
            operation.collective = CollectiveOf(node);
            operation.ps = PsOf(graph, node, unit);
        }
        else if (node.type == ChakraType::COMM_SEND || node.type == ChakraType::COMM_RECV)
        {
            operation.collective = node.type == ChakraType::COMM_SEND ? "send" : "recv";
        }
        else
        {
            report.LeaveOut(node.type == ChakraType::METADATA  ? "METADATA_NODE"
                            : node.type == ChakraType::INVALID ? "node of an unknown type"
                                                               : "memory node",
                            "neither computes nor communicates");
            continue;
        }
        operations.push_back(std::move(operation));
    }
    return operations;
}

} // namespace

std::vector<std::size_t>
OrderOf(const ChakraGraph& graph, ImportReport& report)
{
    auto waits = WaitsOf(graph, report);
    const auto isLater = [&graph](std::size_t a, std::size_t b) {
        const auto& left = graph.nodes[a];
        const auto& right = graph.nodes[b];
        return std::tie(left.start, left.id, a) > std::tie(right.start, right.id, b);
    };
    std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(isLater)> ready(isLater);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    {
        if (waits.open[i] == 0)
        {
            ready.push(i);
        }
    }
    std::vector<std::size_t> order;
    while (!ready.empty())
    {
        const auto index = ready.top();
        ready.pop();
        order.push_back(index);
        for (const auto waiting : waits.of[index])
        {
            if (--waits.open[waiting] == 0)
            {
                ready.push(waiting);
            }
        }
    }
    if (order.size() < graph.nodes.size())
    {
        RefuseCircle(graph, waits);
    }
    return order;
}

RecordedTraining
TrainingOfChakra(const ChakraGraph& graph, const ImportOptions& options, ImportReport& report)
{
    if (!graph.version.empty() && graph.version.rfind("0.0.", 0) != 0 &&
        graph.version.rfind("1.", 0) != 0)
    {
        report.Doubt(graph.file + ": version: unknown '" + Printable(graph.version.substr(0, 40)) +
                     "'; known are 0.0 and 1");
    }
    const bool fromText = IsFromText(graph);
    const bool isNanoseconds = fromText || graph.fromText;
    const std::string unit = !options.timeUnit.empty() ? options.timeUnit
                             : isNanoseconds           ? "ns"
                                                       : "us";
    report.Assume("times are in " + unit +
                  (!options.timeUnit.empty() ? ", as asked"
                   : isNanoseconds ? ": the file was made from an ASTRA-sim workload, whose cycles "
                                     "the converter takes for Chakra's us (--time-unit)"
                                   : ", Chakra's own (--time-unit)"));
    if (fromText)
    {
        return NamedLayers(graph, PsOfUnit(unit), report).Training(options);
    }
    auto training =
        TrainingOfSequence(OperationsOf(graph, PsOfUnit(unit), report), options, report);
    if (std::all_of(training.layers.begin(), training.layers.end(), [](const auto& layer) {
            return layer.forwardPs == 0 && layer.backwardPs == 0 && layer.updatePs == 0;
        }))
    {
        report.Warn("no times: the trace's layers take none, and nothing overlaps");
    }
    return training;
}

RecordedTraining
ReadChakraTraining(ByteSource& source, const ImportOptions& options, ImportReport& report)
{
    return TrainingOfChakra(ReadChakra(source, report), options, report);
}

} // namespace inca
