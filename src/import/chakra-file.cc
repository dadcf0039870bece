/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/chakra-file.h"

#include "base/errors.h"
#include "base/printable.h"
#include "base/units.h"
#include "import/recorded-training.h"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

/** A node of one rank's Chakra execution trace, as far as INCA uses it. */
struct ChakraNode
{
    std::uint64_t id{0};
    std::string name;
    chakra::NodeType type{chakra::INVALID_NODE};
    std::vector<std::uint64_t> needs; ///< control and data dependencies
    std::uint64_t start{0};    ///< in the file's unit of time, us unless a user says otherwise
    std::uint64_t duration{0}; ///< the same
    std::optional<bool> onCpu;
    std::optional<std::uint64_t> commType; ///< a chakra::CollectiveCommType
    std::optional<std::uint64_t> commSize; ///< bytes
    std::string group;                     ///< pg_name
    bool saysOperations{false};            ///< num_ops
};

/** One rank's trace. */
struct ChakraGraph
{
    std::string file;
    std::string version;
    bool fromText{false};     ///< its metadata hold the ASTRA-sim workload that it was made from
    std::string gradientType; ///< that INCA wrote there; empty: none
    std::vector<ChakraNode> nodes;
};

constexpr std::size_t MOST_MESSAGE_BYTES = 4U << 20U;
constexpr std::size_t MOST_NODES = 4'000'000;
constexpr std::size_t MOST_DEPENDENCIES = 20'000'000;
constexpr std::size_t LENGTH_BYTES = 5; ///< at most, of a message's length

/** The integer or boolean that an attribute holds; nothing of others. */
std::optional<std::int64_t>
IntegerOf(const chakra::Attribute& attribute)
{
    using Of = chakra::Attribute;
    switch (attribute.value_case())
    {
    case Of::kInt32Val:
        return attribute.int32_val();
    case Of::kInt64Val:
        return attribute.int64_val();
    case Of::kUint32Val:
        return attribute.uint32_val();
    case Of::kUint64Val:
        return static_cast<std::int64_t>(attribute.uint64_val());
    case Of::kBoolVal:
        return attribute.bool_val() ? 1 : 0;
    default:
        return std::nullopt;
    }
}

/** What a node's message says. @throws InputError of a count below 0 */
ChakraNode
NodeOf(const std::string& file, const chakra::Node& message, ImportReport& report)
{
    const auto place = fmt::format("{}: node {}: ", file, message.id());
    const auto find = [&all = message.attr()](const char* name) {
        const auto found = std::find_if(
            all.begin(), all.end(), [name](const auto& one) { return one.name() == name; });
        return found == all.end() ? nullptr : &*found;
    };
    const auto integer = [&](const char* name) {
        const auto* attribute = find(name);
        const auto value = attribute == nullptr ? std::nullopt : IntegerOf(*attribute);
        if (attribute != nullptr && !value)
        {
            report.Doubt(place + name + ": has no whole number");
        }
        return value;
    };
    const auto count = [&](const char* name) {
        const auto value = integer(name);
        if (value && *value < 0)
        {
            throw InputError(
                fmt::format("{}{}: must be from 0 to 2^63, got {}", place, name, *value));
        }
        return value;
    };
    ChakraNode node;
    node.id = message.id();
    node.name = message.name();
    const auto type = message.type();
    if (type == chakra::INVALID_NODE || !chakra::NodeType_IsValid(type))
    {
        report.Doubt(fmt::format("{}type: unknown '{}'", place, static_cast<int>(type)));
    }
    else
    {
        node.type = type;
    }
    node.needs.assign(message.ctrl_deps().begin(), message.ctrl_deps().end());
    node.needs.insert(node.needs.end(), message.data_deps().begin(), message.data_deps().end());
    node.start = message.start_time_micros();
    node.duration = message.duration_micros();
    if (const auto runtime = count("runtime")) // of 2023's traces
    {
        node.duration = static_cast<std::uint64_t>(*runtime);
    }
    const auto onCpu = integer("is_cpu_op");
    node.onCpu = onCpu ? std::optional(*onCpu != 0) : std::nullopt;
    const auto* group = find("pg_name");
    node.group = group == nullptr ? "" : group->string_val();
    node.saysOperations = find("num_ops") != nullptr;
    node.commType = integer("comm_type");
    const auto plainBytes = count(CHAKRA_PLAIN_BYTES);
    node.commSize = plainBytes ? plainBytes : count("comm_size");
    return node;
}

