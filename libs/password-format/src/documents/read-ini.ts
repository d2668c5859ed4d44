import {
  type DocumentScalar,
  LineIndex,
  markedText,
  type ParsedDocument,
  readMark,
} from './document-scalar.js';
import {
  indentOf,
  type IniValue,
  lineEnd,
  nextLine,
  readIniValue,
  readPropertiesValue,
  unescape,
} from './ini-value.js';

interface Setting {
  readonly key: string;
  /** Offset of the value in the line. */
  readonly valueAt: number;
}

/** How a dialect of INI writes a line. */
interface Dialect {
  readonly comment: RegExp;
  readonly setting: (line: string) => Setting | undefined;
  readonly value: (text: string, start: number, indent: number) => IniValue;
}

const INI: Dialect = {
  comment: /^\s*[#;]/,
  setting: (line) => {
    const separator = line.search(/[=:]/);
    return separator < 0 ? undefined : settingAt(line, line.slice(0, separator), separator + 1);
  },
  value: readIniValue,
};

/** Java's `Properties.load`. */
const PROPERTIES: Dialect = {
  comment: /^\s*[#!]/,
  setting: (line) => {
    const [all, key] = /^\s*((?:\\.|[^\\=:\s])+)(?:\s*[=:]|\s)/.exec(line) ?? [];
    return all === undefined ? undefined : settingAt(line, unescape(key!), all.length);
  },
  value: readPropertiesValue,
};

function settingAt(line: string, name: string, end: number): Setting | undefined {
  const key = name.replace(/^\ufeff/, '').trim();
  const blanks = indentOf(line.slice(end));
  return key === '' ? undefined : { key, valueAt: end + blanks };
}

/**
 * Reads `[section]` and `key = value` or `key: value` lines, with their continuation lines. A comment has a line of its own, or
 * follows a value and a space. Other lines do not matter.
 */
export function readIni(text: string): ParsedDocument {
  return readLines(text, INI);
}

/** Reads a Java properties file. */
export function readProperties(text: string): ParsedDocument {
  return readLines(text, PROPERTIES);
}

function readLines(text: string, dialect: Dialect): ParsedDocument {
  const scalars: DocumentScalar[] = [];
  const lines = new LineIndex(text);
  let section: string | undefined;
  for (let start = 0; start < text.length;) {
    const end = lineEnd(text, start);
    const line = text.slice(start, end);
    let next = end;
    const header = /^\[([^\]]*)\]\s*(?:[#;].*)?$/.exec(line.trim());
    if (header) section = header[1]!.trim();
    const setting = header || dialect.comment.test(line) ? undefined : dialect.setting(line);
    if (setting) {
      const value = dialect.value(text, start + setting.valueAt, indentOf(line));
      const path = section === undefined ? [setting.key] : [section, setting.key];
      scalars.push(scalarOf(path, value, line.slice(0, setting.valueAt), lines));
      next = value.next;
    }
    start = nextLine(text, next);
  }
  return { scalars, errors: [] };
}

function scalarOf(
  path: readonly string[],
  { written, start, end, quote }: IniValue,
  before: string,
  lines: LineIndex,
): DocumentScalar {
  return {
    path,
    ...readMark(written),
    isText: !isNumberOrSwitch(written),
    offset: start,
    line: lines.lineOf(start),
    replaceBy: (encrypted) => {
      const marked = markedText(encrypted);
      const kept = quote !== undefined && !encrypted.includes(quote) ? quote : '';
      return { start, end, text: `${kept === '' ? padding(before) : ''}${kept}${marked}${kept}` };
    },
  };
}

const isNumberOrSwitch = (text: string): boolean => /^(|[\d.]+|yes|no|true|false|on|off)$/i.test(text);

/** `key=` is written without spaces, `key =` with one, and so is `key:`. */
const padding = (before: string): string => (/\s=$|:$/.test(before) ? ' ' : '');
