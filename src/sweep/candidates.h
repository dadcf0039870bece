/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_CANDIDATES_H
#define INCA_SWEEP_CANDIDATES_H

#include "scenario/scenario.h"

#include <string>
#include <vector>

namespace inca
{

/** What `inca decide` may choose. */
struct DecideOver
{
    bool exchange{true};
    bool codec{true};
    bool bucket{true};
};

/** @param text "exchange,codec,bucket" or some of them. @throws InputError */
DecideOver ParseDecideOver(const std::string& text);

/** A loss that is admitted: its kind (Loss), and with what argument, if it is a codec. */
struct AdmittedLoss
{
    std::string kind;     ///< "inceptionn", "truncate", "cast", "int32", "sketch", "16-bit"
    std::string argument; ///< "2^-10"; empty: the scenario's
};

/**
 * @param text "inceptionn:2^-10,cast,int32"; "2^-10" is short for "inceptionn:2^-10"
 * @throws InputError if one is unknown, or loses nothing
 */
std::vector<AdmittedLoss> ParseLosses(const std::string& text);

/** One system that may be chosen, by its settings. */
struct Candidate
{
    std::string exchange; ///< names for people
    std::string codec;
    std::string bucket;
    std::vector<std::string> settings; ///< "key=value", over the scenario's
    bool uncompressed{false};          ///< at the trace's own gradient type
    bool sixteenBits{false};           ///< uncompressed at 16 bits, whatever the trace has
    bool mayWin{true};                 ///< false: others are compared with it only
};

/**
 * The whole grid: every exchange, with every codec that loses nothing, those of @p losses, none, and
 * gradients of 16 bits, each with every size of buckets that makes other buckets.
 * @param base the scenario, with its trace
 * @param over what is chosen; the rest is as the scenario says
 */
std::vector<Candidate> Candidates(const Scenario& base,
                                  const DecideOver& over,
                                  const std::vector<AdmittedLoss>& losses);

} // namespace inca

#endif // INCA_SWEEP_CANDIDATES_H
