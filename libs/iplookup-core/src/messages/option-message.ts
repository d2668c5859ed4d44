/** An option as a message mentions it: each face of the product has its own name for it. */
export interface OptionMention {
  /** As `BuildOptions` spell it, such as `includeIpRange`. */
  readonly option: string;
  /** What is to be given for it, or was; false for a switch that is turned off. */
  readonly value?: string | false;
}

/** A message that tells options from all other text, which may be the user's own. Plain data: threads can hand it over. */
export type Wording = readonly (string | OptionMention)[];

/** How a face names an option. */
export type SpellOption = (mention: OptionMention) => string;

/** Template of a message, such as `` worded`give ${{ option: 'lookupName' }}` ``. */
export function worded(
  texts: TemplateStringsArray,
  ...mentions: readonly (string | number | OptionMention | Wording)[]
): Wording {
  const parts = texts.flatMap((text, index) => [text, mentions[index] ?? '']);
  return parts.flat().map((part) => (typeof part === 'number' ? String(part) : part));
}

/** @param spell as the command line does when absent */
export function inWords(wording: string | Wording, spell: SpellOption = asOnCommandLine): string {
  if (typeof wording === 'string') return wording;
  return wording.map((part) => (typeof part === 'string' ? part : spell(part))).join('');
}

function asOnCommandLine({ option, value }: OptionMention): string {
  if (option === 'separator') return '-s';
  if (option === 'columnNames' && typeof value === 'string') return `-c ${value}`;
  if (option === 'inputFormat') return value === undefined ? '--input-ip-format' : `-i ${value}`;
  const name = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (value === false) return `--no-${name}`;
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** Options contradict each other, cannot be understood, or ask for what a file does not have; nothing was written. */
export class LookupOptionError extends Error {
  override readonly name = 'LookupOptionError';

  /** @param wording the message; `message` names options as the command line does */
  constructor(readonly wording: string | Wording) {
    super(inWords(wording));
  }
}
