/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_IMPORT_TORCH_TEXT_H
#define INCA_TEST_IMPORT_TORCH_TEXT_H

#include <string>

namespace inca
{

/** A Kineto profile, event by event. (us) */
class KinetoText
{
  public:
    KinetoText& Event(const std::string& category,
                      const std::string& name,
                      double ts,
                      double duration,
                      const std::string& args = "")
    {
        m_events += (m_events.empty() ? "" : ",\n") + std::string(R"({"ph": "X", "cat": ")") +
                    category + R"(", "name": ")" + name + R"(", "ts": )" + std::to_string(ts) +
                    R"(, "dur": )" + std::to_string(duration) + R"(, "args": {)" + args + "}}";
        return *this;
    }

    KinetoText& Range(const std::string& name, double begin, double end)
    {
        return Event("user_annotation", name, begin, end - begin);
    }

    KinetoText& Operator(const std::string& name,
                         double begin,
                         double end,
                         const std::string& args = "")
    {
        return Event("cpu_op", name, begin, end - begin, args);
    }

    /** In forward, of a sequence number. */
    KinetoText& Forward(double begin, double end, unsigned sequence)
    {
        return Operator("aten::linear",
                        begin,
                        end,
                        R"("Fwd thread id": 0, "Sequence number": )" + std::to_string(sequence));
    }

    KinetoText& Node(double begin, double end, unsigned sequence)
    {
        return Operator("autograd::engine::evaluate_function: AddmmBackward0",
                        begin,
                        end,
                        R"("Fwd thread id": 1, "Sequence number": )" + std::to_string(sequence));
    }

    /** DDP copies a gradient. @param shape "10, 2"; empty: recorded without */
    KinetoText& Copy(double begin, double end, const std::string& shape)
    {
        return Operator("torch::distributed::reducer::mul_out",
                        begin,
                        end,
                        shape.empty() ? "" : R"("Input Dims": [[)" + shape + "]]");
    }

    KinetoText& AllReduce(double begin, unsigned elements, const std::string& type = "Float")
    {
        return Operator("record_param_comms",
                        begin,
                        begin + 1,
                        R"("Collective name": "allreduce", "In msg nelems": )" +
                            std::to_string(elements) + R"(, "dtype": ")" + type +
                            R"(", "Group size": 2, "Process Group Name": "0")");
    }

    /** A call of the driver at @p launch, and the kernel that it starts. */
    KinetoText& Kernel(double launch, double begin, double end, bool collective = false)
    {
        const auto correlation = R"("correlation": )" + std::to_string(++m_kernels);
        Event("cuda_runtime", "cudaLaunchKernel", launch, 1, correlation);
        return Event("kernel",
                     collective ? "ncclKernel_AllReduce_RING_LL_Sum_float(ncclWork*)" : "gemm",
                     begin,
                     end - begin,
                     R"("device": 0, )" + correlation);
    }

    std::string Text() const
    {
        return R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "A100"}], )"
               R"("distributedInfo": {"world_size": 2}, "traceEvents": [)" +
               m_events + "]}";
    }

  private:
    std::string m_events;
    unsigned m_kernels{0};
};

/** An execution trace, node by node. */
class ExecutionTraceText
{
  public:
    ExecutionTraceText& Node(const std::string& name,
                             const std::string& shape = "",
                             const std::string& attributes = "")
    {
        m_nodes += (m_nodes.empty() ? "" : ",\n") + std::string(R"({"id": )") +
                   std::to_string(++m_id) + R"(, "name": ")" + name +
                   R"(", "ctrl_deps": 1, "inputs": {"values": [], "shapes": [)" +
                   (shape.empty() ? "" : "[" + shape + "]") + R"(], "types": []}, "attrs": [)" +
                   attributes + "]}";
        return *this;
    }

    ExecutionTraceText& Operator()
    {
        return Node("autograd::engine::evaluate_function: AddmmBackward0");
    }

    ExecutionTraceText& Copy(const std::string& shape)
    {
        return Node("torch::distributed::reducer::mul_out", shape);
    }

    ExecutionTraceText& AllReduce(unsigned elements, const std::string& type = "Float")
    {
        return Node("record_param_comms",
                    "",
                    R"({"name": "collective_name", "type": "string", "value": "allreduce"},)"
                    R"({"name": "dtype", "type": "string", "value": ")" +
                        type + R"("}, {"name": "in_msg_nelems", "type": "uint64", "value": )" +
                        std::to_string(elements) +
                        R"(}, {"name": "pg_name", "value": "0"}, {"name": "pg_size", "value": 2})");
    }

    std::string Text() const
    {
        return R"({"schema": "1.1.0-chakra.0.0.4", "pid": 1, "nodes": [)" + m_nodes + "]}";
    }

  private:
    std::string m_nodes;
    unsigned m_id{0};
};

} // namespace inca

#endif // INCA_TEST_IMPORT_TORCH_TEXT_H
