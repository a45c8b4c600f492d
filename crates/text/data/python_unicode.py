"""Writes python_unicode.txt, the Unicode facts that tokenisation depends on.

Run with CPython 3.11 (Unicode 14) and the `regex` package that NLTK 3.10
matches with; both are asked, so nothing is derived from category names:

    python3.11 python_unicode.py > python_unicode.txt

A line `from-to flags` gives the code points whose flags are not zero; a line
`from-to/step +delta` gives lowercase mappings to one code point. All numbers
are hexadecimal. ASCII is in the file as well, so that a test can compare.
"""

import regex

WORD, DIGIT, ALNUM, UPPER, LOWER, CASED, SKIPPED, LOWERS = (1 << bit for bit in range(8))
POINTS = [code for code in range(0x110000) if not 0xD800 <= code < 0xE000]


def flags(char):
    found = 0
    found |= WORD * bool(regex.match(r"\w", char))
    found |= DIGIT * bool(regex.match(r"\d", char))
    found |= ALNUM * char.isalnum()
    found |= UPPER * char.isupper()
    found |= LOWER * char.islower()
    # How `str.lower` treats the neighbours of a capital sigma.
    cased = (char + "\u03a3").lower().endswith("\u03c2")
    found |= CASED * cased
    found |= SKIPPED * (not cased and ("A" + char + "\u03a3").lower().endswith("\u03c2"))
    found |= LOWERS * (char.lower() != char)
    return found


def flag_runs():
    runs = []
    for code in POINTS:
        value = flags(chr(code))
        if runs and runs[-1][2] == value and runs[-1][1] == code - 1:
            runs[-1][1] = code
        else:
            runs.append([code, code, value])
    return [run for run in runs if run[2]]


def lower_runs():
    runs = []
    for code in POINTS:
        lowered = chr(code).lower()
        if lowered == chr(code) or len(lowered) > 1:
            continue
        delta = ord(lowered) - code
        if runs and runs[-1][3] == delta:
            first, last, step, _ = runs[-1]
            gap = code - last
            if gap == step or (first == last and gap <= 2):
                runs[-1][1:3] = [code, gap]
                continue
        runs.append([code, code, 1, delta])
    return runs


for first, last, value in flag_runs():
    print(f"{first:x}-{last:x} {value:x}")
for first, last, step, delta in lower_runs():
    print(f"{first:x}-{last:x}/{step} {delta:+x}")
