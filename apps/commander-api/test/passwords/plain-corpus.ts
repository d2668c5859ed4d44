import type { DocumentFormat } from '@svc/password-format';
import { BASE64, DECOYS, type Entry, type Maker, Random, SECRETS } from './corpus-entries.js';

/** A generated file, and which of its lines hold a secret, by the kind of secret. */
export interface CorpusFile {
  readonly name: string;
  readonly format: DocumentFormat | undefined;
  readonly text: string;
  /** 1-based lines. */
  readonly secrets: ReadonlyMap<number, string>;
  /** What is on the other lines, by line: for reports of false positives. */
  readonly decoys: ReadonlyMap<number, string>;
}

/** Files by the shares of a configuration repository. */
const FORMATS: readonly (readonly [extension: string, format: DocumentFormat | undefined, share: number])[] =
  [
    ['yaml', 'yaml', 60],
    ['json', 'json', 20],
    ['ini', 'ini', 12],
    ['sh', undefined, 8],
  ];

/** Generates a corpus. One in three files has secrets; hard kinds are one in ten of either. */
export function makeCorpus(seed: number, count: number): CorpusFile[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, index) => makeFile(random, index));
}

function makeFile(random: Random, index: number): CorpusFile {
  const [extension, format] = chooseFormat(random);
  const entries: Entry[] = [];
  for (let left = 3 + random.below(8); left > 0; left -= 1) entries.push(make(random, DECOYS, false));
  if (random.below(3) === 0)
    for (let left = 1 + random.below(3); left > 0; left -= 1)
      entries.splice(random.below(entries.length), 0, make(random, SECRETS, true));
  const written = entries.filter(({ comment }) => comment === undefined || format !== 'json');
  return { name: `file-${index}.${extension}`, format, ...write(random, written, format) };
}

function chooseFormat(random: Random): (typeof FORMATS)[number] {
  let left = random.below(100);
  return FORMATS.find(([, , share]) => (left -= share) < 0)!;
}

function make(random: Random, makers: Readonly<Record<string, Maker>>, isSecret: boolean): Entry {
  const isHard = random.below(10) === 0;
  const kinds = Object.keys(makers).filter((kind) => kind.startsWith('hard') === isHard);
  const kind = random.of(kinds);
  return { kind, isSecret, ...makers[kind]!(random) };
}

function write(
  random: Random,
  entries: readonly Entry[],
  format: DocumentFormat | undefined,
): Pick<CorpusFile, 'text' | 'secrets' | 'decoys'> {
  const lines = [format === 'json' ? '{' : '# generated'];
  const secrets = new Map<number, string>();
  const decoys = new Map<number, string>();
  for (const [index, entry] of entries.entries()) {
    if (format === 'ini' && random.below(5) === 0) lines.push(`[section-${index}]`);
    const own = WRITERS[format === 'properties' ? 'ini' : (format ?? 'sh')](
      entry,
      index,
      index === entries.length - 1,
      random,
    );
    (entry.isSecret ? secrets : decoys).set(lines.length + own.secretAt, entry.kind);
    lines.push(...own.lines);
  }
  if (format === 'json') lines.push('}');
  return { text: `${lines.join('\n')}\n`, secrets, decoys };
}

interface Written {
  readonly lines: readonly string[];
  /** From 1. */
  readonly secretAt: number;
}

type Writer = (entry: Entry, index: number, isLast: boolean, random: Random) => Written;

const one = (line: string): Written => ({ lines: [line], secretAt: 1 });
const isPem = ({ value }: Entry): boolean => value.startsWith('-----BEGIN');
const pemBody = (random: Random): string => random.text(BASE64, 64);
const commented = ({ key, value, comment }: Entry, mark: string): string =>
  comment === 'setting' ? `# ${key}${mark} ${value}` : `# ${value}`;

/** Each entry is in a map of its own, so that names may repeat. */
const WRITERS: Readonly<Record<Exclude<DocumentFormat, 'properties'> | 'sh', Writer>> = {
  yaml: (entry, index, _isLast, random) => {
    const { key, value, comment } = entry;
    if (comment) return one(commented(entry, ':'));
    if (isPem(entry))
      return {
        lines: [`item${index}:`, `  ${key}: |`, `    ${value}`, `    ${pemBody(random)}`],
        secretAt: 3,
      };
    const plain = /^[\w.][\w. /-]*$/.test(value) && random.below(2) === 0;
    const quoted = plain ? value : `'${value.replaceAll("'", "''")}'`;
    return { lines: [`item${index}:`, `  ${key}: ${quoted}`], secretAt: 2 };
  },
  json: ({ key, value }, index, isLast) =>
    one(`  "item${index}": {${JSON.stringify(key)}: ${JSON.stringify(value)}}${isLast ? '' : ','}`),
  ini: (entry) => one(entry.comment ? commented(entry, ' =') : `${entry.key} = ${entry.value}`),
  sh: (entry) =>
    one(
      entry.comment
        ? commented(entry, '=')
        : `${entry.key.replaceAll(/[.-]/g, '_')}='${entry.value.replaceAll("'", '')}'`,
    ),
};
