/**
 * Memory that goes back to the operating system when it is collected. That of other arrays stays with the C library,
 * which the next step, such as a merge, would need in addition to its own.
 */
export function mappedWords(length: number): Uint32Array {
  const bytes = length * Uint32Array.BYTES_PER_ELEMENT;
  // Resizable buffers are mapped; the types of ES2023 do not have them.
  const buffer = Reflect.construct(ArrayBuffer, [bytes, { maxByteLength: bytes }]) as ArrayBuffer;
  return new Uint32Array(buffer, 0, length);
}
