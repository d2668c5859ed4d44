"""Reads a library as fast as it can until its input ends; prints each read as a line of JSON."""

import json
import sys
import threading

from kazoo.client import KazooClient

from read_whole_load import read_whole_load

hosts, root = sys.argv[1], sys.argv[2]
ended = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
client = KazooClient(hosts=hosts)
client.start(timeout=20)
load = 1
try:
    while not ended.is_set():
        load, files = read_whole_load(client, root, load)
        print(json.dumps({path: data.decode() for path, data in files.items()}), flush=True)
finally:
    client.stop()