/** Reads the messages of a file, each with its length before it. */
class MessageReader
{
  public:
    explicit MessageReader(ByteSource& source)
        : m_source(source)
    {
    }

    /** @return whether there is another @param what it is, for complaints */
    bool Next(google::protobuf::MessageLite& message, const std::string& what)
    {
        m_start = m_end;
        const auto size = TakeSize();
        if (!size)
        {
            return false;
        }
        if (*size > MOST_MESSAGE_BYTES)
        {
            Refuse("a message of more than 4 MiB");
        }
        m_message.resize(*size);
        std::size_t at = 0;
        for (std::size_t count = 1; at < *size && count > 0; at += count)
        {
            count = m_source.Read(m_message.data() + at, *size - at);
        }
        m_end += at;
        if (at < *size)
        {
            Refuse(fmt::format("is cut off: a message of {} bytes has {}", *size, at));
        }
        if (!message.ParseFromString(m_message))
        {
            Refuse(what + " is no message of Chakra: damaged or cut off");
        }
        return true;
    }

  private:
    [[noreturn]] void Refuse(const std::string& text) const
    {
        throw InputError(fmt::format("{}: byte {}: {}", m_source.Name(), m_start, text));
    }

    /** @return nothing at the file's end */
    std::optional<std::size_t> TakeSize()
    {
        std::size_t size = 0;
        for (unsigned i = 0; i < LENGTH_BYTES; ++i)
        {
            char digit = '\0';
            if (m_source.Read(&digit, 1) == 0)
            {
                if (i == 0)
                {
                    return std::nullopt;
                }
                Refuse("is cut off in a message's length");
            }
            ++m_end;
            const auto bits = static_cast<unsigned char>(digit);
            size |= static_cast<std::size_t>(bits & 0x7fU) << (7 * i);
            if (bits < 0x80U)
            {
                return size;
            }
        }
        Refuse("is no Chakra trace: a message's length has more than 5 bytes");
    }

    ByteSource& m_source;
    std::string m_message;
    std::uint64_t m_start{0};
    std::uint64_t m_end{0};
};

/** Reads all of a file. @throws InputError naming file, byte and node */
ChakraGraph
ReadChakra(ByteSource& source, ImportReport& report)
{
    ChakraGraph graph;
    graph.file = source.Name();
    MessageReader reader(source);
    chakra::GlobalMetadata metadata;
    reader.Next(metadata, "GlobalMetadata");
    graph.version = metadata.version();
    for (const auto& attribute : metadata.attr())
    {
        graph.fromText |= attribute.name() == "input_file";
        if (attribute.name() == CHAKRA_GRADIENT_TYPE &&
            BytesOfGradientType(attribute.string_val()) > 0)
        {
            graph.gradientType = attribute.string_val();
        }
    }
    std::size_t dependencies = 0;
    for (chakra::Node message; reader.Next(message, fmt::format("node {}", graph.nodes.size()));)
    {
        auto node = NodeOf(graph.file, message, report);
        dependencies += node.needs.size();
        if (graph.nodes.size() == MOST_NODES || dependencies > MOST_DEPENDENCIES)
        {
            throw InputError(graph.file +
                             ": more than 4 million nodes, or 20 million dependencies");
        }
        report.Read(chakra::NodeType_Name(node.type));
        graph.nodes.push_back(std::move(node));
    }
    return graph;
}

std::string
NameOf(const ChakraNode& node)
{
    return fmt::format("node {} '{}'", node.id, Printable(node.name.substr(0, 60)));
}

/** "ALL_REDUCE"; "collective 12" for what has no name */
std::string
CollectiveName(std::uint64_t type)
{
    const auto number = static_cast<int>(std::min<std::uint64_t>(type, INT32_MAX));
    return chakra::CollectiveCommType_IsValid(number)
               ? chakra::CollectiveCommType_Name(static_cast<chakra::CollectiveCommType>(number))
               : "collective " + std::to_string(type);
}

