/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/layer-offsets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

namespace inca
{

namespace
{

using Piece = std::tuple<std::size_t, std::uint64_t, std::uint64_t, std::uint64_t>;

/** Pieces of a model whose layers have 3, 1 and 4 elements. */
std::vector<Piece>
PiecesOf(std::uint64_t begin, std::uint64_t count)
{
    GradientTrace trace;
    for (const std::uint64_t elements : {3, 1, 4})
    {
        trace.layers.emplace_back();
        trace.layers.back().elements = elements;
    }
    std::vector<Piece> pieces;
    LayerOffsets(trace).ForEach(begin, count, [&](auto layer, auto first, auto length, auto at) {
        pieces.emplace_back(layer, first, length, at);
    });
    return pieces;
}

} // namespace

/* Elements 0-2 are layer 0, 3 is layer 1, 4-7 layer 2: (layer, first in it, length, first in range). */
TEST(LayerOffsets, CutAtTheLayersEnds)
{
    EXPECT_THAT(PiecesOf(0, 8),
                testing::ElementsAre(Piece{0, 0, 3, 0}, Piece{1, 0, 1, 3}, Piece{2, 0, 4, 4}));
    EXPECT_THAT(PiecesOf(2, 3),
                testing::ElementsAre(Piece{0, 2, 1, 0}, Piece{1, 0, 1, 1}, Piece{2, 0, 1, 2}));
    EXPECT_THAT(PiecesOf(5, 2), testing::ElementsAre(Piece{2, 1, 2, 0}));
    EXPECT_THAT(PiecesOf(3, 1), testing::ElementsAre(Piece{1, 0, 1, 0}));
    EXPECT_THAT(PiecesOf(8, 0), testing::IsEmpty());
}

} // namespace inca
