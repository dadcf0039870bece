/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_ACCURACY_CURVE_TEXT_H
#define INCA_TEST_ACCURACY_CURVE_TEXT_H

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <unistd.h>

namespace inca
{

using Notes = std::map<std::string, std::string>;

/** A curve of two workers. @param others notes instead of the usual ones, or beside them */
inline std::string
CurveText(const Notes& others = {},
          const std::string& rows =
              "0,0,0.1,2.3,,,,,,\n10,0.5,0.7,1,1.2,4,0.9,0,0,0\n20,1,0.8,0.9,1,8,0.8,0,0,0\n")
{
    Notes notes{{"model", "net"},
                {"data", "pictures"},
                {"workers", "2"},
                {"batch", "25"},
                {"seed", "1"},
                {"optimizer", "SGD"},
                {"average", "after"},
                {"error_feedback", "no"},
                {"exchange", "ring"},
                {"codec", "none"},
                {"value_path", "0123456789abcdef"},
                {"lossless", "no"},
                {"tensors", "6 2"}};
    for (const auto& [key, text] : others)
    {
        notes[key] = text;
    }
    std::string text = "#inca-curve v1\n";
    for (const auto& [key, value] : notes)
    {
        text += "# " + key + ": " + value + "\n";
    }
    return text +
           "step,epoch,accuracy,loss,train_loss,bits_per_value,zero_share,replica_difference_max,"
           "misfits,left_share\n" +
           rows;
}

/** A folder of files that is gone afterwards. */
class CurveFolder
{
  public:
    explicit CurveFolder(const std::map<std::string, std::string>& files)
        : m_path(std::filesystem::temp_directory_path() /
                 ("inca-curves-" + std::to_string(getpid())))
    {
        std::filesystem::remove_all(m_path);
        std::filesystem::create_directories(m_path);
        for (const auto& [name, text] : files)
        {
            std::ofstream(m_path / name) << text;
        }
    }

    ~CurveFolder()
    {
        std::filesystem::remove_all(m_path);
    }

    CurveFolder(const CurveFolder&) = delete;
    CurveFolder& operator=(const CurveFolder&) = delete;

    std::string Path() const
    {
        return m_path.string();
    }

  private:
    std::filesystem::path m_path;
};

} // namespace inca

#endif // INCA_TEST_ACCURACY_CURVE_TEXT_H
