import { type Candidate, type Lines } from './candidate.js';

/** Elements whose name, or whose attribute `name` or `key`, is that of a setting. */
const ELEMENT =
  /<([A-Za-z_][\w.:-]{0,63})((?:\s[^<>]{0,512})?)>\s{0,64}(?:<!\[CDATA\[)?([^<>]{1,4096})(?:\]\]>)?\s{0,64}<\/\1>/g;

/** `<property name="password" value="hunter2"/>`. */
const PAIR =
  /\b(?:name|key|id)\s{0,8}=\s{0,8}(["'])([^"'<>]{1,128})\1[^<>]{0,256}?\bvalue\s{0,8}=\s{0,8}(["'])([^<>]{1,512}?)\3/gi;

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Settings in XML; attributes such as `password="hunter2"` are those of any text. */
export function xmlSettings(text: string, lines: Lines): Candidate[] {
  if (!text.includes('<')) return [];
  return [
    ...Array.from(
      text.matchAll(ELEMENT),
      ({ 0: all, 1: tag = '', 2: attributes = '', 3: value = '', index }) => ({
        path: [
          /\b(?:name|key)\s{0,8}=\s{0,8}["']([^"']{1,128})["']/.exec(attributes)?.[1] ??
            tag.replace(/^.*:/, ''),
        ],
        value: decode(value.trim()),
        line: lines.lineOf(index + all.indexOf(value) + value.search(/\S|$/)),
      }),
    ),
    ...Array.from(text.matchAll(PAIR), ({ 0: all, 2: name = '', 4: value = '', index }) => ({
      path: [name],
      value: decode(value),
      line: lines.lineOf(index + all.length),
    })),
  ];
}

const decode = (text: string): string =>
  text.replace(/&(lt|gt|amp|quot|apos);/g, (_all, name: string) => ENTITIES[name]!);
