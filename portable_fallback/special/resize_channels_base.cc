// Resize of floats and bytes whose channels are neighbors, with vectors that every 64-bit x86 and
// Arm has.
#include "portable_fallback/fast/resize_channels_base_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/resize_channels.h"

namespace arenite {
namespace {

#if defined(__SSE2__) || defined(__aarch64__)
constexpr auto kRun = run_resize_channels<resize_channels_base>;
#else
constexpr decltype(Form::run) kRun = nullptr;
#endif

}  // namespace

constexpr Form kResizeForm41 =
    make_form(Op::kResize, 41, with_run(resize_channels_facts(41), kRun));
ARENITE_FORM_CODE(Resize, 41)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
