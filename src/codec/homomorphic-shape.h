/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_HOMOMORPHIC_SHAPE_H
#define INCA_CODEC_HOMOMORPHIC_SHAPE_H

#include "inca/codec/bitmap-index.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** How workers say which values are not 0, and so how an aggregator combines what they say. */
enum class HomomorphicIndex
{
    BITS_1, ///< a bit per value; or
    BITS_4, ///< four bits per value; addition, of at most 15 workers
    BLOOM,  ///< a Bloom filter per row (bloom-index.h); or
};

/** "bits-1", "bits-4" and "bloom". */
std::vector<std::string> HomomorphicIndexNames();

std::string HomomorphicIndexName(HomomorphicIndex index);

/** @throws InputError if the name is unknown */
HomomorphicIndex FindHomomorphicIndex(std::string_view name);

/** All that workers must agree on beforehand. */
struct HomomorphicSettings
{
    /** Rows per counter row; 0.5 or more: at that, a union without zeros still decodes. */
    double ratio{10};
    HomomorphicIndex index{HomomorphicIndex::BITS_1};
    BloomSettings bloom; ///< of index BLOOM
};

/** The parts of a bucket's stream, in their order: index, sketch, tail. */
struct HomomorphicShape
{
    std::uint32_t rows{0};        ///< G: whole rows of 1024 values
    std::uint32_t counterRows{0}; ///< R = ceil(G / ratio)
    std::uint32_t tail{0};        ///< values behind the last whole row, which travel as they are
    std::uint64_t indexBytes{0};

    std::uint64_t RowValues() const;
    std::uint64_t SketchBytes() const;
    std::uint64_t TailBytes() const;

    /** All three parts. */
    std::uint64_t Bytes() const;
};

/**
 * @param count values of the bucket, below 2^32
 * @throws InputError if the count or a setting is out of its range
 */
HomomorphicShape ShapeOf(const HomomorphicSettings& settings, std::uint64_t count);

/** @throws InputError if the index cannot count so many workers, or there are none */
void CheckWorkers(HomomorphicIndex index, std::uint32_t workers);

} // namespace inca

#endif // INCA_CODEC_HOMOMORPHIC_SHAPE_H
