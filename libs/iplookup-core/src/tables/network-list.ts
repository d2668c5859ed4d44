import { looksLikeAddress } from '../address/input-format.js';
import { LookupInputError } from '../build/input-violations.js';
import { InputPlaces } from '../rows/input-places.js';
import { encodeCells } from './encode-cells.js';
import { readProviderRanges } from './provider-ranges.js';

/** Longer lines are refused. */
const MAX_LINE_BYTES = 1 << 20;

/** JSON is parsed as a whole; the largest file published by a provider has about 5 MB. */
export const MAX_JSON_BYTES = 64 * 1024 * 1024;

const TYPICAL_TEXT = 1 << 16;

/**
 * Turns a list of networks into CSV text with a header: `network`, `comment` for lines of text, `network`, `provider`,
 * `service`, `region` for the JSON of a cloud provider. The first character distinguishes them.
 */
export class NetworkList {
  /** Origins of the CSV text's lines: lines of the list, or networks of the JSON document, counted from 1. */
  readonly places = new InputPlaces();

  /**
   * @param file its name in messages
   * @param separator byte between fields
   */
  constructor(
    private readonly file: string,
    private readonly separator: number,
  ) {
    const headerLines = 1;
    this.places.begin(file, headerLines);
  }

  /** @throws {LookupInputError} on iteration, if it is not a list of networks */
  async *read(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let head = '';
    const chunks = content[Symbol.asyncIterator]();
    try {
      while (head.length < MARK_BYTES || trimBlanks(withoutMark(head)) === '') {
        const next = await chunks.next();
        if (next.done) break;
        // As Latin-1: the builder checks whether it is UTF-8.
        head += latin1(next.value);
        if (head.length > MAX_LINE_BYTES && trimBlanks(head) === '')
          throw this.refusal('begins with too many blank lines');
      }
      head = withoutMark(head);
      const rest = { [Symbol.asyncIterator]: () => chunks };
      yield* JSON_START.test(head) ? this.readJson(head, rest) : this.readLines(head, rest);
    } finally {
      await chunks.return?.();
    }
  }

  private async *readLines(head: string, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    yield this.row(['network', 'comment']);
    let pending = '';
    const take = (text: string): Uint8Array => {
      const lines = (pending + text).split('\n');
      pending = lines.pop()!;
      if (pending.length > MAX_LINE_BYTES)
        throw this.refusal(`has a line of more than ${MAX_LINE_BYTES} bytes`);
      return Buffer.concat(lines.map((line) => this.line(line)));
    };
    yield take(head);
    for await (const chunk of rest) yield take(latin1(chunk));
    if (pending !== '') yield this.line(pending);
  }

  /** A line without a network stays blank, so that the lines after it keep their numbers. */
  private line(text: string): Uint8Array {
    const at = text.search(/[#;]|\/\//);
    const network = trimBlanks(at < 0 ? text : text.slice(0, at));
    if (network === '') return Buffer.from('\n');
    const comment = at < 0 ? '' : text.slice(at).replace(/^(?:[#;]|\/\/)+/, '');
    return this.row([withoutBlanks(network), trimBlanks(comment)]);
  }

  private async *readJson(head: string, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const parts = [Buffer.from(head, 'latin1')];
    let bytes = head.length;
    for await (const chunk of rest) {
      bytes += chunk.length;
      if (bytes > MAX_JSON_BYTES)
        throw this.refusal(`has more than ${MAX_JSON_BYTES} bytes, the limit for JSON`);
      // The reader uses its buffers again.
      parts.push(Buffer.from(chunk));
    }
    const ranges = readProviderRanges(this.parse(Buffer.concat(parts).toString('utf8')));
    if (ranges === undefined) throw this.refusal(UNKNOWN_JSON);
    yield this.row(['network', 'provider', 'service', 'region']);
    let pending: Uint8Array[] = [];
    let length = 0;
    for (const { network, provider, service, region } of ranges) {
      const row = Buffer.from(`${encodeCells([network, provider, service, region], this.separator)}\n`);
      pending.push(row);
      length += row.length;
      if (length < TYPICAL_TEXT) continue;
      yield Buffer.concat(pending);
      pending = [];
      length = 0;
    }
    yield Buffer.concat(pending);
  }

  private parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw this.refusal(`looks like JSON, but is invalid: ${(error as Error).message}`);
    }
  }

  private row(cells: readonly string[]): Uint8Array {
    return Buffer.from(`${encodeCells(cells, this.separator)}\n`, 'latin1');
  }

  private refusal(reason: string): LookupInputError {
    return new LookupInputError([{ file: this.file, reason }]);
  }
}

/** Whether the beginning of a file looks like JSON. */
export function beginsLikeJson(head: Uint8Array): boolean {
  return JSON_START.test(withoutMark(latin1(head.subarray(0, 1024))));
}

/**
 * Whether the beginning of a file can only be a list of networks, because it has comments, which CSV lacks.
 * A semicolon may separate columns as well, so only one that stands apart counts as a comment.
 */
export function hasNetworkComments(head: Buffer): boolean {
  const lines = withoutMark(latin1(head))
    .split(/\r?\n/)
    .map(trimBlanks)
    .filter((line) => line !== '');
  const networks = lines
    .map((line) => trimBlanks(line.slice(0, sureComment(line))))
    .filter((network) => network !== '');
  return (
    lines.some((line) => sureComment(line) < line.length) &&
    networks.length > 0 &&
    networks.every((network) => /[.:]/.test(network) && looksLikeAddress(withoutBlanks(network)))
  );
}

/** Where the comment of a trimmed line begins that can be nothing else; its length if there is none. */
function sureComment(line: string): number {
  if (line.startsWith(';')) return 0;
  const sign = line.search(/#|\/\//);
  const at = line.lastIndexOf(';');
  // After a semicolon within a line, neither a further one nor an address: those are columns.
  const isApart = isBlankAt(line, at - 1) && !ADDRESS_START.test(trimBlanks(line.slice(at + 1)));
  return Math.min(...[sign, isApart ? at : -1].filter((place) => place >= 0), line.length);
}

/** Without the blanks around a range's hyphen. */
function withoutBlanks(range: string): string {
  const at = range.indexOf('-');
  return at < 0 ? range : `${trimBlanks(range.slice(0, at))}-${trimBlanks(range.slice(at + 1))}`;
}

/** Length of the UTF-8 byte order mark. */
const MARK_BYTES = 3;

const JSON_START = /^[ \t\r\n]*[[{]/;

const ADDRESS_START = /^[\da-f]*[.:]/i;

const withoutMark = (text: string): string => text.replace(/^\u00ef\u00bb\u00bf/, '');

const UNKNOWN_JSON =
  'is JSON without known lists of networks: use the files of AWS, Azure, Cloudflare, GitHub, Google or Oracle as published, or a list of networks';

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

const BLANKS = ' \t\r\n\v\f';

/** Whether there is an ASCII blank at this place. */
function isBlankAt(text: string, at: number): boolean {
  return BLANKS.includes(text.charAt(at)) && at >= 0 && at < text.length;
}

/** Removes ASCII blanks only: others, in Latin-1, may be parts of UTF-8 characters. */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (isBlankAt(text, start)) start++;
  while (end > start && isBlankAt(text, end - 1)) end--;
  return text.slice(start, end);
}
