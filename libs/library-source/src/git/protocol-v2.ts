import { DELIMITER, FLUSH, GitAnswerError, pktLine, readPktLines, throwIfRefused } from './pkt-lines.js';

/** What a server offers in protocol version 2: `fetch` → `shallow filter`. */
export type V2Capabilities = Readonly<Record<string, string | true>>;

/** Objects to fetch. */
export interface WantedObjects {
  readonly oids: readonly string[];
  /** Commits without their parents. */
  readonly isShallow: boolean;
  /** Leaves out the contents of files, or folders as well. */
  readonly filter?: 'blob:none' | 'tree:0' | undefined;
  /** Leaves out this commit, and what it contains and descends from. */
  readonly have?: string | undefined;
}

/** A branch or tag has a line of its own: a SHA-1, a name, attributes. */
const REF_LINE = /^([0-9a-f]{40}) ([^ ]+)(?: (.*))?$/;
const PEELED = /(?:^| )peeled:([0-9a-f]{40})(?: |$)/;

/**
 * Lists the branches and tags whose names start with one of these prefixes.
 *
 * @see https://git-scm.com/docs/protocol-v2#_ls_refs
 */
export function lsRefsRequest(prefixes: readonly string[], offered: V2Capabilities): Buffer {
  return command('ls-refs', offered, ['peel', ...prefixes.map((prefix) => `ref-prefix ${prefix}`)]);
}

/**
 * @returns SHA-1 of each branch and tag by full name; `<name>^{}` is the object an annotated tag points to
 * @throws {GitAnswerError}
 */
export async function readLsRefsAnswer(
  body: AsyncIterable<Uint8Array>,
): Promise<ReadonlyMap<string, string>> {
  const refs = new Map<string, string>();
  let isWhole = false;
  for await (const line of readPktLines(body)) {
    if (line === undefined) {
      isWhole = true;
      continue;
    }
    throwIfRefused(line);
    const [, oid, name, attributes = ''] = REF_LINE.exec(line.toString('utf8').trimEnd()) ?? [];
    if (oid === undefined || name === undefined) throw new GitAnswerError(NO_LIST);
    refs.set(name, oid);
    const peeled = PEELED.exec(attributes)?.[1];
    if (peeled !== undefined) refs.set(`${name}^{}`, peeled);
  }
  // A truncated list may lack the requested branch.
  if (!isWhole) throw new GitAnswerError(NO_LIST);
  return refs;
}

const NO_LIST = 'the response is not a list of branches and tags';

/**
 * Fetches objects and everything they contain.
 *
 * @throws {Error} if the server lacks a required feature
 * @see https://git-scm.com/docs/protocol-v2#_fetch
 */
export function fetchRequest(wanted: WantedObjects, offered: V2Capabilities): Buffer {
  if (wanted.isShallow && !hasFetchFeature(offered, 'shallow')) {
    throw new Error('the server cannot leave out the history');
  }
  return command('fetch', offered, [
    'no-progress',
    'ofs-delta',
    ...wanted.oids.map((oid) => `want ${oid}`),
    ...(wanted.isShallow ? ['deepen 1'] : []),
    ...(wanted.filter ? [`filter ${wanted.filter}`] : []),
    ...(wanted.have === undefined ? [] : [`have ${wanted.have}`]),
    'done',
  ]);
}

export function hasFetchFeature({ fetch }: V2Capabilities, feature: string): boolean {
  return typeof fetch === 'string' && fetch.split(' ').includes(feature);
}

function command(name: string, offered: V2Capabilities, words: readonly string[]): Buffer {
  const head = [
    `command=${name}`,
    ...(offered['agent'] === undefined ? [] : ['agent=svccmd']),
    ...(offered['object-format'] === undefined ? [] : ['object-format=sha1']),
  ];
  const lines = (texts: readonly string[]): string => texts.map((text) => pktLine(`${text}\n`)).join('');
  return Buffer.from(lines(head) + DELIMITER + lines(words) + FLUSH);
}
