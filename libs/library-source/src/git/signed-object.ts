import type { SignedText } from '../signatures/signed-text.js';

/** A commit or an annotated tag, as far as it says who made it from what. */
export interface SignedObject extends SignedText {
  /** A commit's parents, or what a tag points to. */
  readonly links: readonly string[];
  /** An annotated tag's own name. */
  readonly tagName?: string | undefined;
}

const LF = '\n';
/** Only the first bytes of a line need to be looked at. */
const TAG_SIGNATURES = ['PGP SIGNATURE', 'PGP MESSAGE', 'SIGNED MESSAGE', 'SSH SIGNATURE'].map(
  (name) => `-----BEGIN ${name}-----`,
);

/**
 * Takes a commit apart like git: the signature covers everything except header fields whose names start with `gpgsig`. Unlike
 * git's, the order of the other fields is strict, since a field could otherwise stand in for one that is not covered.
 *
 * @throws {RangeError} if it is not a commit as git writes them, or has several signatures
 * @see https://git-scm.com/docs/signature-format
 */
export function readCommit(data: Uint8Array): SignedObject {
  const text = latin1(data);
  const end = text.indexOf(LF + LF);
  const lines = (end < 0 ? text : text.slice(0, end)).split(LF);
  if (!/^tree [0-9a-f]{40}$/.test(lines[0] ?? '')) throw new RangeError('it does not start with a tree');
  const links = parentsOf(data);
  const author = 1 + links.length;
  if (!lines[author]?.startsWith('author ')) throw new RangeError('it names no author');
  const seconds = secondsOf(lines[author + 1], 'committer');
  const { kept, signatures } = splitHeader(lines);
  if (signatures.length > 1) throw new RangeError('it has several signatures');
  const payload = kept.join(LF) + (end < 0 ? '' : text.slice(end));
  return { links, seconds, payload: Buffer.from(payload, 'latin1'), signature: signatures[0] };
}

/** The signature of an annotated tag is the end of its message. */
export function readTag(data: Uint8Array): SignedObject {
  const text = latin1(data);
  const end = text.indexOf(LF + LF);
  const lines = (end < 0 ? text : text.slice(0, end)).split(LF);
  const target = oidOf(lines[0], 'object');
  const [, tagName] = /^tag (.+)$/s.exec(lines[2] ?? '') ?? [];
  if (target === undefined || !lines[1]?.startsWith('type ') || tagName === undefined)
    throw new RangeError('it does not say what it points to');
  const start = Math.max(...TAG_SIGNATURES.map((armor) => text.lastIndexOf(LF + armor) + 1));
  return {
    links: [target],
    tagName: Buffer.from(tagName, 'latin1').toString('utf8'),
    seconds: start > 0 ? secondsOf(lines[3], 'tagger') : 0,
    payload: Buffer.from(start > 0 ? text.slice(0, start) : text, 'latin1'),
    signature: start > 0 ? text.slice(start) : undefined,
  };
}

/** The parents of a commit, whatever else it says. */
export function parentsOf(commit: Uint8Array): string[] {
  const parents: string[] = [];
  const text = latin1(commit);
  for (let at = text.indexOf(LF) + 1; ; at += PARENT_BYTES) {
    const oid = oidOf(text.slice(at, at + PARENT_BYTES - 1), 'parent');
    if (oid === undefined) return parents;
    parents.push(oid);
  }
}

/** `parent `, a SHA-1 and the end of the line. */
const PARENT_BYTES = 48;

/** Separates what is signed from the signatures, whose further lines are indented. */
function splitHeader(lines: readonly string[]): { readonly kept: string[]; readonly signatures: string[] } {
  const kept: string[] = [];
  const signatures: string[] = [];
  let within: 'signature' | 'other' | undefined;
  for (const line of lines) {
    if (within && line.startsWith(' ')) {
      if (within === 'signature') signatures.push(`${signatures.pop()}${LF}${line.slice(1)}`);
      continue;
    }
    within = line.startsWith('gpgsig ') ? 'signature' : line.startsWith('gpgsig') ? 'other' : undefined;
    if (within === 'signature') signatures.push(line.slice('gpgsig '.length));
    if (!within) kept.push(line);
  }
  return { kept, signatures };
}

function oidOf(line: string | undefined, field: string): string | undefined {
  return new RegExp(`^${field} ([0-9a-f]{40})$`).exec(line ?? '')?.[1];
}

/** When a person is said to have made it: `committer A U Thor <author@example.com> 1700000000 +0100`. */
function secondsOf(line: string | undefined, field: string): number {
  const [, seconds] = new RegExp(`^${field} .*> (\\d{1,12}) [+-]\\d{4}$`, 's').exec(line ?? '') ?? [];
  if (seconds === undefined) throw new RangeError(`it names no ${field} with a time`);
  return Number(seconds);
}

const latin1 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
