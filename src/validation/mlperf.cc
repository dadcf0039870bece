/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/nearest.h"
#include "record/sample.h"
#include "report/csv-table.h"
#include "report/text-table.h"
#include "scenario/keys.h"
#include "trace/trace-catalog.h"
#include "validation/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <regex>
#include <string_view>
#include <utility>

namespace inca
{

namespace
{

constexpr double g_psOfSecond = 1e12;
constexpr double g_msPerSecond = 1e3;
constexpr double g_stepLimit = 0.1;  ///< how far a step may be off
constexpr double g_updateBytes = 28; ///< of a parameter: Adam's, with weights in fp32, too
constexpr const char* g_part = "data-parallel";

// -- what is declared

/** What data sheets say of a GPU. */
struct Gpu
{
    const char* name;        ///< a part of what systems call it; the first that fits
    double memoryGbytes;     ///< per second
    const char* linkEachWay; ///< to the others of its node: NVLink, or PCIe
};

constexpr std::array<Gpu, 8> g_gpus{{{"A100-PCIe", 1935, "32GBps"},
                                     {"A100-SXM-40GB", 1555, "300GBps"},
                                     {"A100-SXM-80GB", 2039, "300GBps"},
                                     {"H100-PCIe", 2000, "64GBps"},
                                     {"H100-SXM", 3350, "450GBps"},
                                     {"H200", 4800, "450GBps"},
                                     {"GB200", 8000, "900GBps"},
                                     {"B200", 8000, "900GBps"}}};

/** How a benchmark is trained. */
struct Workload
{
    const char* benchmark;
    const char* trace;
    std::vector<std::pair<const char*, const char*>> settings; ///< as its submissions say
};

const std::vector<Workload>&
Workloads()
{
    static const std::vector<Workload> workloads{
        {"resnet",
         "resnet50-a100",
         {{"training.gradient_type", "fp16"},
          {"training.send", "fused"}, // Horovod
          {"exchange.bucket_bytes", "64MiB"},
          {"exchange.cycle_time", "1ms"}}},
        {"bert", "bert-a100", {{"training.gradient_type", "fp16"}}},
        {"stable_diffusion", "sd-unet-a100", {{"training.gradient_type", "fp16"}}},
        {"llama31_8b",
         "llama-3.1-8b-a100",
         {{"training.sharding", "optimizer"}, {"exchange.bucket_bytes", "1536MB"}}}};
    return workloads;
}

// -- what is measured

/** A system, and how long its step took. */
struct MeasuredStep
{
    std::string system;
    std::string family; ///< what those of its family have in common
    const Gpu* gpu{nullptr};
    const Workload* workload{nullptr};
    GradientTrace trace; ///< of the workload, as it is shipped
    std::string network;
    std::uint32_t nodes{0};
    std::uint32_t gpus{0};         ///< of a node
    std::uint32_t accumulation{0}; ///< micro-batches
    double samples{0};             ///< of a GPU and micro-batch
    double seconds{0};             ///< of a step
    std::string place;             ///< "FILE:LINE"
};

/** A row by its columns' names. */
class StepRow
{
  public:
    StepRow(const CsvTable& table, const CsvTableRow& row)
        : m_table(table),
          m_row(row)
    {
    }

    std::string Place() const
    {
        return fmt::format("{}:{}", m_table.path, m_row.line);
    }

    const std::string& Text(const char* column) const
    {
        const auto index = m_table.Find(column);
        if (!index)
        {
            throw InputError(fmt::format("{}:1: needs a column '{}'", m_table.path, column));
        }
        return m_row.fields.at(*index);
    }

    double Number(const char* column, double least, double most) const
    {
        const auto number = NumberOf(Text(column));
        if (!number || *number < least || *number > most)
        {
            throw InputError(fmt::format(
                "{}: {}: must be a number from {} to {}", Place(), column, least, most));
        }
        return *number;
    }

    std::uint32_t Count(const char* column, std::uint32_t most) const
    {
        const double number = Number(column, 1, most);
        if (number != std::floor(number))
        {
            throw InputError(fmt::format("{}: {}: must be a whole number", Place(), column));
        }
        return static_cast<std::uint32_t>(number);
    }

