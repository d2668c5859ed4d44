/**
 * ZooKeeper's limit on a whole request (`jute.maxbuffer`, 0xfffff by default): a larger one makes the server drop the
 * connection, and every other request on it fails too.
 *
 * @see https://zookeeper.apache.org/doc/r3.8.0/zookeeperAdmin.html
 */
export const MAX_REQUEST_BYTES = 1_048_575;

/** No file larger than this is loaded, wherever it goes: the library must be able to move to any store. */
export const MAX_FILE_BYTES = 1_000_000;

/** Files larger than this are loaded with a warning: ZooKeeper is made for data of a few kilobytes. */
export const LARGE_FILE_BYTES = 512_000;

/** Request header (xid, type) and the header that ends a multi. */
const MULTI_BYTES = 8 + 9;
/** Operation header, length of path, version. */
const CHECK_BYTES = 9 + 4 + 4;
/** Operation header, lengths of path and data, the open access list, flags. */
const CREATE_BYTES = 9 + 4 + 4 + 27 + 4;

/**
 * The most data a node can be created with in a multi that also checks a fence, in bytes.
 *
 * @param pathBytes length of the node's absolute path in UTF-8
 * @param fenceBytes length of the absolute path of the node that is checked
 * @param requestBytes the destination's own limit on a request
 */
export function maxDataBytes(
  pathBytes: number,
  fenceBytes: number,
  requestBytes: number = MAX_REQUEST_BYTES,
): number {
  return requestBytes - MULTI_BYTES - CHECK_BYTES - fenceBytes - CREATE_BYTES - pathBytes;
}
