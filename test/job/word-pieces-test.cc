/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/word-pieces.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

namespace inca
{

namespace
{

/** Words first, first + 1, ... */
SharedBytes
Counted(Word first, std::size_t count)
{
    std::vector<Word> words(count);
    std::iota(words.begin(), words.end(), first);
    return SharedBytes::Of(std::move(words));
}

/** A piece as begin:words, "gone" or "-". */
std::string
Text(const std::vector<WordPiece>& pieces)
{
    std::string text;
    for (const auto& piece : pieces)
    {
        text += (text.empty() ? "" : " ") + std::to_string(piece.range.begin) + ":";
        const auto* const absent = piece.held ? "gone" : "-";
        text += piece.words.AreThere() ? "" : absent;
        for (std::uint64_t i = 0; piece.words.AreThere() && i < piece.range.count; ++i)
        {
            text += (i == 0 ? "" : ",") + std::to_string(piece.words.Words()[i]);
        }
    }
    return text;
}

} // namespace

TEST(WordPieces, AreCutWhereTheyBeginAndEnd)
{
    WordPieces pieces;
    pieces.Put({2, 3}, Counted(10, 3));
    EXPECT_EQ(Text(pieces.Cut({0, 6})), "0:- 2:10,11,12 5:-");
    EXPECT_EQ(Text(pieces.Cut({3, 1})), "3:11");
    EXPECT_EQ(Text(pieces.Cut({4, 0})), "");
}

TEST(WordPieces, AreReplacedInTheMiddle)
{
    WordPieces pieces;
    pieces.Put({0, 5}, Counted(10, 5));
    pieces.Put({2, 1}, Counted(70, 1));
    EXPECT_EQ(Text(pieces.Cut({0, 5})), "0:10,11 2:70 3:13,14");
    pieces.Put({1, 3}, Counted(80, 3));
    EXPECT_EQ(Text(pieces.Cut({0, 5})), "0:10 1:80,81,82 4:14");
}

/* The second half comes first; the middle closes the gap to both sides. */
TEST(WordPieces, OfOneMemoryAreOne)
{
    WordPieces pieces;
    const auto words = Counted(10, 6);
    pieces.Put({4, 2}, words.Part(16, 8));
    pieces.Put({0, 2}, words.Part(0, 8));
    EXPECT_EQ(Text(pieces.Cut({0, 6})), "0:10,11 2:- 4:14,15");
    pieces.Put({2, 2}, words.Part(8, 8));
    EXPECT_EQ(Text(pieces.Cut({0, 6})), "0:10,11,12,13,14,15");
}

/* Parts of one memory that do not follow each other there. */
TEST(WordPieces, OfOneMemoryInAnotherOrderStayApart)
{
    WordPieces pieces;
    const auto words = Counted(10, 4);
    pieces.Put({0, 2}, words.Part(8, 8));
    pieces.Put({2, 2}, words.Part(0, 8));
    EXPECT_EQ(Text(pieces.Cut({0, 4})), "0:12,13 2:10,11");
}

TEST(WordPieces, AreGoneOnceHandedOver)
{
    WordPieces pieces;
    pieces.Put({0, 4}, Counted(10, 4));
    pieces.HandOver({1, 1});
    pieces.HandOver({2, 1});
    EXPECT_EQ(Text(pieces.Cut({0, 5})), "0:10 1:gone 3:13 4:-");
}

TEST(WordPieces, AreNotHeldOnceTaken)
{
    WordPieces pieces;
    pieces.Put({0, 4}, Counted(10, 4));
    EXPECT_EQ(Text(pieces.Take({1, 2})), "1:11,12");
    EXPECT_EQ(Text(pieces.Cut({0, 4})), "0:10 1:- 3:13");
}

} // namespace inca