std::int64_t
DurationPs(const ChakraGraph& graph, const ChakraNode& node, std::int64_t unit)
{
    if (node.duration > static_cast<std::uint64_t>(MOST_RECORDED_PS / unit))
    {
        throw InputError(fmt::format("{}: {} takes longer than 10^6 s", graph.file, NameOf(node)));
    }
    return static_cast<std::int64_t>(node.duration) * unit;
}

/**
 * @return nodes by index, each after those that it depends on; among those that could be next, the one
 *         that starts first, then of the lowest id
 * @throws InputError naming the nodes of a circle; with @p report strict, of an id that two nodes have,
 *         and of a dependency that the file does not have
 */
std::vector<std::size_t>
OrderOf(const ChakraGraph& graph, ImportReport& report)
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
    std::vector<std::vector<std::size_t>> neededBy(graph.nodes.size());
    std::vector<std::size_t> open(graph.nodes.size()); // how many a node still needs
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    {
        for (const auto id : graph.nodes[i].needs)
        {
            const auto found = byId.find(id);
            if (found == byId.end())
            {
                report.Doubt(fmt::format("{}: {} needs node {}, which the file does not have",
                                         graph.file,
                                         NameOf(graph.nodes[i]),
                                         id));
                continue;
            }
            neededBy[found->second].push_back(i);
            ++open[i];
        }
    }
    std::set<std::tuple<std::uint64_t, std::uint64_t, std::size_t>> ready; // by start, then by id
    const auto addIfReady = [&](std::size_t i) {
        if (open[i] == 0)
        {
            ready.emplace(graph.nodes[i].start, graph.nodes[i].id, i);
        }
    };
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    {
        addIfReady(i);
    }
    std::vector<std::size_t> order;
    while (!ready.empty())
    {
        order.push_back(std::get<2>(*ready.begin()));
        ready.erase(ready.begin());
        for (const auto waiting : neededBy[order.back()])
        {
            --open[waiting];
            addIfReady(waiting);
        }
    }
    if (order.size() < graph.nodes.size())
    {
        const auto waiting = std::find_if(open.begin(), open.end(), [](auto n) { return n > 0; });
        throw InputError(
            fmt::format("{}: nodes need each other in a circle, which {} is in or needs",
                        graph.file,
                        NameOf(graph.nodes[static_cast<std::size_t>(waiting - open.begin())])));
    }
    return order;
}

/** The part of an iteration that an operation belongs to. */
enum class RecordedPhase : std::uint8_t
{
    UNKNOWN,
    FORWARD,
    BACKWARD,
    UPDATE,
};

/** One thing that a worker did, in the order in which it did them. */
struct RecordedOperation
{
    RecordedPhase phase{RecordedPhase::UNKNOWN};
    std::string collective; ///< as collectives are normalised: "allreduce"; empty: it computes
    std::string group;      ///< of the collective
    std::uint64_t bytes{0}; ///< the same
    std::int64_t ps{0};     ///< that it computes, or that the collective goes on
};

/** By the names that PyTorch gives to ranges and operators; UNKNOWN for others. */
RecordedPhase
PhaseOfName(const std::string& name)
{
    static const std::vector<std::pair<const char*, RecordedPhase>> signs{
        {"## forward ##", RecordedPhase::FORWARD},
        {"DistributedDataParallel.forward", RecordedPhase::FORWARD},
        {"FullyShardedDataParallel.forward", RecordedPhase::FORWARD},
        {"## backward ##", RecordedPhase::BACKWARD},
        {"autograd::engine::evaluate_function", RecordedPhase::BACKWARD},
        {"## optimizer ##", RecordedPhase::UPDATE},
        {"Optimizer.step#", RecordedPhase::UPDATE}};
    for (const auto& [sign, phase] : signs)
    {
        if (name.find(sign) != std::string::npos)
        {
            return phase;
        }
    }
    return RecordedPhase::UNKNOWN;
}

/** A node's phase is its own, else that of the first node that it needs and whose phase is known. */
std::vector<RecordedPhase>
PhasesOf(const ChakraGraph& graph, const std::vector<std::size_t>& order)
{
    std::unordered_map<std::uint64_t, RecordedPhase> byId;
    std::vector<RecordedPhase> phases(graph.nodes.size());
    for (const auto index : order)
    {
        const auto& node = graph.nodes[index];
        auto phase = PhaseOfName(node.name);
        for (std::size_t i = 0; i < node.needs.size() && phase == RecordedPhase::UNKNOWN; ++i)
        {
            const auto found = byId.find(node.needs[i]);
            phase = found == byId.end() ? phase : found->second;
        }
        phases[index] = phase;
        byId[node.id] = phase;
    }
    return phases;
}

