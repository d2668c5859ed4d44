/** An option as a message mentions it: each face of the product has its own name for it. */
export interface OptionMention {
  /** As `BuildOptions` spell it, such as `includeIpRange`. */
  readonly option: string;
  /** What is to be given for it, or was; false for a switch that is turned off. */
  readonly value?: string | false;
}

/** A message that tells options from all other text, which may be the user's own. Plain data: threads can hand it over. */
export type OptionMessage = readonly (string | OptionMention)[];

/** How a face names an option. */
export type OptionFormatter = (mention: OptionMention) => string;

/** Template of a message, such as `` optionMessage`give ${{ option: 'lookupName' }}` ``. */
export function optionMessage(
  texts: TemplateStringsArray,
  ...mentions: readonly (string | number | OptionMention | OptionMessage)[]
): OptionMessage {
  const parts = texts.flatMap((text, index) => [text, mentions[index] ?? '']);
  return parts.flat().map((part) => (typeof part === 'number' ? String(part) : part));
}

/** @param spell as the command line does when absent */
export function formatMessage(
  template: string | OptionMessage,
  spell: OptionFormatter = asOnCommandLine,
): string {
  if (typeof template === 'string') return template;
  return template.map((part) => (typeof part === 'string' ? part : spell(part))).join('');
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

  /** @param template the message; `message` names options as the command line does */
  constructor(readonly template: string | OptionMessage) {
    super(formatMessage(template));
  }
}
