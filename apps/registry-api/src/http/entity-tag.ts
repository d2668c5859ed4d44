/** One entity tag, weak or strong (RFC 9110 section 8.8.3). */
const ENTITY_TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/** The strong entity tag of a state with this sequence number. */
export function toEntityTag(seq: string): string {
  return `"${seq}"`;
}

/** If-None-Match: true when the caller has this state already (weak comparison, RFC 9110 section 13.1.2). */
export function namesTag(header: string | undefined, seq: string): boolean {
  return header !== undefined && (header.trim() === '*' || tagsIn(header).some(({ tag }) => tag === seq));
}

/** If-Match: true when the header allows a change of this state (strong comparison, RFC 9110 section 13.1.1). */
export function permits(header: string | undefined, seq: string): boolean {
  if (header === undefined || header.trim() === '*') return true;
  return tagsIn(header).some(({ tag, isWeak }) => tag === seq && !isWeak);
}

function tagsIn(header: string): { tag: string | undefined; isWeak: boolean }[] {
  return [...header.matchAll(ENTITY_TAG)].map(([, weak, tag]) => ({ tag, isWeak: weak !== undefined }));
}