/** @return its normalised name; what has no type, or an unknown one, is taken for what it is not */
std::string
ChakraCollectiveOf(const ChakraGraph& graph, const ChakraNode& node, ImportReport& report)
{
    const auto place = fmt::format("{}: {}: comm_type", graph.file, NameOf(node));
    if (!node.commType)
    {
        report.Doubt(place + " is missing");
        return "collective";
    }
    if (*node.commType > chakra::CollectiveCommType_MAX)
    {
        report.Doubt(fmt::format("{}: unknown '{}'", place, *node.commType));
    }
    return NormalisedCollective(CollectiveName(*node.commType));
}

std::vector<RecordedOperation>
OperationsOf(const ChakraGraph& graph, std::int64_t unit, ImportReport& report)
{
    const auto order = OrderOf(graph, report);
    const auto phases = PhasesOf(graph, order);
    const bool knowsGpu =
        std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const ChakraNode& node) {
            return node.type == chakra::COMP_NODE && node.onCpu == false && node.duration > 0;
        });
    std::vector<RecordedOperation> operations;
    for (const auto index : order)
    {
        const auto& node = graph.nodes[index];
        RecordedOperation operation;
        operation.phase = phases[index];
        operation.bytes = node.commSize.value_or(0);
        operation.group = node.group;
        if (node.type == chakra::COMP_NODE)
        {
            if (knowsGpu && node.onCpu.value_or(false))
            {
                report.LeaveOut("COMP_NODE on the CPU", "the GPU's own times are taken");
                continue;
            }
            operation.ps = DurationPs(graph, node, unit);
        }
        else if (node.type == chakra::COMM_COLL_NODE)
        {
            if (!node.commType && !node.commSize)
            {
                report.LeaveOut("COMM_COLL_NODE without a type and a size",
                                "the CPU's part of a collective");
                continue;
            }
            operation.collective = ChakraCollectiveOf(graph, node, report);
            operation.ps = DurationPs(graph, node, unit);
        }
        else if (node.type == chakra::COMM_SEND_NODE || node.type == chakra::COMM_RECV_NODE)
        {
            operation.collective = node.type == chakra::COMM_SEND_NODE ? "send" : "recv";
        }
        else
        {
            report.LeaveOut(node.type == chakra::METADATA_NODE  ? "METADATA_NODE"
                            : node.type == chakra::INVALID_NODE ? "node of an unknown type"
                                                                : "memory node",
                            "neither computes nor communicates");
            continue;
        }
        operations.push_back(std::move(operation));
    }
    return operations;
}

// -- sequences -----------------------------------------------------------------------------------

bool
MayMoveGradients(const RecordedOperation& operation)
{
    return IsSum(operation.collective) && operation.phase != RecordedPhase::FORWARD &&
           operation.bytes > 0;
}

/** One iteration of a sequence. */
struct SequenceStep
{
    std::int64_t forwardPs{0};
    std::int64_t updatePs{0};
    std::vector<std::uint64_t> gradients; ///< bytes
    std::vector<std::int64_t> backwardPs; ///< before each of them
    std::vector<std::int64_t> sumPs;      ///< that each goes on; 0: unknown
    bool knowsForward{false};
};

