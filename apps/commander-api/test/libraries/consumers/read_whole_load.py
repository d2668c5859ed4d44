import json
import time
from urllib.parse import quote

from kazoo.exceptions import NoNodeError


def read_whole_load(client, root, least=1):
    """Returns the number of a load, and the files of the library as it wrote them, by path.

    root: the library's path, such as /library
    least: the lowest acceptable load number: a server that lags behind may still have an older load
    """
    manifest = "/svccmd/libraries/%s/manifest" % quote(root[1:], safe="!~*'()")
    for _ in range(600):
        session = client.client_id
        client.sync(manifest)
        try:
            data, before = client.get(manifest)
        except NoNodeError:
            raise LookupError("%s does not exist: cannot tell whether %s is whole" % (manifest, root))
        state = json.loads(data)
        if state["format"] != 1:
            raise LookupError("%s has an unknown format" % manifest)
        if "pending" not in state and state["load"] >= least:
            try:
                files = dict(read_folder(client, root, ""))
                _, after = client.get(manifest)
                is_same = after.mzxid == before.mzxid and client.client_id == session
                if session and is_same:
                    return state["load"], files
            except NoNodeError:
                pass  # A node vanished meanwhile.
        time.sleep(0.1)
    raise TimeoutError("%s: loads kept running for a minute" % root)


def read_folder(client, root, path):
    for name in client.get_children(root + path):
        if name.startswith("."):
            continue
        child = "%s/%s" % (path, name)
        if "." in name and not name.endswith((".io", ".d")):
            yield child[1:], client.get(root + child)[0] or b""
        else:
            yield from read_folder(client, root, child)
