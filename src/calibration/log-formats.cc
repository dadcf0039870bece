/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "calibration/measurement-log.h"

#include "base/errors.h"
#include "base/input-file.h"
#include "base/text.h"
#include "calibration/log-tables.h"
#include "calibration/log-text.h"

#include <algorithm>
#include <utility>

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
    {"nccl-tests", {"size", "count", "type", "algbw", "busbw"}, ReadNcclTests},
    {"nccl-tests -J", {"\"nccl_version\"", "\"results\""}, ReadNcclTestsJson},
    {"OSU", {"OSU ", " Test v"}, ReadOsu},
    {"IMB", {"Benchmarking ", "#bytes"}, ReadImb},
    {"perftest", {"#bytes", "#iterations"}, ReadPerftest},
    {"iperf3 -J", {"\"start\"", "\"connected\""}, ReadIperfJson},
    {"iperf", {"[ ID] Interval"}, ReadIperf},
    {"gloo", {"elements", "p50 (", "processes="}, ReadGloo},
    {"all_reduce_bench", {"payload", "busbw", "GBps"}, ReadAllReduceBench},
    {"PARAM", {"COMMS-RES"}, ReadParam},
    {"NCCL Inspector", {"\"coll_perf\"", "\"coll_exec_time_us\""}, ReadInspector},
    {"rccl-tests -Z json", {"\"inPlace\"", "\"busBw\""}, ReadRcclJson},
    {"rccl-tests -Z csv", {",redop,in", ",time,"}, ReadCsv},
    {"CSV", {"ytes", "ime_"}, ReadCsv}}; // or Bytes, Time_us

/** What stands in files that often come and hold no measurement that can be fitted, and what to do. */
constexpr std::pair<std::string_view, const char*> g_otherFiles[]{
    {"\xff\xfe", "is a text in UTF-16; save it in UTF-8"},
    {"\xfe\xff", "is a text in UTF-16; save it in UTF-8"},
    {"\x1f\x8b", "is packed; unpack it first"},
    {"PK\x03\x04", "is packed; unpack it first"},
    {"_exec_time_microseconds{",
     "is Prometheus' text, with sizes in buckets; let NCCL Inspector write JSON "
     "(NCCL_INSPECTOR_PROM_DUMP=0)"},
    {"DDP Initialized with", "is DDP's log; inca trace import makes a trace of it"}};

/** @return what to say of a text that no format is in */
std::string
WhyNoLog(std::string_view text)
{
    for (const auto& [sign, why] : g_otherFiles)
    {
        if (Has(text, sign))
        {
            return why;
        }
    }
    std::string why = "holds no measurements that INCA can read; it reads those of";
    for (const auto& format : g_logFormats)
    {
        why += Text(&format == &g_logFormats.front() ? " " : ", ", format.tool);
    }
    return why + "; " + ANY_TOOLS_FORM;
}

/** @return the text without a mark of UTF-8, and with one blank for several and for tabs */
std::string
WithSingleBlanks(std::string_view text)
{
    constexpr std::string_view mark{"\xef\xbb\xbf"};
    std::string plain(text.substr(text.rfind(mark, 0) == 0 ? mark.size() : 0));
    std::replace(plain.begin(), plain.end(), '\t', ' ');
    const auto areBlanks = [](char one, char other) { return one == ' ' && other == ' '; };
    plain.erase(std::unique(plain.begin(), plain.end(), areBlanks), plain.end());
    return plain;
}

} // namespace

std::vector<MeasurementTable>
ReadMeasurements(const std::string& path, std::uint32_t ranks)
{
    constexpr std::size_t most = 64U << 20U;
    constexpr const char* why = "is no log of measurements: more than 64 MiB";
    return path == "-" ? ReadMeasurements(STDIN_NAME, ReadStandardInput(most, why), ranks)
                       : ReadMeasurements(path, ReadInputFile(path, most, why), ranks);
}

std::vector<MeasurementTable>
ReadMeasurements(const std::string& name, std::string_view text, std::uint32_t ranks)
{
    LogTables tables(name, ranks);
    const auto plain = WithSingleBlanks(text);
    LogReader last = nullptr; // formats of one reader follow each other
    for (const auto& format : g_logFormats)
    {
        if (format.read != last && format.IsIn(plain))
        {
            last = format.read;
            format.read(plain, tables);
        }
    }
    if (last == nullptr)
    {
        throw InputError(name + ": " + WhyNoLog(text));
    }
    return tables.Finish();
}

} // namespace inca
