/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_RUN_PROCESS_H
#define INCA_SWEEP_RUN_PROCESS_H

#include "record/run-record.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/** Called now and then with the share of the work that is done, 0..1. */
using RunProgress = std::function<void(double share)>;

/** A run in another process, which ends with its owner, if it has not before. */
class RunProcess
{
  public:
    virtual ~RunProcess() = default;

    /** What can be read from while it runs: WaitForOutput looks at it. */
    virtual int Descriptor() const = 0;

    /** Takes in what it has written; never waits. @return whether that was all of its run */
    virtual bool HasEnded() = 0;

    /** How much of it was done, as it has told so far: 0..1, in hundredths. */
    virtual double Share() const = 0;

    /** The run has ended, and the process does another one. */
    virtual void BeginAnother() = 0;

    /**
     * Called once, when the run has ended.
     * @throws InputError, UnitError, RunError, Interrupted or std::bad_alloc as the run has thrown it;
     *         InvariantError for all else that it has thrown; RunError if the process died
     */
    virtual RunRecord Result() = 0;

    /** The same as the text of TellOf. */
    virtual std::string Text() = 0;
};

/** Takes over @p process, which writes to the other end of @p descriptor what TellRun does. */
std::unique_ptr<RunProcess> WatchRun(int process, int descriptor);

/**
 * In the other process: does a run, and writes what became of it: the number of bytes that the text of TellOf has, a line
 * feed, and the text, so that whoever reads it knows where it ends. Before that, now and then, a byte that says how far it
 * is: 128 and the hundredths of its work that are done.
 * @param tellEvery how often it tells how far it is, at most
 */
void TellRun(int descriptor,
             const std::function<RunRecord(const RunProgress&)>& run,
             std::chrono::milliseconds tellEvery = std::chrono::milliseconds(200));

/**
 * Splits off a process that does @p work, and neither returns from here nor flushes or destroys what it has of
 * this one. It ends with this one at the latest.
 * @return the process @throws RunError if there is none to be had
 */
int SplitOff(const std::function<void()>& work);

/** @param tellEvery how often it tells how far it is, at most @throws RunError if there is no process to be had */
std::unique_ptr<RunProcess> StartRun(
    const std::function<RunRecord(const RunProgress&)>& run,
    std::chrono::milliseconds tellEvery = std::chrono::milliseconds(200));

/** Waits until one of them has something to read, or a signal comes, or time is over. @param processes at least one */
void WaitForOutput(const std::vector<RunProcess*>& processes, int mostMs);

} // namespace inca

#endif // INCA_SWEEP_RUN_PROCESS_H