  private:
    const CsvTable& m_table;
    const CsvTableRow& m_row;
};

const Gpu&
GpuOf(const StepRow& row)
{
    const auto& text = row.Text("gpu");
    const auto found = std::find_if(g_gpus.begin(), g_gpus.end(), [&text](const Gpu& gpu) {
        const auto at = text.find(gpu.name);
        return at == 0 || (at != std::string::npos && text.find_last_of(" (", at) == at - 1);
    });
    if (found == g_gpus.end())
    {
        throw InputError(fmt::format("{}: gpu: nothing is known of '{}'", row.Place(), text));
    }
    return *found;
}

const Workload&
WorkloadOf(const StepRow& row)
{
    std::vector<std::string> known;
    for (const auto& workload : Workloads())
    {
        if (row.Text("benchmark") == workload.benchmark)
        {
            return workload;
        }
        known.emplace_back(workload.benchmark);
    }
    throw InputError(row.Place() + ": benchmark: " + UnknownName(row.Text("benchmark"), known));
}

MeasuredStep
StepOf(const StepRow& row)
{
    constexpr std::uint32_t mostNodes = 65536;
    constexpr std::uint32_t mostGpus = 1024;
    constexpr double most = 1e9;
    MeasuredStep step;
    step.system = row.Text("system");
    step.gpu = &GpuOf(row);
    step.workload = &WorkloadOf(row);
    step.trace = FindTrace(step.workload->trace);
    step.network = row.Text("network");
    step.nodes = row.Count("nodes", mostNodes);
    step.gpus = row.Count("per_node", mostGpus);
    step.accumulation = row.Count("grad_acc", mostNodes);
    const double passes = 1.0 * step.nodes * step.gpus * step.accumulation;
    step.samples = row.Number("global_batch", passes, std::max(passes, most)) / passes;
    step.seconds = row.Number("step_ms", 1 / most, most) / g_msPerSecond;
    step.place = row.Place();
    const auto& intra = row.Text("intra");
    step.family = fmt::format("{}, {} v{}, {}, {} GPUs a node{}{}",
                              row.Text("benchmark"),
                              row.Text("org"),
                              row.Text("round"),
                              row.Text("gpu"),
                              step.gpus,
                              intra.empty() || intra == "N/A" ? "" : ", ",
                              intra == "N/A" ? "" : intra);
    return step;
}

/** @return the steps of each family in the file's order, of the fewest nodes first */
std::vector<std::vector<MeasuredStep>>
ReadFamilies(const std::string& path)
{
    const auto table = ReadCsvTable(path);
    std::vector<std::vector<MeasuredStep>> families;
    for (const auto& row : table.rows)
    {
        const auto step = StepOf({table, row});
        const auto isSame = [&step](const auto& family) {
            return family.front().family == step.family;
        };
        auto family = std::find_if(families.begin(), families.end(), isSame);
        family = family != families.end() ? family : families.insert(family, {{}});
        family->push_back(step);
    }
    for (auto& family : families)
    {
        std::stable_sort(family.begin(), family.end(), [](const auto& a, const auto& b) {
            return a.nodes < b.nodes;
        });
    }
    return families;
}

// -- scenarios

/**
 * Sets nodes, their GPUs and their links: "8x ConnectX-7 IB NDR 400Gb/s", of several networks the one for computing. Without
 * a network the nodes are trays of one NVLink domain.
 */
void
SetNodes(Scenario& scenario, const MeasuredStep& step)
{
    constexpr std::size_t longest = 1000; // std::regex recurses
    static const std::regex link(
        R"((\d{1,4})\s?x\s(?:[^;|]*?[^;|\d.])?(\d{1,5}(?:\.\d{1,3})?)\s?G)");
    const auto network = step.network.substr(0, longest);
    const auto compute = network.find("Compute:");
    const auto declared = compute == std::string::npos
                              ? network
                              : network.substr(compute, network.find(';', compute) - compute);
    std::smatch found;
    const bool isDeclared = std::regex_search(declared, found, link);
    const bool isOneDomain = !isDeclared && std::string_view(step.gpu->name) == "GB200";
    if (!isDeclared && !isOneDomain && step.nodes > 1)
    {
        throw InputError(step.place + ": network: must say links such as '8x ConnectX-7 400Gb/s'");
    }
    const auto set = [&](const char* column, const char* key, const std::string& text) {
        try
        {
            SetKey(scenario, key, text);
        }
        catch (const UnitError& error)
        {
            throw InputError(fmt::format("{}: {}: {}", step.place, column, error.what()));
        }
    };
    set("nodes", "cluster.workers", std::to_string(isOneDomain ? 1 : step.nodes));
    set("nodes", "cluster.gpus", std::to_string(step.gpus * (isOneDomain ? step.nodes : 1)));
    if (isDeclared)
    {
        set("network", "cluster.nics", found[1].str());
        set("network", "cluster.bandwidth", found[2].str() + "Gbps");
    }
}

/** Seconds of the passes of all micro-batches of a step, as the trace has them, for each sample. */
double
TraceSeconds(const MeasuredStep& step)
{
    double ps = 0;
    for (const auto& layer : step.trace.layers)
    {
        ps += static_cast<double>(layer.forwardPs + layer.backwardPs);
    }
    return ps / g_psOfSecond * step.samples * step.accumulation;
}

/** @param scale of the trace's passes, for each sample of a micro-batch */
Scenario
ScenarioOf(const MeasuredStep& step, double scale)
{
    constexpr double psPerNs = 1e3;
    constexpr double longest = 1e5;
    if (scale * TraceSeconds(step) > longest)
    {
        throw InputError(
            fmt::format("{}: global_batch: its step takes longer than {} s", step.place, longest));
    }
    Scenario scenario;
    SetNodes(scenario, step);
    SetKey(scenario, "cluster.gpu_bandwidth", step.gpu->linkEachWay);
    SetKey(scenario, "cluster.gpu_latency", "1us");
    SetKey(scenario, "cluster.mtu", "4096");
    SetKey(scenario, "host.preset", "gpudirect");
    SetKey(scenario, "training.trace", step.workload->trace);
    for (const auto& [key, text] : step.workload->settings)
    {
        SetKey(scenario, key, text);
    }
    scenario.training.accumulation = step.accumulation;
    scenario.training.iterations = 2; // the second begins with what the first leaves
    auto trace = step.trace;
    for (auto& layer : trace.layers)
    {
        const auto scaled = [factor = scale * step.samples](std::int64_t ps) {
            return std::llround(static_cast<double>(ps) * factor);
        };
        layer.forwardPs = scaled(layer.forwardPs);
        layer.backwardPs = scaled(layer.backwardPs);
        layer.updatePs = std::llround(static_cast<double>(layer.elements) * g_updateBytes /
                                      step.gpu->memoryGbytes * psPerNs);
    }
    scenario.training.readTrace = std::make_shared<const GradientTrace>(std::move(trace));
    return scenario;
}

/** @throws InputError with the step's place, where the run is refused */
double
PredictedSeconds(const MeasuredStep& step, double scale, const ScenarioRunner& run)
{
    const auto scenario = ScenarioOf(step, scale);
    try
    {
        const auto record = run(scenario, [](double) {});
        const auto& ends = record.results.iterationEndsPs;
        return static_cast<double>(ends.at(1) - ends.at(0)) / g_psOfSecond;
    }
    catch (const InputError& error)
    {
        throw InputError(step.place + ": " + error.what());
    }
}

/**
 * @return the scale of the trace's passes with which @p base takes about the time that was measured. What is still missing is
 *         added to the passes: no more than that can the step get longer, so that it comes near from below. Cycles make it
 *         jump, so the nearest is taken.
 */
double
FittedScale(const MeasuredStep& base, const ScenarioRunner& run)
{
    constexpr double enough = 1e-4;
    constexpr int mostTrials = 10;
    const double whole = TraceSeconds(base);
    double scale = base.seconds / whole;
    double best = scale;
    double off = std::numeric_limits<double>::infinity();
    for (int trial = 0; trial < mostTrials && off > enough; ++trial)
    {
        const double missing = base.seconds - PredictedSeconds(base, scale, run);
        if (scale == 0 && missing < 0)
        {
            throw InputError(
                fmt::format("{}: step_ms: its network alone takes longer here", base.place));
        }
        best = std::abs(missing) < off * base.seconds ? scale : best;
        off = std::min(off, std::abs(missing) / base.seconds);
        scale = std::max(scale + missing / whole, 0.0);
    }
    return best;
}

// -- figures

/** What a step takes, as its baselines predict it from systems of its family. */
struct Baselines
{
    double proportional{0};       ///< to the samples of a GPU, from the smallest system
    std::optional<double> linear; ///< a line through the two smallest that have other samples
};

Baselines
BaselinesOf(const std::vector<MeasuredStep>& family, const MeasuredStep& step)
{
    const auto perStep = [](const MeasuredStep& one) { return one.samples * one.accumulation; };
    const auto& base = family.front();
    Baselines baselines{base.seconds * perStep(step) / perStep(base), {}};
    const auto other = std::find_if(family.begin(), family.end(), [&](const auto& one) {
        return perStep(one) != perStep(base);
    });
    if (other != family.end() && other->nodes < step.nodes)
    {
        const double slope = (other->seconds - base.seconds) / (perStep(*other) - perStep(base));
        baselines.linear = base.seconds + slope * (perStep(step) - perStep(base));
    }
    return baselines;
}

/** By who predicts, the sizes of all errors, as shares. */
using Errors = std::map<std::string, std::vector<double>>;

void
AddFamily(const std::vector<MeasuredStep>& family,
          const ScenarioRunner& run,
          std::vector<Comparison>& figures,
          Errors& errors)
{
    const auto& base = family.front();
    if (family.back().nodes == base.nodes)
    {
        return; // nothing to predict
    }
    const double scale = FittedScale(base, run);
    for (const auto& step : family)
    {
        if (step.nodes == base.nodes)
        {
            continue;
        }
        Comparison figure;
        figure.model = g_part;
        figure.figure = step.family;
        figure.system = fmt::format(
            "{} x {}, {:g} samples a GPU", step.nodes, step.gpus, step.samples * step.accumulation);
        figure.predicted = PredictedSeconds(step, scale, run);
        figure.published = Single(step.seconds, PublishedClass::DERIVED, step.system);
        figure.limit = g_stepLimit;
        const auto baselines = BaselinesOf(family, step);
        const auto add = [&](const char* who, double seconds) {
            errors[who].push_back(std::abs(seconds / step.seconds - 1));
        };
        add("INCA", figure.predicted);
        add("P", baselines.proportional);
        if (baselines.linear)
        {
            add("L", *baselines.linear);
        }
        figures.push_back(std::move(figure));
    }
}

/** Mean, median and worst of each who predicts. */
std::vector<Comparison>
ErrorFigures(Errors errors)
{
    using Sizes = std::vector<double>; // ascending
    using Figure = double (*)(const Sizes&);
    const std::array<std::pair<const char*, Figure>, 3> kinds{
        {{"mean error", [](const Sizes& sizes) { return SampleOf(sizes).mean; }},
         {"median error",
          [](const Sizes& sizes) {
              return (sizes[(sizes.size() - 1) / 2] + sizes[sizes.size() / 2]) / 2;
          }},
         {"worst error", [](const Sizes& sizes) { return sizes.back(); }}}};
    for (auto& [who, sizes] : errors)
    {
        std::sort(sizes.begin(), sizes.end());
    }
    std::vector<Comparison> figures;
    for (const auto& [name, of] : kinds)
    {
        for (const auto& [who, sizes] : errors)
        {
            figures.push_back({"errors",
                               fmt::format("{}, {} steps", who, sizes.size()),
                               name,
                               FigureUnit::PERCENT,
                               of(sizes) * g_percent,
                               {},
                               {}});
        }
    }
    return figures;
}

std::vector<Comparison>
Compare(const ValidationRequest& request)
{
    const auto families = ReadFamilies(
        request.steps.empty() ? TracesDirectory() + "/measured/mlperf-steps.csv" : request.steps);
    std::vector<Comparison> figures;
    Errors errors;
    double done = 0;
    for (const auto& family : families)
    {
        AddFamily(family, request.run, figures, errors);
        request.onProgress(++done / static_cast<double>(families.size()));
    }
    if (figures.empty())
    {
        throw InputError((request.steps.empty() ? "mlperf" : request.steps) +
                         ": no family (org, round, benchmark, gpu, per_node and intra) has systems "
                         "of several sizes");
    }
    const auto more = ErrorFigures(errors);
    figures.insert(figures.end(), more.begin(), more.end());
    return figures;
}

} // namespace

Validation
MlperfValidation()
{
    Validation validation;
    validation.name = "mlperf";
    validation.meaning = "steps of data-parallel systems of MLPerf Training";
    validation.title =
        "MLPerf Training: step times derived from public logs, which are no official results. "
        "Computing is scaled from\nthe smallest system of a family, the network is as declared, "
        "nothing is fitted. P: in proportion to samples, from the\nsame system; L: a line "
        "through the two smallest systems";
    validation.fixedKeys = {"training.trace",
                            "training.iterations",
                            "training.accumulation",
                            "training.gradient_type",
                            "cluster.workers",
                            "cluster.gpus",
                            "cluster.nics",
                            "cluster.bandwidth",
                            "cluster.gpu_bandwidth"};
    validation.models = {g_part};
    validation.part = [](const std::string& /*one*/, const ValidationRequest& request) {
        return ValidationPart{{}, [request](const auto& /*none*/) { return Compare(request); }};
    };
    return validation;
}

} // namespace inca
