/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TOPOLOGY_TOPOLOGY_SPEC_H
#define INCA_TOPOLOGY_TOPOLOGY_SPEC_H

#include <cstdint>
#include <string>

namespace inca
{

/** Everything that any topology can be told; each reads what concerns it. */
struct TopologySpec
{
    std::string name{"star"};
    std::uint32_t hosts{4};        ///< workers, aggregators and servers
    std::uint32_t nodeSize{1};     ///< hosts that are GPUs of one node; 1: each is a node itself
    std::uint32_t nics{1};         ///< of a node with several hosts
    std::uint32_t hostsPerLeaf{4}; ///< leaf-spine; the last leaf may have fewer
    std::uint32_t spines{2};       ///< leaf-spine; every leaf has one trunk to each
    std::uint32_t arity{4};        ///< fat-tree: ports of every switch, an even number
    std::uint32_t trunks{1};       ///< rack-pair: parallel cables between the two racks
};

} // namespace inca

#endif // INCA_TOPOLOGY_TOPOLOGY_SPEC_H
