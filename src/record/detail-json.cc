/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/detail-json.h"

#include "base/errors.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace inca
{

namespace
{

using Json = nlohmann::json;

/** A name need not be UTF-8; such bytes become the replacement character. */
std::string
TextOf(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/** All that a layer's row says but of which worker it is. */
auto
FiguresOf(const LayerRow& row)
{
    return std::tie(row.layer,
                    row.elements,
                    row.firstBucket,
                    row.lastBucket,
                    row.readyPs,
                    row.startPs,
                    row.endPs,
                    row.exposedCommunicationPs,
                    row.weightsWaitPs,
                    row.plainBytes,
                    row.wireBytes);
}

Json
RowsOfLayers(const std::vector<LayerRow>& layers)
{
    std::vector<std::pair<std::size_t, const LayerRow*>>
        rows; // with the layer's place in the model
    for (const auto& row : layers)
    {
        const bool isOfNext = rows.empty() || rows.back().second->worker != row.worker;
        rows.emplace_back(isOfNext ? 0 : rows.back().first + 1, &row);
    }
    std::stable_sort(
        rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    auto list = Json::array();
    std::size_t last = 0;         // place of the list's last row
    std::uint32_t next = 0;       // worker that would follow it
    const LayerRow* of = nullptr; // what it is of
    for (const auto& [place, row] : rows)
    {
        const bool isAlike = of != nullptr && place == last && row->worker == next &&
                             FiguresOf(*of) == FiguresOf(*row);
        if (!isAlike)
        {
            Json figures = FiguresOf(*row);
            figures.insert(figures.begin(), {row->worker, 0});
            list.push_back(std::move(figures));
            of = row;
            last = place;
        }
        next = row->worker + 1;
        list.back()[1] = next - list.back()[0].get<std::uint32_t>();
    }
    return list;
}

Json
RowsOfLinks(const std::vector<LinkRow>& links)
{
    auto list = Json::array();
    for (const auto& row : links)
    {
        const auto drops = std::accumulate(
            row.drops.begin(), row.drops.end(), std::uint64_t{0}, [](auto sum, const auto& drop) {
                return sum + drop.frames;
            });
        list.push_back(Json::array({row.link,
                                    row.from,
                                    row.to,
                                    row.bitsPerSecond,
                                    row.wireBytes,
                                    row.frames,
                                    row.utilisation,
                                    row.largestQueueBytes,
                                    row.markedFrames,
                                    drops}));
    }
    return list;
}

/** @return {} of more than are kept */
template <class DetailRow>
std::vector<DetailRow>
IfFew(const std::vector<DetailRow>& rows)
{
    return rows.size() > MOST_DETAILS ? std::vector<DetailRow>() : rows;
}

/** @throws Json's exceptions */
std::vector<LayerRow>
LayersIn(const Json& list)
{
    std::vector<LayerRow> layers;
    for (const auto& row : list)
    {
        const std::uint64_t workers = row.at(1);
        if (workers > MOST_DETAILS - layers.size())
        {
            throw InvariantError("a result with more layers than are kept");
        }
        for (std::uint32_t i = 0; i < workers; ++i)
        {
            layers.push_back({row.at(0).get<std::uint32_t>() + i,
                              row.at(2),
                              row.at(3),
                              row.at(4),
                              row.at(5),
                              row.at(6),
                              row.at(7),
                              row.at(8),
                              row.at(9),
                              row.at(10),
                              row.at(11),
                              row.at(12)});
        }
    }
    std::stable_sort(layers.begin(), layers.end(), [](const LayerRow& a, const LayerRow& b) {
        return a.worker < b.worker;
    });
    return layers;
}

} // namespace

std::string
LayersJson(const std::vector<LayerRow>& layers)
{
    return TextOf(RowsOfLayers(IfFew(layers)));
}

std::vector<LayerRow>
LayersOfJson(std::string_view json)
{
    try
    {
        return LayersIn(Json::parse(json));
    }
    catch (const Json::exception& error)
    {
        throw InvariantError(std::string("no layers of a result: ") + error.what());
    }
}

std::string
LinksJson(const std::vector<LinkRow>& links)
{
    return TextOf(RowsOfLinks(IfFew(links)));
}

} // namespace inca
