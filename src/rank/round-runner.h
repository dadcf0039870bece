/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_ROUND_RUNNER_H
#define INCA_RANK_ROUND_RUNNER_H

#include "rank/rank-host.h"
#include "rank/round-content.h"
#include "rank/strand-runner.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/** One rank's part in one round of one exchange: all strands of its plan at the same time. */
class RoundRunner
{
  public:
    using Done = StrandRunner::Done;
    using MessageSeen = StrandRunner::MessageSeen;

    /** @param number of the round, over all rounds of all exchanges; messages carry it */
    RoundRunner(RankHost& host, std::uint32_t number, const JobChunk& chunk);

    /** @param done called once, in an event of the last step */
    void Start(RoundInput input, const MessageSeen& messageSeen, Done done);

    /** Takes a message of this round, data or grant, at any time, also before Start. */
    void Deliver(ReceivedMessage message);

    /** For people, when a run stands still: "step 3 of 6, waits for a message from worker 2". */
    std::string State() const;

    /** The words that this rank holds; null when only sizes travel. */
    std::unique_ptr<RankValues> TakeValues()
    {
        return m_content.TakeWords();
    }

    /** The largest exponent over the workers, where switches have added words. */
    std::int16_t LargestExponent() const
    {
        return m_strands.front()->LargestExponent();
    }

  private:
    void StrandEnded();

    RoundContent m_content;
    std::vector<std::unique_ptr<StrandRunner>> m_strands;
    std::size_t m_running{0};
    Done m_done;
};

} // namespace inca

#endif // INCA_RANK_ROUND_RUNNER_H
