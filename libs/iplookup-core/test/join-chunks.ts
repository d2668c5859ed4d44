/** Joins chunks, each of which is valid until the next one is requested. */
export function joinChunks(chunks: Iterable<Uint8Array>): Buffer {
  return Buffer.concat(Array.from(chunks, (chunk) => Buffer.from(chunk)));
}
