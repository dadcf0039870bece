/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/text.h"
#include "calibration/json-objects.h"
#include "calibration/log-tables.h"
#include "calibration/log-text.h"

#include <algorithm>
#include <cmath>

namespace inca
{

namespace
{

using nlohmann::json;

constexpr const char* NO_UDP =
    "the test is of UDP, whose rate is what it was asked for; measure with TCP";
constexpr const char* NO_END = "the file ends before iperf's result";

/** A result of iperf3; with --bidir it has two directions. */
void
ReadIperfRun(std::uint64_t number, const json& start, const json& end, LogTables& tables)
{
    for (const std::string direction : {"", "_bidir_reverse"})
    {
        // of a server's own file one is empty
        const bool isReceived = CountAt(end, "/sum_received" + direction + "/bytes") > 0;
        const auto sum = (isReceived ? "/sum_received" : "/sum_sent") + direction;
        if (const auto bytes = CountAt(end, sum + "/bytes"); bytes > 0)
        {
            tables.Add({bytes, ValueAt<double>(end, sum + "/seconds"), number});
        }
    }
    constexpr double busyPercent = 90;
    constexpr double longUs = 1000;
    const auto value = [](const json& from, const char* path) {
        return ValueAt<double>(from, path);
    };
    const auto roundTripUs = value(end, "/streams/0/sender/min_rtt");
    const auto streams = value(start, "/test_start/num_streams");
    const bool isBusy = value(end, "/cpu_utilization_percent/host_total") > busyPercent ||
                        value(end, "/cpu_utilization_percent/remote_total") > busyPercent;
    const std::pair<bool, std::string> doubts[]{
        {end.contains("sum_received_bidir_reverse"),
         "Both directions were in use at once (--bidir)."},
        {isBusy, "A host's processor was busy, which may have limited the rate."},
        {roundTripUs > longUs,
         Text("A round trip took ",
              roundTripUs,
              " us or more: TCP's window may have limited the rate.")},
        {streams > 1, Text("The rate is that of ", streams, " streams together.")}};
    for (const auto& [isDoubtful, why] : doubts)
    {
        isDoubtful ? tables.Remark(0, why) : void();
    }
}

/** A line such as "[SUM]  0.0- 10.0 sec  10.7 GBytes  9.21 Gbits/sec", of the time from begin to end. (seconds) */
struct IperfLine
{
    double begin{0};
    double end{0};
    std::string_view rate;
    std::string_view unit; ///< empty: it is no such line

    explicit IperfLine(std::string_view line = {})
    {
        const auto text = After(line, "]");
        std::string interval(text.substr(0, std::min(text.find("sec"), text.size())));
        interval.erase(std::remove(interval.begin(), interval.end(), ' '), interval.end());
        const auto first = NumberIn(interval.substr(0, interval.find('-')));
        const auto last = NumberIn(After(interval, "-"));
        const auto words = Words(text);
        const auto per =
            std::find_if(words.begin(), words.end(), [](auto word) { return Has(word, "/sec"); });
        if (first && last && per != words.begin() && per != words.end())
        {
            begin = *first;
            end = *last;
            rate = per[-1];
            unit = *per;
        }
    }
};

/** What iperf prints of a run, of whose lines that of all its time and streams counts. */
struct IperfRun
{
    IperfLine best{};
    int bestRank{0};
    std::uint64_t bestNumber{0};
    double lastBegin{0};
    std::uint64_t lastNumber{0}; ///< 0: there is no run
    bool isUdp{false};
    bool isThree{false}; ///< iperf3's

    void AddTo(LogTables& tables) const
    {
        if (lastNumber == 0)
        {
            return;
        }
        const bool isCut = bestNumber == 0 || lastBegin >= best.end;
        const auto number = isCut ? lastNumber : bestNumber;
        tables.BeginTest(number, isThree ? "iperf3" : "iperf", "stream", 2);
        if (isUdp || isCut)
        {
            tables.Refuse(number, isUdp ? NO_UDP : NO_END);
            return;
        }
        const auto unit = tables.Unit(number, best.unit, true);
        const auto bytes = NumberIn(best.rate).value_or(0) * unit.bytesPerSecond * best.end;
        tables.Add({static_cast<std::uint64_t>(std::llround(std::clamp(bytes, 0., 1e18))),
                    best.end,
                    number});
    }
};

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
        tables.BeginTest(object.line, "iperf3", "stream", 2);
        if (!error.empty())
        {
            tables.Refuse(object.line, "iperf3 reports an error: " + error.substr(0, 200));
        }
        else if (!object.isWhole)
        {
            tables.Refuse(object.line, NO_END);
        }
        else if (ValueAt<std::string>(start, "/test_start/protocol") == "UDP")
        {
            tables.Refuse(object.line, NO_UDP);
        }
        else
        {
            ReadIperfRun(object.line, start, end, tables);
        }
    });
}

void
ReadIperf(std::string_view text, LogTables& tables)
{
    IperfRun run;
    ForEachLine(text, [&](auto number, auto line) {
        if (Has(line, "onnecting to ") || Has(line, "Accepted connection"))
        {
            run.AddTo(tables);
            run = IperfRun();
        }
        const bool isReceiver = Has(line, "receiver");
        const bool isSummary = isReceiver || Has(line, "sender");
        run.isThree = run.isThree || isSummary || Has(line, "Connecting to host") ||
                      Has(line, "Accepted connection") || Has(line, "Bitrate");
        run.isUdp = run.isUdp || Has(line, " UDP ") || Has(line, "Datagrams");
        const IperfLine row(line);
        if (row.unit.empty() || Has(line, "omitted"))
        {
            return;
        }
        const int rank = (isReceiver ? 2 : 0) + (Has(line, "[SUM]") ? 1 : 0);
        run.lastNumber = number;
        run.lastBegin = std::max(run.lastBegin, row.begin);
        const bool isOfAll = row.begin == 0 && (isSummary || !run.isThree);
        if (isOfAll && std::pair(rank, row.end) >= std::pair(run.bestRank, run.best.end))
        {
            run.best = row;
            run.bestRank = rank;
            run.bestNumber = number;
        }
    });
    run.AddTo(tables);
}

} // namespace inca
