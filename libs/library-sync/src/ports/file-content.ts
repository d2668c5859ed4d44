/** A content that is not in memory until it is read. */
export interface UnreadContent {
  readonly length: number;
  /** Synchronous: contents are small, and are read many at a time. */
  read(): Uint8Array;
}

/** The content of a file: a source may keep it outside memory until `release`. */
export type FileContent = Uint8Array | UnreadContent;

export function bytesOf(content: FileContent): Uint8Array {
  return 'read' in content ? content.read() : content;
}