std::vector<SequenceStep>
StepsOf(const std::vector<RecordedOperation>& operations,
        const std::string& group,
        ImportReport& report)
{
    std::vector<SequenceStep> steps(1);
    std::int64_t since = 0; // computed, and of no known part
    const auto add = [](std::int64_t& ps, std::int64_t more) { ps = AddSaturated(ps, more); };
    for (const auto& operation : operations)
    {
        auto* step = &steps.back();
        if (operation.collective.empty() && operation.phase == RecordedPhase::FORWARD)
        {
            if (!step->gradients.empty())
            {
                add(step->updatePs, since);
                since = 0;
                step = &steps.emplace_back();
            }
            step->knowsForward = true;
            add(step->forwardPs, operation.ps);
        }
        else if (operation.collective.empty())
        {
            add(operation.phase == RecordedPhase::UPDATE ? step->updatePs : since, operation.ps);
        }
        else if (MayMoveGradients(operation) && operation.group == group)
        {
            AssumeOfSum(operation.collective, report);
            step->gradients.push_back(operation.bytes);
            step->backwardPs.push_back(since);
            step->sumPs.push_back(operation.ps);
            since = 0;
        }
        else
        {
            report.LeaveOut(Printable(operation.collective),
                            WhyCollectiveLeftOut(operation.collective, operation.bytes),
                            operation.bytes);
        }
    }
    add(steps.back().updatePs, since);
    return steps;
}

/** Cuts what comes before the first gradient into forward and its backward. */
void
GuessForward(SequenceStep& step, ImportReport& report)
{
    const auto total = std::accumulate(
        step.backwardPs.begin(), step.backwardPs.end(), std::int64_t{0}, AddSaturated);
    if (step.knowsForward || total == 0)
    {
        return;
    }
    step.forwardPs = std::min(step.backwardPs.front(), total / 3);
    step.backwardPs.front() -= step.forwardPs;
    report.Assume("a third of what is computed up to the last gradient is the forward pass, as far "
                  "as it comes before the first: nothing says what is");
}

/**
 * What workers of INCA can do with a record that is but a sequence: all-reduces (and reduce-scatters)
 * outside forward are gradients, in the order in which backward makes them, each of one layer; computing
 * between two of them is the backward pass of the later one's. Where nothing says what is forward, it is
 * a third of what is computed up to the last of them, as far as that comes before the first. What
 * is computed after the last is the update. A forward pass after a gradient begins an iteration; of several that
 * exchange the same, medians are taken.
 * @throws InputError if several groups have gradients and options say not which
 */
RecordedTraining
TrainingOfSequence(const std::string& file,
                   const std::vector<RecordedOperation>& operations,
                   const ImportOptions& options,
                   ImportReport& report)
{
    GroupSums sums(file);
    for (const auto& operation : operations)
    {
        if (MayMoveGradients(operation))
        {
            sums.Add(operation.group, operation.bytes, IsScattered(operation.collective));
        }
    }
    const auto group = sums.DataParallelGroup(options, report);
    const auto all = StepsOf(operations, group, report);
    if (all.size() == 1 && !all.front().knowsForward)
    {
        WarnOfRepeats(all.front().gradients, report);
    }
    auto steps = EqualSteps(
        all,
        [](const SequenceStep& step) {
            return step.gradients.empty() ? std::nullopt : std::optional(step.gradients);
        },
        report);
    RecordedTraining training;
    if (steps.empty())
    {
        return training;
    }
    for (auto& step : steps)
    {
        GuessForward(step, report);
    }
    const auto& gradients = steps.front().gradients;
    const auto forward = SharedOut(
        MedianOver(steps, [](const SequenceStep& step) { return step.forwardPs; }), gradients);
    const auto update = SharedOut(
        MedianOver(steps, [](const SequenceStep& step) { return step.updatePs; }), gradients);
    for (std::size_t i = 0; i < gradients.size(); ++i)
    {
        RecordedLayer layer;
        layer.name = fmt::format("gradient-{}", i + 1);
        layer.tensors = {
            ElementsOf(gradients[i], fmt::format("gradient {}: ", i + 1), options, report)};
        layer.forwardPs = forward[i];
        layer.updatePs = update[i];
        layer.backwardPs =
            MedianOver(steps, [i](const SequenceStep& step) { return step.backwardPs[i]; });
        training.buckets.push_back(layer.Elements());
        const auto ps = MedianOver(steps, [i](const SequenceStep& step) { return step.sumPs[i]; });
        training.sums.each.push_back({gradients[i], ps > 0 ? std::optional(ps) : std::nullopt});
        training.layers.insert(training.layers.begin(), std::move(layer));
    }
    training.sums.iterations = steps.size();
    training.sums.scattered =
        std::any_of(operations.begin(), operations.end(), [&group](const auto& operation) {
            return MayMoveGradients(operation) && operation.group == group &&
                   IsScattered(operation.collective);
        });
    report.Assume("each exchanged gradient is one layer; the last is the model's first");
    report.Assume("forward and update times are shared out by elements");
    if (steps.size() > 1)
    {
        report.Check(
            fmt::format("{} iterations exchange the same bytes; times are medians", steps.size()));
    }
    return training;
}

} // namespace

