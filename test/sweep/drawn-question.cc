/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/drawn-question.h"

#include "support/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include <unistd.h>

namespace inca
{

namespace
{

std::string
TitleOf(const Judged& judged)
{
    const auto& candidate = judged.candidate;
    return candidate.exchange + ", " + candidate.codec + ", " + candidate.bucket;
}

std::string
DrawnCluster(Draw& draw, std::uint32_t mostWorkers)
{
    auto workers = draw.Of({4U, 4U, 8U, 16U, 32U});
    workers = std::min(workers, mostWorkers);
    return fmt::format("[cluster]\nworkers = {}\ntopology = \"{}\"\nbandwidth = \"{}\"\n"
                       "latency = \"{}\"\nmtu = {}\n",
                       workers,
                       draw.Of({"star", "star", "rack-pair", "leaf-spine"}),
                       draw.Of({"1Gbps", "10Gbps", "25Gbps", "100Gbps", "200Gbps"}),
                       draw.Of({"500ns", "1us", "5us"}),
                       draw.Of({1500, 9000}));
}

std::string
DrawnHosts(Draw& draw)
{
    return fmt::format(
        "[host]\npreset = \"{}\"\n[engine]\nclock = \"{}\"\n[switch]\nadder = \"{}\"\n",
        draw.Of({"none", "gpudirect", "gpudirect", "inceptionn", "tcp"}),
        draw.Of({"100MHz", "400MHz", "1GHz"}),
        draw.Of({"int32", "fp32"}));
}

} // namespace

DrawnQuestion
DrawQuestion(std::uint32_t number,
             const std::vector<std::string>& traces,
             std::uint32_t mostWorkers)
{
    Draw draw(number);
    DrawnQuestion drawn;
    const auto trace = traces[draw.Of({0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U}) % traces.size()];
    drawn.toml = fmt::format("[training]\ntrace = \"{}\"\niterations = 2\noverlap = {}\n",
                             trace,
                             draw.Of({"true", "true", "false"}));
    const auto density = draw.Of({0.0, 0.01, 0.05, 0.3});
    drawn.toml += density > 0 ? fmt::format("density = {}\n", density) : "";
    drawn.toml += DrawnCluster(draw, mostWorkers) + DrawnHosts(draw);
    const std::string losses = draw.Of(
        {"", "", "2^-10", "int32,sketch", "2^-8,truncate:16,cast:bf16,int32,sketch,16-bit"});
    if (!losses.empty())
    {
        drawn.question.losses = ParseLosses(losses);
    }
    return drawn;
}

std::vector<std::string>
WriteSmallTraces(const std::string& folder)
{
    std::vector<std::string> paths;
    for (const int computeNs : {0, 20'000, 400'000})
    {
        paths.push_back(fmt::format("{}/inca-decide-{}-{}.csv", folder, ::getpid(), computeNs));
        std::ofstream file(paths.back());
        file << "#inca-trace v1\n# model: small\n# source: made for this test\n# class: assumed\n"
                "layer,elements,forward_ns,backward_ns,update_ns,density,exponents\n";
        for (const int elements : {20'000, 300'000, 5'000, 600'000, 150'000})
        {
            file << fmt::format("l{},{},{},{},{},0.2,0:0.8;110:0.1;118:0.1\n",
                                elements,
                                elements,
                                computeNs,
                                2 * computeNs,
                                computeNs / 4);
        }
    }
    return paths;
}

DecisionStudy
StudyDecision(const DrawnQuestion& drawn, const std::string& folder)
{
    const auto path = fmt::format("{}/inca-drawn-question-{}.toml", folder, ::getpid());
    std::ofstream(path) << drawn.toml;
    ScenarioVariants variants(path);
    auto decision = Decide(drawn.question, variants, RunPoint);
    DecisionStudy study;
    study.grid = decision.grid;
    study.share = static_cast<double>(decision.runs) / static_cast<double>(decision.grid);
    study.found = TitleOf(decision.judged[*decision.best]);
    const Judged* best = nullptr;
    for (auto& judged : decision.judged)
    {
        if (!judged.CanWin())
        {
            continue;
        }
        if (!judged.WasRun())
        {
            const auto settings = SettingsOf(drawn.question, judged.candidate);
            judged.record = RunPoint(variants.Make(settings).scenario).record;
        }
        study.exceptions += judged.WasRun() && judged.IterationPs() < judged.boundPs ? 1 : 0;
        if (judged.WasRun() && (best == nullptr || judged.IterationPs() < best->IterationPs()))
        {
            best = &judged;
        }
    }
    study.best = TitleOf(*best);
    study.regret = static_cast<double>(decision.judged[*decision.best].IterationPs()) /
                       static_cast<double>(best->IterationPs()) -
                   1;
    return study;
}

} // namespace inca
