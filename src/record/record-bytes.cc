/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/record-bytes.h"

#include "base/errors.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

/*
 * One list of fields per struct, for both directions. A structured binding names all members: who adds
 * one to a struct cannot compile before it is in its list.
 */

template <class Archive>
void
Visit(Archive& archive, typename Archive::template As<SettingCell>& cell)
{
    auto& [column, text] = cell;
    archive(column, text);
}

template <class Archive>
void
Visit(Archive& archive, typename Archive::template As<SettingEntry>& entry)
{
    auto& [table, key, text, quoted] = entry;
    archive(table, key, text, quoted);
}

template <class Archive>
void
Visit(Archive& archive, typename Archive::template As<InputChecksum>& checksum)
{
    auto& [path, crc32] = checksum;
    archive(path, crc32);
}

template <class Archive>
void
Visit(Archive& archive, typename Archive::template As<RunOrigin>& origin)
{
    auto& [incaVersion, ns3Version, seed, traceCrc32, inputs] = origin;
    archive(incaVersion, ns3Version, seed, traceCrc32, inputs);
}

template <class Archive>
void
Visit(Archive& archive, typename Archive::template As<TimeShares>& shares)
{
    auto& [forward, backward, copy, codec, sum, update, communication] = shares;
    archive(forward, backward, copy, codec, sum, update, communication);
}

template <class Archive>
void
Visit(Archive& archive, typename Archive::template As<SketchResults>& sketch)
{
    auto& [exchanges, coded, ratio, load, rounds, marked, estimated, counted] = sketch;
    archive(exchanges, coded, ratio, load, rounds, marked, estimated, counted);
}

template <class Archive>
void
Visit(Archive& archive, typename Archive::template As<RunResults>& results)
{
    auto& [measuredIterations,
           iterationTime,
           iterationEnds,
           iterationTimeMin,
           iterationTimeP50,
           iterationTimeP99,
           samplesPerSecond,
           shares,
           exchangeTime,
           buckets,
           aggregationThroughput,
           algbw,
           busbw,
           plainBytes,
           wireBytes,
           achievedRatio,
           scalingEfficiency,
           lowerBound,
           limitedBy,
           communicationLimitedBy,
           drops,
           retransmitted,
           largestQueueBytes,
           slotsPeak,
           slotsNeeded,
           switchMemory,
           sketch,
           sumErrorMax,
           sumErrorMean,
           replicaDifferenceMax,
           valuesInFrames,
           packetLevelShare,
           exact,
           simulatedRanks,
           ranks] = results;
    archive(measuredIterations, iterationTime, iterationEnds, iterationTimeMin, iterationTimeP50);
    archive(
        iterationTimeP99, samplesPerSecond, shares, exchangeTime, buckets, aggregationThroughput);
    archive(algbw, busbw, plainBytes, wireBytes, achievedRatio, scalingEfficiency);
    archive(lowerBound,
            limitedBy,
            communicationLimitedBy,
            drops,
            retransmitted,
            largestQueueBytes,
            slotsPeak,
            slotsNeeded,
            switchMemory,
            sketch);
    archive(sumErrorMax, sumErrorMean, replicaDifferenceMax, valuesInFrames);
    archive(packetLevelShare, exact, simulatedRanks, ranks);
}

template <class Archive>
void
Visit(Archive& archive, typename Archive::template As<LayerRow>& row)
{
    auto& [worker,
           layer,
           elements,
           firstBucket,
           lastBucket,
           ready,
           start,
           end,
           exposed,
           weightsWait,
           plainBytes,
           wireBytes] = row;
    archive(worker, layer, elements, firstBucket, lastBucket);
    archive(ready, start, end, exposed, weightsWait, plainBytes, wireBytes);
}

template <class Archive>
void
Visit(Archive& archive, typename Archive::template As<DropCount>& count)
{
    auto& [reason, frames] = count;
    archive(reason, frames);
}

template <class Archive>
void
Visit(Archive& archive, typename Archive::template As<LinkRow>& row)
{
    auto& [link, from, to, rate, wireBytes, frames, utilisation, queue, marked, drops] = row;
    archive(link, from, to, rate, wireBytes, frames, utilisation, queue, marked, drops);
}