void
AppendChakra(const google::protobuf::MessageLite& message, std::string& text)
{
    std::uint8_t length[LENGTH_BYTES];
    const auto* const end = google::protobuf::io::CodedOutputStream::WriteVarint32ToArray(
        static_cast<std::uint32_t>(message.ByteSizeLong()), length);
    text.append(reinterpret_cast<const char*>(length), static_cast<std::size_t>(end - length));
    message.AppendToString(&text);
}

bool
IsChakra(std::string_view text)
{
    namespace io = google::protobuf::io;
    io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(text.data()),
                                static_cast<int>(text.size()));
    std::uint32_t size = 0;
    if (!stream.ReadVarint32(&size) || size > text.size())
    {
        return false;
    }
    constexpr std::string_view TAGS{"\x0a\x12"}; // of a version, or of an attribute
    chakra::GlobalMetadata metadata;
    const auto begin = static_cast<std::size_t>(stream.CurrentPosition());
    const auto limit = stream.PushLimit(static_cast<int>(size));
    if ((size > 0 && (begin == text.size() || TAGS.find(text[begin]) == std::string_view::npos)) ||
        !metadata.ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage())
    {
        return false;
    }
    stream.PopLimit(limit);
    const bool isWhole = stream.CurrentPosition() == static_cast<int>(text.size());
    return !metadata.version().empty() || isWhole || stream.ReadVarint32(&size);
}

RecordedTraining
ReadChakraTraining(ByteSource& source, const ImportOptions& options, ImportReport& report)
{
    const auto graph = ReadChakra(source, report);
    if (!graph.version.empty() && graph.version.rfind("0.0.", 0) != 0 &&
        graph.version.rfind("1.", 0) != 0)
    {
        report.Doubt(graph.file + ": version: unknown '" + Excerpt(graph.version) +
                     "'; known are 0.0 and 1");
    }
    const auto isPass = [](const ChakraNode& node) {
        return node.name.rfind("COMP_NODE_", 0) == 0;
    };
    if (graph.fromText || std::any_of(graph.nodes.begin(), graph.nodes.end(), isPass))
    {
        throw InputError(graph.file +
                         ": was made from an ASTRA-sim workload, whose text says more; "
                         "import that (.txt)");
    }
    const auto unit = options.timeUnit.empty() ? "us" : options.timeUnit;
    report.Assume("times are in " + unit +
                  (options.timeUnit.empty() ? ", Chakra's own (--time-unit)" : ", as asked"));
    const auto operations = OperationsOf(graph, PsOfUnit(unit), report);
    const auto isMessage = [](const RecordedOperation& operation) {
        return operation.collective == "send" || operation.collective == "recv";
    };
    if (std::any_of(operations.begin(), operations.end(), isMessage) &&
        std::none_of(operations.begin(), operations.end(), [&](const auto& operation) {
            return !operation.collective.empty() && !isMessage(operation);
        }))
    {
        throw InputError(graph.file + ": has the messages of exchanges and no collective, so that "
                                      "nothing says what is summed; `inca export --collectives` "
                                      "writes what can be imported");
    }
    auto typed = options;
    typed.gradientType = options.gradientType.empty() ? graph.gradientType : options.gradientType;
    auto training = TrainingOfSequence(graph.file, operations, typed, report);
    training.gradientType = graph.gradientType;
    if (std::all_of(training.layers.begin(), training.layers.end(), [](const auto& layer) {
            return layer.forwardPs == 0 && layer.backwardPs == 0 && layer.updatePs == 0;
        }))
    {
        const bool saysOperations = std::any_of(
            graph.nodes.begin(), graph.nodes.end(), [](const auto& n) { return n.saysOperations; });
        report.Warn(std::string("no times: the trace's layers take none, and nothing overlaps") +
                    (saysOperations ? "; nodes have num_ops, which say what they compute, and no "
                                      "duration_micros, which would say for how long"
                                    : ""));
    }
    return training;
}

} // namespace inca
