/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_SUPPORT_END_OF_H
#define INCA_TEST_SUPPORT_END_OF_H

#include "base/errors.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <new>

namespace inca
{

/** @return how a process of its own ended that did @p action: what the shell would see, or a signal + 128 */
inline int
EndOf(const std::function<void()>& action)
{
    const auto child = fork();
    if (child == 0)
    {
        std::fclose(stderr);
        alarm(60); // a hang is a signal, too
        int end = 0;
        try
        {
            action();
        }
        catch (const InputError&)
        {
            end = 2;
        }
        catch (const RunError&)
        {
            end = 4;
        }
        catch (const std::bad_alloc&)
        {
            end = 4;
        }
        catch (const std::exception&)
        {
            end = 3;
        }
        std::_Exit(end);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace inca

#endif // INCA_TEST_SUPPORT_END_OF_H