template <class Archive>
void
Visit(Archive& archive, typename Archive::template As<SwitchRow>& row)
{
    auto& [name,
           packetsIn,
           combined,
           forwarded,
           answered,
           droppedDuplicate,
           droppedLate,
           droppedNoSlot,
           droppedForeign,
           packetsMade,
           slotsPeak,
           slots,
           memoryBytes] = row;
    archive(name, packetsIn, combined, forwarded, answered, droppedDuplicate, droppedLate);
    archive(droppedNoSlot, droppedForeign, packetsMade, slotsPeak, slots, memoryBytes);
}

template <class Archive>
void
Visit(Archive& archive, typename Archive::template As<StepRatio>& ratio)
{
    auto& [step, plainBytes, wireBytes] = ratio;
    archive(step, plainBytes, wireBytes);
}

template <class Archive>
void
Visit(Archive& archive, typename Archive::template As<RunRecord>& record)
{
    auto& [settings, scenario, results, origin, layers, links, switches, steps, warnings, idle] =
        record;
    archive(settings, scenario, results, origin, layers, links, switches, steps, warnings, idle);
}

class Writer
{
  public:
    template <class T>
    using As = const T;

    template <class... Fields>
    void operator()(const Fields&... fields)
    {
        (Put(fields), ...);
    }

    std::string Take()
    {
        return std::move(m_bytes);
    }

  private:
    template <class T>
    void Put(const T& value)
    {
        if constexpr (std::is_arithmetic_v<T>)
        {
            m_bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
        }
        else
        {
            Visit(*this, value);
        }
    }

    void Put(const std::string& text)
    {
        Put(text.size());
        m_bytes += text;
    }

    template <class T>
    void Put(const std::optional<T>& value)
    {
        Put(value.has_value());
        if (value)
        {
            Put(*value);
        }
    }

    template <class T>
    void Put(const std::vector<T>& values)
    {
        Put(values.size());
        for (const auto& value : values)
        {
            Put(value);
        }
    }

    std::string m_bytes;
};

class Reader
{
  public:
    template <class T>
    using As = T;

    explicit Reader(std::string_view bytes)
        : m_bytes(bytes)
    {
    }

    template <class... Fields>
    void operator()(Fields&... fields)
    {
        (Get(fields), ...);
    }

    bool IsAtEnd() const
    {
        return m_bytes.empty();
    }

  private:
    /** @throws InvariantError if there are not so many */
    std::string_view Next(std::size_t bytes)
    {
        if (bytes > m_bytes.size())
        {
            throw InvariantError("a run's record ends too early");
        }
        const auto next = m_bytes.substr(0, bytes);
        m_bytes.remove_prefix(bytes);
        return next;
    }

    template <class T>
    T Next()
    {
        T value{};
        Get(value);
        return value;
    }

    template <class T>
    void Get(T& value)
    {
        if constexpr (std::is_arithmetic_v<T>)
        {
            std::memcpy(&value, Next(sizeof value).data(), sizeof value);
        }
        else
        {
            Visit(*this, value);
        }
    }

    void Get(std::string& text)
    {
        text = Next(Next<std::size_t>());
    }

    template <class T>
    void Get(std::optional<T>& value)
    {
        value = Next<bool>() ? std::optional(Next<T>()) : std::nullopt;
    }

    template <class T>
    void Get(std::vector<T>& values)
    {
        values.clear();
        for (auto left = Next<std::size_t>(); left > 0; --left)
        {
            values.push_back(Next<T>());
        }
    }

    std::string_view m_bytes;
};

} // namespace

std::string
BytesOf(const RunRecord& record)
{
    Writer writer;
    writer(record);
    return writer.Take();
}

RunRecord
RecordOf(std::string_view bytes)
{
    Reader reader(bytes);
    RunRecord record;
    reader(record);
    if (!reader.IsAtEnd())
    {
        throw InvariantError("more than one run's record");
    }
    return record;
}

} // namespace inca
