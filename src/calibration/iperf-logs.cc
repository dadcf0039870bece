/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/text.h"
#include "calibration/json-objects.h"
#include "calibration/log-tables.h"
#include "calibration/log-text.h"

#include <algorithm>

namespace inca
{

namespace
{

using nlohmann::json;

constexpr const char* NO_UDP =
    "the test is of UDP, whose rate is what it was asked for; measure with TCP";

/** What may have limited a rate, other than the network. */
void
DoubtRate(const json& start, const json& end, LogTables& tables)
{
    constexpr double busyPercent = 90;
    constexpr double longUs = 1000;
    const auto here = ValueAt<double>(end, "/cpu_utilization_percent/host_total");
    const auto there = ValueAt<double>(end, "/cpu_utilization_percent/remote_total");
    const auto roundTripUs = ValueAt<double>(end, "/streams/0/sender/min_rtt");
    const auto streams = ValueAt<double>(start, "/test_start/num_streams");
    if (std::max(here, there) > busyPercent)
    {
        tables.Remark(0, "A host's processor was busy, which may have limited the rate.");
    }
    if (roundTripUs > longUs)
    {
        tables.Remark(0,
                      Text("A round trip took ",
                           roundTripUs,
                           " us or more: TCP's window may have limited the rate."));
    }
    if (streams > 1)
    {
        tables.Remark(0, Text("The rate is that of ", streams, " streams together."));
    }
}

/** A result of iperf3; with --bidir it has two directions. */
void
ReadIperfRun(std::uint64_t number, const json& start, const json& end, LogTables& tables)
{
    const auto here = ValueAt<std::string>(start, "/connected/0/local_host");
    const auto there = ValueAt<std::string>(start, "/connected/0/remote_host");
    tables.Current()->ranks = 2;
    tables.Current()->nodes = here.empty() ? 0 : here == there ? 1 : 2;
    for (const std::string direction : {"", "_bidir_reverse"})
    {
        const auto sent = ValueAt<double>(end, "/sum_sent" + direction + "/bits_per_second");
        const auto received =
            ValueAt<double>(end, "/sum_received" + direction + "/bits_per_second");
        const auto rate =
            received > 0 ? received : sent; // the server's own file may have the other only
        if (rate > 0)
        {
            tables.Add({MeasuredKind::STREAM, 0, 0, rate / 8, number});
        }
    }
    if (end.contains("sum_received_bidir_reverse"))
    {
        tables.Remark(0, "Both directions were in use at once (--bidir).");
    }
    DoubtRate(start, end, tables);
}

/** @return bytes per second of "9.21 Gbits/sec" or "1.07 GBytes/sec"; 0: another unit */
double
RateIn(std::string_view number, std::string_view unit)
{
    const auto power = std::string_view("bKMGT").find(unit.substr(0, 1));
    const bool isBits = Has(unit, "bits/sec");
    const auto base = isBits ? 1000. : 1024.;
    double rate = NumberIn(number).value_or(0) / (isBits ? 8 : 1);
    for (std::size_t times = 0; times < power && power != std::string_view::npos; ++times)
    {
        rate *= base;
    }
    return isBits || Has(unit, "Bytes/sec") ? rate : 0;
}

} // namespace

void
ReadIperfJson(std::string_view text, LogTables& tables)
{
    json start; // of --json-stream, which has an object for each event
    ForEachJsonObject(text, tables, [&](const JsonObject& object) {
        const auto event = ValueAt<std::string>(object.members, "/event");
        const auto data = ValueAt<json>(object.members, event.empty() ? "" : "/data");
        start = event.empty() ? ValueAt<json>(data, "/start") : event == "start" ? data : start;
        const auto end = event.empty()    ? ValueAt<json>(data, "/end")
                         : event == "end" ? data
                                          : json();
        const auto error =
            ValueAt<std::string>(object.members, event == "error" ? "/data" : "/error");
        if (error.empty() && object.isWhole && !end.is_object())
        {
            return; // another event
        }
        tables.Begin(object.line, "iperf3", "Result");
        if (!error.empty())
        {
            tables.Refuse(object.line, "iperf3 reports an error: " + error.substr(0, 200));
        }
        else if (!object.isWhole)
        {
            tables.Refuse(object.lastLine, "the file ends before iperf3's result");
        }
        else if (ValueAt<std::string>(start, "/test_start/protocol") == "UDP")
        {
            tables.Refuse(object.line, NO_UDP);
        }
        else
        {
            ReadIperfRun(object.number, start, end, tables);
        }
    });
}

void
ReadIperfText(std::string_view text, LogTables& tables)
{
    Measurement best{
        MeasuredKind::STREAM, 0, 0, 0, 0}; // of a run's lines, that of all its time and streams
    std::string digits;
    int bestRank = 0;
    bool isUdp = false;
    const char* tool = "iperf";
    const auto conclude = [&] {
        if (best.line != 0)
        {
            tables.Begin(best.line, tool).ranks = 2;
            isUdp ? tables.Refuse(best.line, NO_UDP) : tables.Add(best, digits);
        }
        best.line = 0;
        bestRank = 0;
        isUdp = false;
    };
    ForEachLine(text, [&](auto number, auto line) {
        if (Has(line, "onnecting to ") || Has(line, "Accepted connection"))
        {
            conclude();
        }
        const bool isReceiver = Has(line, "receiver");
        tool = isReceiver || Has(line, "Bitrate") ? "iperf3" : tool;
        isUdp = isUdp || Has(line, " UDP ") || Has(line, "Datagrams");
        const int rank = (isReceiver ? 2 : 0) + (Has(line, "[SUM]") ? 1 : 0);
        const auto words = Words(line);
        const auto unit =
            std::find_if(words.begin(), words.end(), [](auto word) { return Has(word, "/sec"); });
        const bool isRow =
            Has(line, "[") && unit != words.begin() && unit != words.end() && NumberIn(unit[-1]);
        if (isRow && rank >= bestRank)
        {
            best.bytesPerSecond = RateIn(unit[-1], *unit);
            best.line = number;
            digits = unit[-1];
            bestRank = rank;
        }
    });
    conclude();
}

} // namespace inca
