import type { Edit } from './document-scalar.js';

/** A tag in the text. */
export interface TagToken {
  readonly start: number;
  readonly end: number;
}

interface ScalarSource {
  readonly start: number;
  readonly end: number;
  /** Without white space around it. */
  readonly value: string;
  /** True if it has the tag `!encpwd`, however it is written, and its quotes or block stay as they are. */
  readonly keepsForm: boolean;
  readonly tag: TagToken | undefined;
}

/** The edit that puts `!encpwd` and an encrypted password in place of a scalar of YAML. */
export function replaceYamlScalar(text: string, scalar: ScalarSource, encrypted: string): Edit | undefined {
  const { start, end, value, keepsForm, tag } = scalar;
  const source = text.slice(start, end);
  if (keepsForm) return { start, end, text: renewed(source, value, encrypted) };
  if (source === '' && tag === undefined) return insertion(text, start, encrypted);
  const written = replaced(source, encrypted);
  if (!tag) return { start, end, text: `!encpwd ${written}` };
  const between = text.slice(tag.end, start);
  if (source === '') {
    // Directly after the tag, or its anchor: a comment must not follow the value without a space.
    const [anchor] = /^(?:\s*&\S+)?/.exec(between)!;
    const after = tag.end + anchor.length;
    return { start: tag.start, end: after, text: `!encpwd${anchor} ${written}` };
  }
  return { start: tag.start, end, text: `!encpwd${between === '' ? ' ' : between}${written}` };
}

/** Keeps quotes and blocks where they can hold the new value. */
function renewed(source: string, value: string, encrypted: string): string {
  // Only double quotes allow escapes; in every other style the value appears literally, after any comment.
  const start = value === '' ? -1 : source.lastIndexOf(value);
  if (start < 0 || (encrypted.includes('"') && !/^['|>]/.test(source))) return replaced(source, encrypted);
  return source.slice(0, start) + encrypted + source.slice(start + value.length);
}

function replaced(source: string, encrypted: string): string {
  if (!/^[|>]/.test(source)) return quoted(encrypted);
  const [, header = '', breaks = '', indent = ''] =
    /^([^\r\n]*)(\r?\n)(?:[ \t]*\r?\n)*([ ]*)/.exec(source) ?? [];
  // An empty block has no indentation to take over.
  if (indent === '') return quoted(encrypted) + source.slice(source.trimEnd().length);
  const last = /\r?\n$/.exec(source)?.[0] ?? '';
  // Without the break at its end, and without an indentation that leaves spaces at its start.
  const trimming = header.replace(/^([|>])[-+\d]*/, '$1-');
  return `${trimming}${breaks}${indent}${encrypted}${last}`;
}

/** An encrypted password as YAML. */
export const taggedText = (encrypted: string): string => `!encpwd ${quoted(encrypted)}`;

/** Compact values have neither kind of quote, JSON has double ones. */
const quoted = (encrypted: string): string => (encrypted.includes('"') ? `'${encrypted}'` : `"${encrypted}"`);

/** For a key without a value: directly after the colon or the hyphen. */
function insertion(text: string, at: number, encrypted: string): Edit | undefined {
  const start = text.slice(0, at).trimEnd().length;
  if (!/[:\-?]/.test(text[start - 1] ?? '')) return undefined;
  return { start, end: start, text: ` ${taggedText(encrypted)}` };
}
