/**
 * ZooKeeper's limit on a whole request (`jute.maxbuffer`, 0xfffff by default). On a larger one the server drops the
 * connection, failing every other request on it.
 *
 * @see https://zookeeper.apache.org/doc/r3.8.0/zookeeperAdmin.html
 */
export const MAX_REQUEST_BYTES = 1_048_575;

/** Applies to every store, so that a library can be moved to any of them. */
export const MAX_FILE_BYTES = 1_000_000;

/** Larger files cause a warning: ZooKeeper is designed for a few kilobytes per node. */
export const LARGE_FILE_BYTES = 512_000;

/** Request header (xid, type) and a multi's end header. */
const MULTI_BYTES = 8 + 9;
/** Operation header, length of path, version. */
const CHECK_BYTES = 9 + 4 + 4;
/** Operation header, lengths of path and data, the open ACL, flags. */
const CREATE_BYTES = 9 + 4 + 4 + 27 + 4;

/**
 * The maximum data, in bytes, of a node created in a multi that also checks a fence.
 *
 * @param pathBytes length of the node's absolute path in UTF-8
 * @param fenceBytes length of the fence node's absolute path
 * @param requestBytes the destination's request limit
 */
export function maxDataBytes(
  pathBytes: number,
  fenceBytes: number,
  requestBytes: number = MAX_REQUEST_BYTES,
): number {
  return requestBytes - MULTI_BYTES - CHECK_BYTES - fenceBytes - CREATE_BYTES - pathBytes;
}
