/** An option that a message mentions; the command line and the HTTP API name it differently. */
export interface OptionMention {
  /** As `BuildOptions` formatOption it, such as `includeIpRange`. */
  readonly option: string;
  /** What is to be given for it, or was; false for a switch that is turned off. */
  readonly value?: string | false;
}

/** A message whose options are kept apart from its text, which may be the user's own. Plain data: it can be sent between threads. */
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

/** @param formatOption as the command line does when absent */
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

/** Options contradict each other, cannot be understood, or ask for what a file does not have; nothing was written. */
export class LookupOptionError extends Error {
  override readonly name = 'LookupOptionError';

  /** @param template the message; `message` names options as the command line does */
  constructor(readonly template: string | OptionMessage) {
    super(formatMessage(template));
  }
}
