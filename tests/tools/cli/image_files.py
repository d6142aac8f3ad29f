"""Makes PNG and JPEG files: small ones whose samples decode to exactly what was put in."""

import struct
import zlib

# PNG.

COLOR_TYPES = {1: 0, 2: 4, 3: 2, 4: 6}  # by channels: gray, gray and alpha, RGB, RGBA


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_header(width, height, bits, color):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, color, 0, 0, 0))


def png(width, height, channels, samples, bits=8, extra=b""):
    """`samples` row by row, channels side by side; `extra` are chunks before the pixels."""
    letter, row = {8: "B", 16: "H"}[bits], width * channels
    rows = b"".join(b"\0" + struct.pack(f">{row}{letter}", *samples[row * y:row * (y + 1)])
                    for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + png_header(width, height, bits, COLOR_TYPES[channels]) + extra +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


# EXIF.

def exif(orientation, order="<"):
    """A TIFF block with one entry."""
    return ({"<": b"II", ">": b"MM"}[order] + struct.pack(order + "HI", 42, 8) +
            struct.pack(order + "HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0))


# JPEG.

def segment(marker, data):
    return bytes([0xff, marker]) + struct.pack(">H", len(data) + 2) + data


ADOBE_CMYK = segment(0xee, b"Adobe" + struct.pack(">HHHB", 100, 0, 0, 0))


def exif_segment(orientation, order="<"):
    return segment(0xe1, b"Exif\0\0" + exif(orientation, order))


class Bits:
    def __init__(self):
        self.text = ""

    def put(self, value, count):
        self.text += f"{value:0{count}b}" if count else ""

    def stuffed(self):
        text = self.text + "1" * (-len(self.text) % 8)
        data = bytes(int(text[i:i + 8], 2) for i in range(0, len(text), 8))
        return data.replace(b"\xff", b"\xff\0")


def jpeg(across, down, components, colors, extra=b""):
    """across * down blocks of 8 x 8 pixels, each of one color: `components` numbers a block (Y, Cb,
    Cr; or one gray; or inverted inks where `extra` says so), row by row. Baseline, steps of 1."""
    # The code of a difference in c bits is c in 4 bits; of AC coefficients there is "no more" alone.
    dc = segment(0xc4, b"\0" + bytes([0, 0, 0, 12]) + bytes(12) + bytes(range(12)))
    ac = segment(0xc4, b"\x10" + bytes([1]) + bytes(15) + b"\0")
    frame = struct.pack(">BHHB", 8, 8 * down, 8 * across, components)
    scan = bytes([components])
    for i in range(components):
        frame += bytes([i + 1, 0x11, 0])
        scan += bytes([i + 1, 0])
    bits, before = Bits(), [0] * components
    for at in range(across * down):
        for i in range(components):
            level = 8 * (colors[components * at + i] - 128)
            difference, before[i] = level - before[i], level
            count = abs(difference).bit_length()
            bits.put(count, 4)
            bits.put(difference if difference > 0 else difference + (1 << count) - 1, count)
            bits.put(0, 1)
    return (b"\xff\xd8" + extra + segment(0xdb, b"\0" + b"\1" * 64) + segment(0xc0, frame) + dc + ac +
            segment(0xda, scan + b"\0\x3f\0") + bits.stuffed() + b"\xff\xd9")

# SPDX-License-Identifier: Apache-2.0
