# The peer: the same nodes as well as kazoo, Python's ZooKeeper client, can write them.
#   /usr/bin/python3 library-kazoo.py load|compare <host:port,...> <node> <folder>
# "load" creates them in transactions of 100, eight in flight; "compare" reads each one and writes those that differ.
import json
import os
import resource
import sys
import time
from collections import deque

from kazoo.client import KazooClient

BATCH_OPERATIONS, BATCH_BYTES, BATCHES_IN_FLIGHT, READS_IN_FLIGHT = 100, 900_000, 8, 256


def nodes(root, folder):
    """Parents before children; a folder is a node without data."""
    yield root, b""
    for path, folders, files in os.walk(folder):
        folders.sort()
        place = root + path[len(folder):]
        for name in folders:
            yield f"{place}/{name}", b""
        for name in sorted(files):
            with open(os.path.join(path, name), "rb") as file:
                yield f"{place}/{name}", file.read()


def batches(root, folder):
    batch, size = [], 0
    for path, data in nodes(root, folder):
        if len(batch) == BATCH_OPERATIONS or (batch and size + len(data) > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append((path, data))
        size += len(data)
    yield batch


def load(client, root, folder):
    in_flight = deque()
    for batch in batches(root, folder):
        transaction = client.transaction()
        for path, data in batch:
            transaction.create(path, data)
        in_flight.append(transaction.commit_async())
        if len(in_flight) == BATCHES_IN_FLIGHT:
            check(in_flight.popleft())
    for answer in in_flight:
        check(answer)


def check(answer):
    for result in answer.get():
        if isinstance(result, Exception):
            raise result


def compare(client, root, folder):
    in_flight = deque()

    def finish(path, data, answer):
        stored, stat = answer.get()
        if stored != data:
            client.set(path, data, stat.version)

    for path, data in nodes(root, folder):
        in_flight.append((path, data, client.get_async(path)))
        if len(in_flight) == READS_IN_FLIGHT:
            finish(*in_flight.popleft())
    for entry in in_flight:
        finish(*entry)


what, hosts, root, folder = sys.argv[1:]
client = KazooClient(hosts=hosts)
client.start()
started = time.perf_counter()
{"load": load, "compare": compare}[what](client, root, folder)
seconds = time.perf_counter() - started
client.stop()
used = resource.getrusage(resource.RUSAGE_SELF)
cpu = used.ru_utime + used.ru_stime
print(json.dumps({"seconds": seconds, "cpuSeconds": cpu, "peakMb": used.ru_maxrss * 1024 / 1e6}))
