/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "calibration/measurement-log.h"

#include "base/errors.h"
#include "base/input-file.h"
#include "calibration/log-tables.h"
#include "calibration/log-text.h"

#include <algorithm>

namespace inca
{

namespace
{

/** A tool, what must all stand in its logs, and what reads them. A new format is a row. */
struct LogFormat
{
    const char* tool;
    std::vector<const char*> signs;
    LogReader read;

    bool IsIn(std::string_view text) const
    {
        return std::all_of(
            signs.begin(), signs.end(), [text](const char* sign) { return Has(text, sign); });
    }
};

const std::vector<LogFormat> g_logFormats{
    {"nccl-tests", {"size ", "type ", "algbw", "busbw"}, ReadNcclTests},
    {"nccl-tests -J", {"\"nccl_version\"", "\"results\""}, ReadNcclTestsJson},
    {"OSU", {"OSU ", " Test v"}, ReadOsu},
    {"IMB", {"# Benchmarking ", "#bytes"}, ReadImb},
    {"iperf3 -J", {"\"start\"", "\"connected\""}, ReadIperfJson},
    {"iperf", {"[ ID] Interval"}, ReadIperfText},
    {"gloo", {"elements", "p50 (", "processes="}, ReadGloo},
    {"all_reduce_bench", {"payload", "busbw", "GBps"}, ReadAllReduceBench},
    {"PARAM", {"COMMS-RES"}, ReadParam},
    {"NCCL Inspector", {"\"coll_perf\"", "\"coll_exec_time_us\""}, ReadInspector}};

/** What often comes, and cannot be read. */
struct OtherFile
{
    std::string_view sign;
    bool isAtBegin;
    const char* why;
};

constexpr OtherFile g_otherFiles[]{{"_exec_time_microseconds{",
                                    false,
                                    "is Prometheus' text, with sizes in buckets; let NCCL "
                                    "Inspector write JSON (NCCL_INSPECTOR_PROM_DUMP=0)"},
                                   {"\xff\xfe", true, "is a text in UTF-16; save it in UTF-8"},
                                   {"\xfe\xff", true, "is a text in UTF-16; save it in UTF-8"},
                                   {"\x1f\x8b", true, "is packed; unpack it first"},
                                   {"PK\x03\x04", true, "is packed; unpack it first"}};

bool
IsLog(std::string_view text)
{
    return std::any_of(g_logFormats.begin(), g_logFormats.end(), [text](const auto& format) {
        return format.IsIn(text);
    });
}

[[noreturn]] void
RefuseLog(const std::string& name, std::string_view text)
{
    for (const auto& [sign, isAtBegin, why] : g_otherFiles)
    {
        if (text.rfind(sign, 0) == 0 || (!isAtBegin && Has(text, sign)))
        {
            throw InputError(name + ": " + why);
        }
    }
    std::string known;
    for (const auto& tool : MeasurementTools())
    {
        known += (known.empty() ? "" : ", ") + tool;
    }
    throw InputError(name + ": holds no measurements that INCA can read; it reads those of " +
                     known);
}

} // namespace

std::vector<std::string>
MeasurementTools()
{
    std::vector<std::string> tools;
    for (const auto& format : g_logFormats)
    {
        tools.emplace_back(format.tool);
    }
    return tools;
}

std::vector<MeasurementTable>
ReadMeasurements(const std::string& path)
{
    constexpr std::size_t most = 64U << 20U;
    return ReadMeasurements(
        path, ReadInputFile(path, most, "is no log of measurements: more than 64 MiB"));
}

std::vector<MeasurementTable>
ReadMeasurements(const std::string& name, std::string_view text)
{
    if (!IsLog(text))
    {
        RefuseLog(name, text);
    }
    LogTables tables(name);
    for (const auto& format : g_logFormats)
    {
        if (format.IsIn(text))
        {
            format.read(text, tables);
        }
    }
    return tables.Finish();
}

} // namespace inca
