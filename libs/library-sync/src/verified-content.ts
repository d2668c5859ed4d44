import { contentHash } from './checks/check-library.js';
import type { FileContent } from './ports/file-content.js';

/**
 * A content that must still be what was checked when it is read again for writing.
 *
 * @param hash see `contentHash`
 */
export function verifiedContent(content: FileContent, hash: string, path: string): FileContent {
  if (!('read' in content)) return content;
  return {
    length: content.length,
    read: () => {
      const data = content.read();
      if (contentHash(data) === hash) return data;
      throw new Error(`the content of ${path} is no longer what was checked; run the load again`);
    },
  };
}
