import {
  type DocumentScalar,
  LineIndex,
  markedText,
  type ParsedDocument,
  readMark,
} from './document-scalar.js';

/** Reads `[section]` and `key = value` lines, in which comments have lines of their own. Other lines do not matter. */
export function readIni(text: string): ParsedDocument {
  const scalars: DocumentScalar[] = [];
  const lines = new LineIndex(text);
  let section: string | undefined;
  for (const match of text.matchAll(/[^\r\n]+/g)) {
    const [line] = match;
    if (/^\s*[#;]/.test(line)) continue;
    const header = /^\s*\[\s*([^\]]*?)\s*\]\s*$/.exec(line);
    if (header) section = header[1]!;
    const pair = header ? undefined : /^(\ufeff?\s*([^=\s][^=]*?)\s*=[ \t]*)(.*?)[ \t]*$/.exec(line);
    if (!pair) continue;
    const [, before = '', key = '', raw = ''] = pair;
    const quoted = /^"(?!.*"[^"]+"$).*"$/.test(raw) && raw.length > 1;
    const written = quoted ? raw.slice(1, -1) : raw;
    const start = match.index + before.length;
    scalars.push({
      path: section === undefined ? [key] : [section, key],
      ...readMark(written),
      isText: !isNumberOrSwitch(written),
      offset: start,
      line: lines.lineOf(start),
      replaceBy: (encrypted) => ({
        start,
        end: start + raw.length,
        text:
          quoted && !encrypted.includes('"')
            ? `"${markedText(encrypted)}"`
            : `${padding(before)}${markedText(encrypted)}`,
      }),
    });
  }
  return { scalars, errors: [] };
}

const isNumberOrSwitch = (text: string): boolean => /^(|[\d.]+|yes|no|true|false|on|off)$/i.test(text);

/** `key=` is written without spaces, `key =` with one. */
const padding = (before: string): string => (/\s=$/.test(before) ? ' ' : '');
