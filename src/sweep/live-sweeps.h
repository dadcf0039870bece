/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_LIVE_SWEEPS_H
#define INCA_SWEEP_LIVE_SWEEPS_H

#include <cstdint>
#include <string>

namespace inca
{

/**
 * Says which sweeps of a store are at work: each holds a lock on a byte of a file of its own number, which
 * ends with its process, whatever ends that, on any machine that shares the file system.
 */
class LiveSweeps
{
  public:
    /** @throws InputError if the file can be neither opened nor made */
    explicit LiveSweeps(std::string path);
    ~LiveSweeps();
    LiveSweeps(const LiveSweeps&) = delete;
    LiveSweeps& operator=(const LiveSweeps&) = delete;

    /** From here on sweep @p number is at work, until this object or its process ends. @throws RunError */
    void Enter(std::int64_t number);

    /** @return whether it is at work in another process, or has been entered here */
    bool IsAtWork(std::int64_t number) const;

  private:
    std::string m_path;
    int m_file;
    std::int64_t m_own{0};
};

} // namespace inca

#endif // INCA_SWEEP_LIVE_SWEEPS_H
