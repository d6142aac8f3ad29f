// Resize of floats and bytes whose channels are neighbors, with AVX2.
#include "portable_fallback/fast/resize_channels_avx2_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/resize_channels.h"

namespace arenite {
namespace {

#if defined(__x86_64__)
constexpr auto kRun = run_resize_channels<resize_channels_avx2>;
#else
constexpr decltype(Form::run) kRun = nullptr;
#endif

}  // namespace

constexpr Form kResizeForm42 =
    make_form(Op::kResize, 42, with_run(resize_channels_facts(41), kRun));
ARENITE_FORM_CODE(Resize, 42)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
