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
    const header = /^\[([^\]]*)\]$/.exec(line.trim());
    if (header) section = header[1]!.trim();
    const equals = line.indexOf('=');
    const key = line
      .slice(0, Math.max(equals, 0))
      .replace(/^\ufeff/, '')
      .trim();
    if (header || key === '') continue;
    const raw = line.slice(equals + 1).trim();
    const before = line.slice(0, line.length - line.slice(equals + 1).trimStart().length);
    const quoted = raw.length > 1 && raw.startsWith('"') && raw.endsWith('"');
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
