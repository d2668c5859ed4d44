import { sentence, shortened } from '@svc/foundation';
import { EventLoopYield } from '../runtime/event-loop-yield.js';

/** A body is not valid JSON, or is ambiguous. The message is safe to return to the caller. */
export class JsonBodyError extends Error {
  override readonly name = 'JsonBodyError';

  /** The message as a sentence. */
  get sentence(): string {
    return sentence(this.message);
  }
}

/** More than any metadata needs, and little enough for recursive functions. */
const MAX_DEPTH = 32;

/** The characters of a number, in text that is known to be valid JSON. */
const NUMBER = /[-+.\deE]+/y;

/** More than any metadata needs; work per member must not add up to seconds. */
const MAX_MEMBERS = 1_000;

/** A thousand clients with every field have 160,000. Parsing millions would block the event loop for seconds. */
const MAX_VALUES = 250_000;

/** Characters that are checked in one go, which takes some milliseconds. */
const SLICE = 512 * 1024;

export interface JsonOptions {
  /** Allows any characters in strings and any member names, for values that are never stored. */
  readonly anyText?: boolean;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a JSON text (RFC 8259) strictly, in the spirit of I-JSON (RFC 7493): UTF-8, no member twice in an object, no
 * lone surrogate, no number beyond a double; and no NUL, which PostgreSQL cannot store, no `__proto__`, at most 32 levels,
 * 1,000 members in an object and 250,000 values.
 *
 * @throws {JsonBodyError}
 */
export function parseJson(bytes: Uint8Array, options: JsonOptions = {}): unknown {
  refuseUnwieldy(bytes);
  const text = decoded(bytes);
  const value = parsed(text);
  new TokenCheck(text, options).check(Number.POSITIVE_INFINITY);
  return value;
}

/** The same for large bodies, without blocking the event loop. @throws {JsonBodyError} */
export async function parseJsonInSlices(bytes: Uint8Array, options: JsonOptions = {}): Promise<unknown> {
  if (bytes.length <= SLICE) return parseJson(bytes, options);
  const pause = new EventLoopYield();
  await pause.ifDue();
  refuseUnwieldy(bytes);
  await pause.ifDue();
  const text = decoded(bytes);
  await pause.ifDue();
  const value = parsed(text);
  const tokens = new TokenCheck(text, options);
  do await pause.ifDue();
  while (!tokens.check(SLICE));
  return value;
}

/** Checks size and depth before anything is allocated, by counting brackets and commas byte by byte. */
function refuseUnwieldy(bytes: Uint8Array): void {
  let [values, depth, isString] = [0, 0, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) isString = !isString;
    else if (isString) continue;
    else if (byte === COMMA) values += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values += 1;
      depth += 1;
      if (depth > MAX_DEPTH) throw new JsonBodyError(`the body is nested more than ${MAX_DEPTH} levels deep`);
    }
  }
  if (values > MAX_VALUES) throw new JsonBodyError(`the body has more than ${MAX_VALUES} values`);
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new JsonBodyError('the body is not UTF-8');
  }
}

function parsed(text: string): unknown {
  if (text.trim() === '') throw new JsonBodyError('the body is empty; send a JSON object');
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The engine's message quotes the body, which may contain a secret, so only the position is used.
    const [place = ''] = / at position \d+/.exec(String(cause)) ?? [];
    throw new JsonBodyError(`the body is not valid JSON${place}`, { cause });
  }
}

/** Checks the tokens of text that is known to be valid JSON, so only quotes, brackets, commas and numbers matter. */
class TokenCheck {
  private at = 0;
  /** One entry per open bracket: an object's names so far, or `undefined` for an array. */
  private readonly open: (Set<string> | undefined)[] = [];
  private isName = false;

  constructor(
    private readonly text: string,
    private readonly options: JsonOptions,
  ) {}

  /** Checks roughly this many more characters. @returns whether it reached the end @throws {JsonBodyError} */
  check(characters: number): boolean {
    const end = Math.min(this.text.length, this.at + characters);
    while (this.at < end) this.checkToken();
    return this.at >= this.text.length;
  }

  private checkToken(): void {
    const { text, open, at } = this;
    this.at += 1;
    switch (text.charAt(at)) {
      case '"': {
        const end = endOfString(text, at);
        const string = this.stringOf(text.slice(at, end + 1));
        if (this.isName) this.checkName(string, open.at(-1));
        this.isName = false;
        this.at = end + 1;
        break;
      }
      case '{':
      case '[':
        this.isName = text[at] === '{';
        open.push(this.isName ? new Set() : undefined);
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        this.isName = open.at(-1) !== undefined;
        break;
      default:
        if (/[-\d]/.test(text.charAt(at))) this.at = endOfNumber(text, at) + 1;
    }
  }
  private checkName(name: string, names: Set<string> | undefined): void {
    if (name === '__proto__' && !this.options.anyText) {
      throw new JsonBodyError('the body has a member named __proto__');
    }
    if (names?.has(name)) {
      throw new JsonBodyError(`the body has the member ${JSON.stringify(shortened(name))} twice`);
    }
    names?.add(name);
    if (names && names.size > MAX_MEMBERS) {
      throw new JsonBodyError(`the body has an object with more than ${MAX_MEMBERS} members`);
    }
  }

  /** Only escapes can produce characters that UTF-8 and JSON themselves rule out. */
  private stringOf(literal: string): string {
    if (!literal.includes('\\')) return literal.slice(1, -1);
    const string = JSON.parse(literal) as string;
    if (this.options.anyText) return string;
    if (string.includes('\0')) throw new JsonBodyError('the body has a string with a NUL character');
    if (/\p{Surrogate}/u.test(string)) {
      throw new JsonBodyError('the body has a string with an unpaired surrogate, which is not valid Unicode');
    }
    return string;
  }
}

/** @returns the position of the closing quote */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
}

/** @returns the position of its last character */
function endOfNumber(text: string, start: number): number {
  NUMBER.lastIndex = start;
  NUMBER.test(text);
  if (!Number.isFinite(Number(text.slice(start, NUMBER.lastIndex)))) {
    throw new JsonBodyError('the body has a number that is too large');
  }
  return NUMBER.lastIndex - 1;
}
