import type { ParsedSource, SectionPlace, Setting } from './config-key.js';

/**
 * Reads `[section]` and `key = value` lines. A comment (`#` or `;`) must start its line, since both characters
 * occur in values; double quotes around a whole value are removed, keeping its outer spaces.
 *
 * @param name the file name to use in errors
 */
export function parseIni(text: string, name: string): ParsedSource {
  const sections: SectionPlace[] = [];
  const settings: Setting[] = [];
  const errors: string[] = [];
  let section: string | undefined;
  for (const [index, raw] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const origin = `${name}:${index + 1}`;
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const header = /^\[\s*([^\]]*?)\s*\]$/.exec(line);
    const equals = line.indexOf('=');
    if (header) sections.push({ section: (section = header[1]!), origin });
    else if (equals < 1) errors.push(`${origin}: expected [section], key = value or a comment`);
    else if (section === undefined) errors.push(`${origin}: key before the first [section]`);
    else
      settings.push({
        section,
        key: line.slice(0, equals).trim(),
        value: unquote(line.slice(equals + 1).trim()),
        origin,
      });
  }
  return { sections, settings, errors };
}

function unquote(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
