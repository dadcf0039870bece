/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/presets.h"

#include "base/value-form.h"

#include <algorithm>

namespace inca
{

const std::vector<Preset>&
HostPresets()
{
    static const std::vector<Preset> presets{
        {"none", "the defaults of [host]'s keys", {}},
        {"gpudirect",
         "GPUs add, and NICs read and write their memory: NCCL over RDMA",
         {{"host.duplex", "full", "a ring of NCCL sends and receives at once"},
          {"host.sum_rate",
           "300GBps",
           "a V100's 900 GB/s of memory (gpu.memory_bandwidth) over two reads and a write"},
          {"host.copy_rate", "none", "GPUDirect RDMA: nothing passes through host memory"},
          {"host.byte_rate", "none", "the NIC moves bytes by itself"},
          {"host.frame_cost", "0ps", "the NIC makes frames by itself"},
          {"host.message_cost",
           "9.6us",
           "NCCL 2.8's cost model (src/graph/tuning.cc): a step of a ring over a network, "
           "protocol Simple"}}},
        {"inceptionn",
         "INCEPTIONN's testbed: Titan XP, Xeon E5-2640, OpenMPI 2.0 over TCP, 10 GbE",
         {{"host.duplex", "half", "calibrated: Algorithm 1 receives, then sends"},
          {"host.sum_rate", "8.4GBps", "Table II's gradient sums: 8.2 to 8.6 GB/s"},
          {"host.copy_rate", "4.5GBps", "Table II's GPU copies: 4.3 to 4.6 GB/s"},
          {"host.byte_rate", "2.4GBps", "calibrated (docs/validation.md)"},
          {"host.frame_cost", "0ps", "part of byte_rate"},
          {"host.message_cost", "50us", "calibrated (docs/validation.md)"}}},
        {"tcp",
         "CPUs add, and one core per direction runs the kernel's TCP: MPI or Gloo over 100 GbE",
         {{"host.duplex", "full", "a thread sends while another one receives"},
          {"host.sum_rate", "8.4GBps", "INCEPTIONN's Table II: a Xeon's gradient sums"},
          {"host.copy_rate", "12GBps", "PCIe 3.0 x16, as NCCL's cost model takes it"},
          {"host.byte_rate",
           "5.25GBps",
           "42 Gbit/s per core: Cai et al., Understanding Host Network Stack Overheads, "
           "SIGCOMM 2021"},
          {"host.frame_cost", "0ps", "part of byte_rate"},
          {"host.message_cost", "50us", "as calibrated for INCEPTIONN's OpenMPI over TCP"}}}};
    return presets;
}

const std::vector<Preset>&
SwitchPresets()
{
    static const std::vector<Preset> presets{
        {"none", "the defaults of [switch]'s keys", {}},
        {"sharp-llt",
         "NVIDIA SHARP's low-latency tree, but in Ethernet frames, with copies, and timers for "
         "losses",
         {{"switch.slots", "8", "a log of its daemon (NCCL issue 1460): 8 operations of a group"},
          {"switch.values_per_packet", "256", "the same: 1024 bytes each"},
          {"switch.memory", "16KiB", "derived: 8 slots of 1 KiB, each with its second copy here"},
          {"switch.adder", "fp32", "it adds floats of 16, 32 and 64 bits, and integers"}}},
        {"tomahawk-ultra",
         "Broadcom's switch chip as announced; how it adds, and in how much memory, is unpublished",
         {{"switch.latency",
           "250ns",
           "announced, from first bit in to first bit out: to INCA's frames, which come in whole "
           "before, it is added"},
          {"switch.header_bytes",
           "8",
           "announced: headers of 10 bytes in place of 46; derived: 44 less 36"}}}};
    return presets;
}

std::vector<std::string>
PresetNames(const std::vector<Preset>& presets)
{
    std::vector<std::string> names;
    for (const auto& preset : presets)
    {
        names.push_back(preset.name);
    }
    return names;
}

const Preset&
FindPreset(const std::vector<Preset>& presets, std::string_view text)
{
    const auto name = NameForm(PresetNames(presets)).parse(text);
    return *std::find_if(presets.begin(), presets.end(), [&name](const Preset& preset) {
        return preset.name == name;
    });
}

} // namespace inca
