// Gives nanopb's functions names of ours, so that an image may also hold a nanopb of its own, with
// other options.
//
// nanopb includes this in place of the system's headers (PB_SYSTEM_HEADER), before it declares
// anything.
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define pb_close_string_substream arenite_pb_close_string_substream
#define pb_decode arenite_pb_decode
#define pb_decode_bool arenite_pb_decode_bool
#define pb_decode_double_as_float arenite_pb_decode_double_as_float
#define pb_decode_ex arenite_pb_decode_ex
#define pb_decode_fixed32 arenite_pb_decode_fixed32
#define pb_decode_fixed64 arenite_pb_decode_fixed64
#define pb_decode_svarint arenite_pb_decode_svarint
#define pb_decode_tag arenite_pb_decode_tag
#define pb_decode_varint arenite_pb_decode_varint
#define pb_decode_varint32 arenite_pb_decode_varint32
#define pb_default_field_callback arenite_pb_default_field_callback
#define pb_encode arenite_pb_encode
#define pb_encode_ex arenite_pb_encode_ex
#define pb_encode_fixed32 arenite_pb_encode_fixed32
#define pb_encode_fixed64 arenite_pb_encode_fixed64
#define pb_encode_float_as_double arenite_pb_encode_float_as_double
#define pb_encode_string arenite_pb_encode_string
#define pb_encode_submessage arenite_pb_encode_submessage
#define pb_encode_svarint arenite_pb_encode_svarint
#define pb_encode_tag arenite_pb_encode_tag
#define pb_encode_tag_for_field arenite_pb_encode_tag_for_field
#define pb_encode_varint arenite_pb_encode_varint
#define pb_field_iter_begin arenite_pb_field_iter_begin
#define pb_field_iter_begin_const arenite_pb_field_iter_begin_const
#define pb_field_iter_begin_extension arenite_pb_field_iter_begin_extension
#define pb_field_iter_begin_extension_const arenite_pb_field_iter_begin_extension_const
#define pb_field_iter_find arenite_pb_field_iter_find
#define pb_field_iter_find_extension arenite_pb_field_iter_find_extension
#define pb_field_iter_next arenite_pb_field_iter_next
#define pb_get_encoded_size arenite_pb_get_encoded_size
#define pb_istream_from_buffer arenite_pb_istream_from_buffer
#define pb_make_string_substream arenite_pb_make_string_substream
#define pb_ostream_from_buffer arenite_pb_ostream_from_buffer
#define pb_read arenite_pb_read
#define pb_release arenite_pb_release
#define pb_skip_field arenite_pb_skip_field
#define pb_validate_utf8 arenite_pb_validate_utf8
#define pb_write arenite_pb_write
// SPDX-License-Identifier: Apache-2.0
