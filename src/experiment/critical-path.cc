/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/critical-path.h"

#include "experiment/network-seen.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

namespace inca
{

namespace
{

constexpr std::array<PathKindText, PATH_KINDS> g_pathKinds{
    {{"start", ""},
     {"forward", "compute"},
     {"backward", "compute"},
     {"update", "compute"},
     {"NVLink", "NVLink"},
     {"copy", "host"},
     {"sparsify", "host"},
     {"encode", "host"},
     {"decode", "host"},
     {"sum", "host"},
     {"protocol", "host"},
     {"message cost", "host"},
     {"frame cost", "host"},
     {"host bytes", "host"},
     {"compression engine", "compression engine"},
     {"decompression engine", "decompression engine"},
     {"link", "link"},
     {"trunk", "trunk"},
     {"propagation", "latency"},
     {"switch", "latency"},
     {"adder", "switch"},
     {"timeout", "timeout"},
     {"cycle", "cycle"},
     {"answer", ""},
     {"window", "window"},
     {"slots", "slots"},
     {"repeated", ""}}};

using Shares =
    std::map<std::tuple<PathKind, PathKind, PathKind, std::uint32_t, std::uint32_t>, PathShare>;

/** What places of ns-3's nodes are called. */
class Places
{
  public:
    Places(const Cluster& cluster, const std::vector<std::string>& hosts)
    {
        const auto links = NamedLinks(cluster.plan, hosts);
        m_areGpus = cluster.plan.nodeSize > 1;
        const auto nics = cluster.plan.NicCount();
        for (std::uint32_t host = 0; host < cluster.nics.size(); ++host)
        {
            const auto port = cluster.PortTo(host);
            Add(*cluster.nics[host], {links[2 * host].name, host});
            Add(*port, {links[2 * host + 1].name, host});
            m_nodes[cluster.hosts.Get(host)->GetId()] = {links[2 * host].from, host};
        }
        auto link = links.begin() + static_cast<std::ptrdiff_t>(2 * cluster.nics.size());
        for (std::size_t i = 0; i < cluster.trunks.size(); ++i)
        {
            const auto& planned = cluster.plan.trunks[i];
            const auto& trunk = cluster.trunks[i];
            const bool isFabric = i >= nics;
            Add(*cluster.switches[planned.lower]->GetPort(trunk.lowerPort),
                {(link++)->name, {}, isFabric});
            Add(*cluster.switches[planned.upper]->GetPort(trunk.upperPort),
                {(link++)->name, {}, isFabric});
        }
        for (std::uint32_t i = 0; i < cluster.switchNodes.GetN(); ++i)
        {
            m_nodes[cluster.switchNodes.Get(i)->GetId()] = {cluster.plan.switches[i].name, {}};
        }
    }

    bool IsHost(std::uint32_t node) const
    {
        const auto found = m_nodes.find(node);
        return found != m_nodes.end() && found->second.host.has_value();
    }

    void Name(PathShare& share) const
    {
        const bool isLink = share.kind == PathKind::LINK || share.kind == PathKind::TRUNK ||
                            share.kind == PathKind::LATENCY;
        const auto port = m_ports.find({share.node, share.detail});
        const auto node = m_nodes.find(share.node);
        const auto place = isLink && port != m_ports.end() ? port->second
                           : node != m_nodes.end()         ? node->second
                                                           : Place{};
        share.place = place.name;
        share.host = place.host;
        if (m_areGpus && share.kind == PathKind::LINK)
        {
            share.kind = PathKind::GPU_LINKS;
        }
        else if (m_areGpus && share.kind == PathKind::TRUNK && !place.isFabric)
        {
            share.kind = PathKind::LINK; // of a NIC
        }
    }

  private:
    struct Place
    {
        std::string name;
        std::optional<std::uint32_t> host;
        bool isFabric{false}; ///< a trunk that is no NIC of a node
    };

    void Add(const LinkPort& port, Place place)
    {
        m_ports[{port.NodeId(), port.GetIfIndex()}] = std::move(place);
    }

    bool m_areGpus{false}; ///< hosts, so that their links are inside nodes
    std::map<std::pair<std::uint32_t, std::uint32_t>, Place> m_ports;
    std::map<std::uint32_t, Place> m_nodes;
};

/** For which answers senders wait, as the path is gone back: round trips, from what was sent to the answer. */
class Trips
{
  public:
    explicit Trips(const Places& places)
        : m_places(places)
    {
    }

    /** @return PathShare::awaited and PathShare::trip of the piece */
    std::pair<PathKind, PathKind> Of(const PathPiece& piece)
    {
        const bool isOnLink = piece.kind == PathKind::LINK && m_places.IsHost(piece.place);
        if (m_answer != PathKind::START && IsInQueue(piece))
        {
            m_answer = m_trip = PathKind::START;
            m_answers.clear();
        }
        if (m_sent &&
            !(isOnLink &&
              piece.place == *m_sent)) // frames in a row count as one piece, or as several
        {
            m_trip = PathKind::START;
            m_sent.reset();
        }
        if (piece.kind == PathKind::WINDOW || piece.kind == PathKind::SLOTS)
        {
            m_answer = piece.kind;
            m_trip = piece.kind;
            m_way = {{piece.kind, piece.detail}, piece.place, 0};
        }
        else if (piece.kind == PathKind::ANSWER)
        {
            Answered(piece.place);
        }
        if (isOnLink && m_answer == PathKind::START && m_trip != PathKind::START)
        {
            m_sent = piece.place;
        }
        return {m_answer, m_trip};
    }

