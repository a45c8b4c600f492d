#!/usr/bin/env python3
"""What renderers show of the files in crates/documents/tests/visible.

Every case is written twice, with one and with another sentence. A renderer that draws both alike
shows neither: the sentence is not seen. Web pages and Markdown (by cmark) are drawn by Chromium,
Word documents by LibreOffice, PDFs by pdftoppm. Needs those programs; not part of CI.

    ASSIZE_VISIBLE_FILES=FOLDER cargo test -p assize-documents --test visible
    scripts/visible_reference.py FOLDER [html|md|docx|pdf ...]
"""

import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

# A pixel differs from so much on, of 255; a sentence that is seen differs in so many of them.
CONTRAST, PIXELS = 26, 100


def run(*command):
    subprocess.run([str(part) for part in command], check=True, capture_output=True, timeout=120)


def png(path):
    """The pixels of a PNG of 8 bits, as (width, bytes a pixel, rows)."""
    data = path.read_bytes()
    at, packed, head = 8, b"", None
    while at < len(data):
        (length,), kind = struct.unpack(">I", data[at : at + 4]), data[at + 4 : at + 8]
        body = data[at + 8 : at + 8 + length]
        head = struct.unpack(">IIBB", body[:10]) if kind == b"IHDR" else head
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    width, height, _, colour = head
    step = {0: 1, 2: 3, 6: 4}[colour]
    raw, stride, rows, before = zlib.decompress(packed), width * step, [], bytearray(width * step)
    for number in range(height):
        start = number * (stride + 1)
        method, row = raw[start], bytearray(raw[start + 1 : start + 1 + stride])
        for i in range(stride) if method else ():
            left, up = (row[i - step] if i >= step else 0), before[i]
            corner = before[i - step] if i >= step else 0
            guess = left + up - corner
            near = min((left, up, corner), key=lambda part: abs(guess - part))
            row[i] = (row[i] + (0, left, up, (left + up) // 2, near)[method]) & 255
        rows.append(row)
        before = row
    return rows


def ppm(path):
    """The rows of a PPM as pdftoppm writes it."""
    magic, size, _, pixels = path.read_bytes().split(b"\n", 3)
    assert magic == b"P6"
    stride = int(size.split()[0]) * 3
    return [pixels[at : at + stride] for at in range(0, len(pixels), stride)]


def differing(one, other, read):
    """In how many values two pictures differ clearly."""
    if one.read_bytes() == other.read_bytes():
        return 0
    pairs = zip(read(one), read(other))
    rows = (zip(a, b) for a, b in pairs if a != b)
    return sum(abs(x - y) >= CONTRAST for row in rows for x, y in row)


def drawn(path, folder):
    """The picture of a file, and how it is read."""
    ending, out = path.suffix[1:], folder / path.name
    if ending == "md":
        html = subprocess.run(["cmark", "--unsafe", path], check=True, capture_output=True).stdout
        path = folder / f"{path.name}.html"
        path.write_bytes(b"<!doctype html><meta charset=utf-8>" + html)
    if ending in ("html", "md"):
        picture = out.with_suffix(".png")
        run("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--window-size=1200,800", f"--screenshot={picture}", path.resolve().as_uri())
        return picture, png
    if ending == "docx":
        run("soffice", "--headless", "--convert-to", "pdf", "--outdir", folder, path)
        path = out.with_suffix(".pdf")
    run("pdftoppm", "-r", "100", "-f", "1", "-l", "1", "-singlefile", path, out)
    return out.with_name(out.name + ".ppm"), ppm


def main():
    source, kinds = pathlib.Path(sys.argv[1]), sys.argv[2:] or ["html", "md", "docx", "pdf"]
    agree = total = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kind in kinds:
            for one in sorted(source.glob(f"*.a.{kind}")):
                _, expected, case, *_ = one.name.split(".")
                other = one.with_name(one.name.replace(".a.", ".b."))
                (first, read), (second, _) = drawn(one, folder), drawn(other, folder)
                count = differing(first, second, read)
                found = "seen" if count >= PIXELS else "unseen"
                total, agree = total + 1, agree + (found == expected)
                word = "agrees" if found == expected else "DIFFERS"
                print(f"{word:8}{kind:5}{case:32}expected {expected:7}drawn {found:7}{count:6}", flush=True)
    print(f"{agree} of {total} agree")


if __name__ == "__main__":
    main()
