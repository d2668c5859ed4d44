"""Asks the readers of Debian for addresses of each range of a CSV file, and compares their answers with the file.

usage: check_readers.py CSV LOOKUP FORMAT READER NAMES...

FORMAT is that of the addresses: ipv4-int, ipv6-int or cidr. NAMES are the value columns of a file of the vendor; without
them the file has a header, and its FORMAT is auto or cidr. READER is maxminddb or mmdblookup; maxminddb:100 asks for every
hundredth range only. Prints as JSON how many addresses were asked for, how many of them in gaps, and the first
that were answered in another way.
"""
import csv
import ipaddress
import json
import re
import subprocess
import sys

import maxminddb

MAPPED = 0xFFFF << 32
SIX_TO_FOUR = 0x2002 << 112
ZEROS = ("latitude", "longitude", "elevation")
NUMBERS = ZEROS + ("fraud_score", "last_seen")
CELL = re.compile(r'"(\w+)":\s+(?:"(.*)" <utf8_string>|(\S+) <(?:double|u?int\d+)>)')


def number(text):
    """An address as 128 bits, IPv4 as ::ffff:0:0/96."""
    address = ipaddress.ip_address(text)
    return int(address) + (MAPPED if address.version == 4 else 0)


def network(text):
    found = ipaddress.ip_network(text)
    return number(str(found[0])), number(str(found[-1]))


def vendor_record(names, cells):
    record = {k: float(v) if k in NUMBERS else v for k, v in zip(names, cells) if v != "-"}
    return None if all(k in ZEROS and v == 0 for k, v in record.items()) else record


def ranges(path, form, names):
    """First and last address of each row, and its record; None where nothing is to be found."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = csv.reader(file)
        if names and form == "cidr":
            for prefix, *cells in rows:
                yield *network(prefix), vendor_record(names, cells)
            return
        if names:
            shift = MAPPED if form == "ipv4-int" else 0
            for first, last, *cells in rows:
                yield int(first) + shift, int(last) + shift, vendor_record(names, cells)
            return
        width = 1 if form == "cidr" else 2
        names = next(rows)[width:]
        for row in rows:
            first, last = network(row[0]) if width == 1 else map(number, row[:2])
            yield first, last, {k: v for k, v in zip(names, row[width:]) if v != ""}


def spellings(address, tree):
    if address >> 32 != 0xFFFF:
        return [str(ipaddress.IPv6Address(address))]
    ipv4 = address - MAPPED
    dotted = str(ipaddress.IPv4Address(ipv4))
    if tree == 4:
        return [dotted]
    forms = [address, ipv4, SIX_TO_FOUR + (ipv4 << 80) + 7]
    return [dotted] + [str(ipaddress.IPv6Address(form)) for form in forms]


def probes(rows, step):
    """The first, a middle and the last address of every range or each so many, and those beside it which no range holds."""
    rows = sorted(rows, key=lambda row: row[0])
    for index, (first, last, record) in list(enumerate(rows))[::step]:
        # Of a row that begins in ::/96, only what lies in ::ffff:0:0/96 is surely its own.
        first = max(first, MAPPED)
        for address in (first, (first + last) // 2, last):
            yield address, record, False
        if index > 0 and rows[index - 1][1] < first - 1:
            yield first - 1, None, True
        if last + 1 < (rows[index + 1][0] if index + 1 < len(rows) else 1 << 128):
            yield last + 1, None, True


def mmdblookup(lookup, address):
    done = subprocess.run(["/usr/bin/mmdblookup", "-f", lookup, "-i", address], capture_output=True, text=True)
    if "Could not find an entry" in done.stdout + done.stderr:
        return None
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return {key: float(double) if double else text for key, text, double in CELL.findall(done.stdout)}


def main(path, lookup, form, reader, *names):
    database = maxminddb.open_database(lookup)
    tree = database.metadata().ip_version
    program, _, step = reader.partition(":")
    find = database.get if program == "maxminddb" else lambda address: mmdblookup(lookup, address)
    asked, gaps, wrong = 0, 0, []
    for number_, record, gap in probes(ranges(path, form, names), int(step or 1)):
        for address in spellings(number_, tree):
            if tree == 4 and ":" in address:
                continue
            asked, gaps = asked + 1, gaps + gap
            if find(address) != record:
                wrong.append([address, record])
    print(json.dumps({"asked": asked, "gaps": gaps, "wrong": wrong[:5]}))


main(*sys.argv[1:])
