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
        }
        else if (piece.kind == PathKind::ANSWER)
        {
            m_answer = PathKind::START;
        }
        if (isOnLink && m_answer == PathKind::START && m_trip != PathKind::START)
        {
            m_sent = piece.place;
        }
        return {m_answer, m_trip};
    }

  private:
    const Places& m_places;
    PathKind m_answer{PathKind::START};
    std::optional<std::uint32_t>
        m_sent; ///< the host that sent what is answered, once the path has come to it
    PathKind m_trip{PathKind::START};
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
        if (piece.beginPs >= piece.endPs || piece.endPs <= window.beginPs)
        {
            return;
        }
        auto& share = shares[{piece.kind, awaited, trip, piece.place, piece.detail}];
        share.ps += (piece.endPs - piece.beginPs) * static_cast<std::int64_t>(piece.times);
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
