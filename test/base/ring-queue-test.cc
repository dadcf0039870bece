/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/ring-queue.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>

namespace inca
{
namespace
{

TEST(RingQueueTest, IsAQueue)
{
    RingQueue<int> queue;
    std::deque<int> model;
    // two in, one out, then the reverse: it grows while its first stands anywhere, and gets empty
    for (int i = 0; i < 200; ++i)
    {
        const bool grows = i < 100;
        for (int k = 0; k < (grows ? 2 : 1); ++k)
        {
            queue.push_back(10 * i + k);
            model.push_back(10 * i + k);
        }
        for (int k = 0; k < (grows ? 1 : 2); ++k)
        {
            ASSERT_EQ(queue.front(), model.front());
            queue.pop_front();
            model.pop_front();
        }
        ASSERT_EQ(queue.size(), model.size());
        for (std::size_t k = 0; k < model.size(); ++k)
        {
            ASSERT_EQ(queue[k], model[k]);
        }
    }
    EXPECT_TRUE(queue.empty());
    queue.Expect(23); // room for all of them, made at once
    queue.push_back(1);
    const auto* const first = &queue.front();
    for (int i = 0; i < 22; ++i)
    {
        queue.push_back(i);
    }
    EXPECT_EQ(first, &queue.front());
}

TEST(RingQueueTest, LetsGoOfWhatIsTaken)
{
    RingQueue<std::shared_ptr<int>> queue;
    const auto held = std::make_shared<int>(1);
    queue.push_back(held);
    queue.push_back(held);
    EXPECT_EQ(held.use_count(), 3);
    queue.pop_front();
    EXPECT_EQ(held.use_count(), 2);
    queue.pop_front();
    EXPECT_EQ(held.use_count(), 1);
}

} // namespace
} // namespace inca
