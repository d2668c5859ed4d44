/** An option that a message mentions; the command line and the HTTP API name it differently. */
export interface OptionMention {
  /** Its name in `BuildOptions`, such as `includeIpRange`. */
  readonly option: string;
  /** Its value, if mentioned; false for a negated switch. */
  readonly value?: string | false;
}

/**
 * A message with option names kept separate from its text, which may be user input. Plain data, so that it can be
 * passed between threads.
 */
export type OptionMessage = readonly (string | OptionMention)[];

/** Formats the name of an option. */
export type OptionFormatter = (mention: OptionMention) => string;

/** Template of a message, such as `` optionMessage`pass ${{ option: 'lookupName' }}` ``. */
export function optionMessage(
  texts: TemplateStringsArray,
  ...mentions: readonly (string | number | OptionMention | OptionMessage)[]
): OptionMessage {
  const parts = texts.flatMap((text, index) => [text, mentions[index] ?? '']);
  return parts.flat().map((part) => (typeof part === 'number' ? String(part) : part));
}

/** @param formatOption default: like the command line */
export function formatMessage(
  template: string | OptionMessage,
  formatOption: OptionFormatter = asOnCommandLine,
): string {
  if (typeof template === 'string') return template;
  return template.map((part) => (typeof part === 'string' ? part : formatOption(part))).join('');
}

function asOnCommandLine({ option, value }: OptionMention): string {
  if (option === 'separator') return '-s';
  if (option === 'columnNames' && typeof value === 'string') return `-c ${value}`;
  if (option === 'inputFormat') return value === undefined ? '--input-ip-format' : `-i ${value}`;
  const name = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (value === false) return `--no-${name}`;
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** Options are contradictory or invalid, or refer to something the file does not have; nothing was written. */
export class LookupOptionError extends Error {
  override readonly name = 'LookupOptionError';

  /** @param template the message; `message` names options like the command line */
  constructor(readonly template: string | OptionMessage) {
    super(formatMessage(template));
  }
}