    /** It is a part of what is looked at, and takes @p ps. */
    void Add(const PathPiece& piece, std::int64_t ps)
    {
        if (m_trip == PathKind::START)
        {
            return;
        }
        auto& times = m_times[std::get<0>(m_way)];
        times.count += piece.kind == m_trip ? piece.times : 0;
        times.allPs += ps;
        if (piece.kind == PathKind::LATENCY || piece.kind == PathKind::SWITCH)
        {
            times.latencyPs += ps;
            return;
        }
        auto& works = m_answer == PathKind::START ? m_works[m_way] : m_answers;
        auto& work = works[{piece.kind, piece.place, piece.detail}];
        work.ps += ps;
        work.frames += piece.count * piece.times;
    }

    /** What works longest may be another one for each sender and receiver. */
    TripTable Take()
    {
        for (const auto& [way, works] : m_works)
        {
            const auto& [trip, sender, receiver] = way;
            const auto longest =
                std::max_element(works.begin(), works.end(), [](const auto& a, const auto& b) {
                    return a.second.ps < b.second.ps;
                });
            m_times[trip].busyPs += longest->second.ps;
            m_times[trip].busyFrames += longest->second.frames;
        }
        return std::move(m_times);
    }

  private:
    struct Work
    {
        std::int64_t ps{0};
        std::uint64_t frames{0};
    };

    /** By kind, node and port. */
    using Works = std::map<std::tuple<PathKind, std::uint32_t, std::uint32_t>, Work>;
    using Way = std::tuple<TripTable::key_type, std::uint32_t, std::uint32_t>; ///< from, to

    /** Whether it waits behind other frames of a link, so that the path goes on with what these waited for. */
    bool IsInQueue(const PathPiece& piece)
    {
        const bool isOnLink = piece.kind == PathKind::LINK || piece.kind == PathKind::TRUNK;
        const auto link =
            isOnLink ? std::optional(std::pair(piece.place, piece.detail)) : std::nullopt;
        const bool isSame = link && link == m_link;
        m_link = link;
        return isSame || (isOnLink && piece.count > 1);
    }

    /** The path has come to where an answer began, at @p receiver. */
    void Answered(std::uint32_t receiver)
    {
        m_answer = PathKind::START;
        std::get<2>(m_way) = receiver;
        for (const auto& [resource, work] : m_answers)
        {
            auto& all = m_works[m_way][resource];
            all.ps += work.ps;
            all.frames += work.frames;
        }
        m_answers.clear();
    }

    const Places& m_places;
    PathKind m_answer{PathKind::START};
    std::optional<std::uint32_t>
        m_sent; ///< the host that sent what is answered, once the path has come to it
    PathKind m_trip{PathKind::START};
    Way m_way;
    std::optional<std::pair<std::uint32_t, std::uint32_t>> m_link; ///< that the answer took last
    TripTable m_times;
    std::map<Way, Works> m_works;
    Works m_answers; ///< of which the path has not come to the receiver
};

} // namespace

const PathKindText&
TextOf(PathKind kind)
{
    return g_pathKinds[static_cast<std::size_t>(kind)];
}

CriticalPath
FindCriticalPath(const PathEnd& end,
                 Span window,
                 bool withSpans,
                 const Cluster& cluster,
                 const std::vector<std::string>& hosts)
{
    CriticalPath path;
    Shares shares;
    const Places places(cluster, hosts);
    Trips trips(places);
    PathLog::Walk(end, [&](PathPiece piece) {
        const auto [awaited, trip] = trips.Of(piece);
        if (!piece.isRepeated)
        {
            piece.beginPs = std::max(piece.beginPs, window.beginPs);
        }
        const auto ps = (piece.endPs - piece.beginPs) * static_cast<std::int64_t>(piece.times);
        if (piece.endPs <= window.beginPs)
        {
            return;
        }
        trips.Add(piece, ps);
        if (ps <= 0)
        {
            return;
        }
        auto& share = shares[{piece.kind, awaited, trip, piece.place, piece.detail}];
        share.ps += ps;
        share.pieces += piece.count * piece.times;
        if (withSpans && !piece.isRepeated)
        {
            PathShare here;
            std::tie(here.kind, here.node, here.detail) =
                std::tuple(piece.kind, piece.place, piece.detail);
            places.Name(here);
            path.spans.push_back({{piece.beginPs, piece.endPs},
                                  std::string(TextOf(here.kind).name) + ", " + here.place});
        }
    });
    path.trips = trips.Take();
    for (auto& [what, share] : shares)
    {
        std::tie(share.kind, share.awaited, share.trip, share.node, share.detail) = what;
        places.Name(share);
        path.shares.push_back(std::move(share));
    }
    std::reverse(path.spans.begin(), path.spans.end());
    return path;
}

} // namespace inca
