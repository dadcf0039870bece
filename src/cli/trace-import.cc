/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/atomic-file.h"
#include "base/errors.h"
#include "base/printable.h"
#include "base/text.h"
#include "base/units.h"
#include "base/value-form.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "import/import-formats.h"
#include "import/recorded-training.h"
#include "job/bucket-plan.h"
#include "report/text-table.h"
#include "trace/native-trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace inca
{

namespace
{

struct TraceImportOptions
{
    std::vector<std::string> files;
    std::string out;
    ImportOptions import;
};

constexpr std::size_t MOST_ROWS = 100;

/** Bytes of the buckets that INCA makes of a trace, in the order in which they are ready. */
std::vector<std::uint64_t>
BucketsOf(const GradientTrace& trace)
{
    LayerTensors layers;
    for (const auto& layer : trace.layers)
    {
        layers.push_back(layer.tensors.empty() ? std::vector<std::uint64_t>{layer.elements}
                                               : layer.tensors);
    }
    BucketSpec spec;
    spec.bytesPerElement = BytesOfGradientType(trace.gradientType);
    std::vector<std::uint64_t> bytes;
    for (const auto& bucket : PlanBuckets(layers, spec).buckets)
    {
        bytes.push_back(bucket.elements.count * spec.bytesPerElement);
    }
    return bytes;
}

/** "3.25 GB/s" of @p bytes in @p ps; "-" where the time is unknown */
std::string
RateText(double bytes, const std::optional<std::int64_t>& ps)
{
    constexpr double PS_PER_NS = 1000; // bytes per ns are GB/s
    return ps && *ps > 0
               ? fmt::format("{:.4g} GB/s", bytes / (static_cast<double>(*ps) / PS_PER_NS))
               : "-";
}

std::vector<std::string>
CellsOf(const ImportedTrace& imported, const std::vector<std::uint64_t>& buckets, std::size_t i)
{
    const auto& each = imported.sums.each;
    const auto bucket = i < buckets.size() ? std::to_string(buckets[i]) : "-";
    if (i >= each.size())
    {
        return {std::to_string(i + 1), "-", bucket, "-", "-", "-"};
    }
    const auto bytes = static_cast<double>(each[i].bytes);
    const bool same = i < buckets.size() && buckets[i] == each[i].bytes;
    // what a ring moves over each link for a byte that is summed, and, but for a reduce-scatter, shared
    const auto workers = static_cast<double>(imported.workers.value_or(0));
    const auto ringShare = (imported.sums.scattered ? 1 : 2) * (workers - 1) / workers;
    return {std::to_string(i + 1),
            std::to_string(each[i].bytes),
            same ? "same" : bucket,
            each[i].ps ? HumanPicoseconds(*each[i].ps) : "-",
            RateText(bytes, each[i].ps),
            workers > 0 ? RateText(bytes * ringShare, each[i].ps) : "-"};
}

/**
 * Puts a table of the recorded all-reduces into the report, with the buckets beside them that INCA makes of
 * the trace by default, and says whether the two are the same.
 */
void
ReportSums(ImportedTrace& imported)
{
    const auto& sums = imported.sums;
    if (sums.each.empty())
    {
        return;
    }
    auto& report = imported.report;
    const auto buckets = BucketsOf(imported.trace);
    const auto rows = std::max(sums.each.size(), buckets.size());
    TextTable table({"", "bytes", "INCA's", "time", "algbw", "busbw"}, 0);
    for (std::size_t i = 0; i < std::min(rows, MOST_ROWS); ++i)
    {
        table.AddRow(CellsOf(imported, buckets, i));
    }
    report.sums = Lines(table.Text());
    if (rows > MOST_ROWS)
    {
        report.sums.push_back(fmt::format("{} more", rows - MOST_ROWS));
    }
    if (sums.iterations > 1)
    {
        report.sums.push_back(fmt::format("times are medians over {} iterations", sums.iterations));
    }
    const bool areSame = std::equal(sums.each.begin(),
                                    sums.each.end(),
                                    buckets.begin(),
                                    buckets.end(),
                                    [](const auto& sum, auto bytes) { return sum.bytes == bytes; });
    if (sums.scattered)
    {
        report.Assume("reduce-scatters are compared to no buckets: training.sharding = \"full\" "
                      "makes units of its own");
    }
    else if (areSame)
    {
        report.Check(fmt::format("INCA's buckets (training.send = \"bucket\") are the recorded "
                                 "all-reduces, {} of {}",
                                 buckets.size(),
                                 sums.each.size()));
    }
    else
    {
        report.Warn(fmt::format("INCA's {} buckets (training.send = \"bucket\") are not the {} "
                                "recorded all-reduces: if DDP had another bucket_cap_mb, set "
                                "exchange.bucket_bytes, and exchange.first_bucket_bytes",
                                buckets.size(),
                                sums.each.size()));
    }
}

/** @throws InputError if what is written would take the place of what is read */
void
RefuseOwnInput(const TraceImportOptions& options)
{
    for (const auto& file : options.files)
    {
        std::error_code error;
        if (std::filesystem::equivalent(file, options.out, error))
        {
            throw InputError("--out: " + options.out + ": is the record that is to be read");
        }
    }
}

void
Import(const TraceImportOptions& options)
{
    RefuseOwnInput(options);
    AtomicFile out(options.out); // refused before a long file is read
    std::vector<std::unique_ptr<ByteSource>> sources;
    for (const auto& file : options.files)
    {
        sources.push_back(std::make_unique<ByteSource>(file));
    }
    auto imported = ImportTrace(sources, options.import);
    ReportSums(imported);
    const auto text = FormatTrace(imported.trace);
    ParseTrace(text, options.out); // what is written is a trace that runs take
    out.Write(text);
    out.Finish();
    fmt::print("{}", PrintableLines(imported.report.Text()));
}

} // namespace

void
AddTraceImport(CLI::App& trace)
{
    const auto options = std::make_shared<TraceImportOptions>();
    auto* command = trace.add_subcommand(
        "import", "makes a trace of the record of one worker, and reports what became of it");
    const OptionAdder add(*command);
    command
        ->add_option("FILE",
                     options->files,
                     "a record; PyTorch's execution trace and profile may be given together")
        ->required()
        ->type_name("FILE...");
    add("-o,--out FILE", options->out, "the trace (CSV)")->required();
    add("--format NAME",
        options->import.format,
        fmt::format("what the files are, if not as they look: {}",
                    fmt::join(ImportFormatNames(), ", ")));
    add("--time-unit UNIT",
        options->import.timeUnit,
        "of workloads and Chakra traces, if not the format's: ns, us, ms, s");
    add("--gradient-type TYPE",
        options->import.gradientType,
        "of the gradients, where the files do not say: fp32, fp16, bf16");
    add("--group NAME",
        options->import.group,
        "the process group of the data-parallel workers, where several sum gradients");
    add("--model TEXT", options->import.model, "what the model is called");
    command->add_option("--batch", options->import.batch, "samples per worker and iteration");
    add("--lenient",
        options->import.lenient,
        "warns of what is unknown or contradicts itself, and goes on");
    command->callback([options] { Import(*options); });
}

} // namespace inca
