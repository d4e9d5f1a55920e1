// The kernel of SplitOperand.h. clang makes it PTX for sm_80, the first chip with
// bf16 on its Tensor Cores, when gnnc is built; no CUDA toolkit is needed.
#include "runtime/cuda/SplitOperand.h"

extern "C" __attribute__((global)) void gnnc_split_operand(gnnc::cuda::SplitOperand split) {
  unsigned index =
      __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
  if (index < split.rows * (split.padded / gnnc::cuda::kSplitQuad))
    gnnc::cuda::splitQuad(split, index);
}
