import { once } from 'node:events';

/** A terminal's input that can be read without echo. */
export interface HiddenInput extends NodeJS.ReadableStream {
  setRawMode(on: boolean): unknown;
}

/** Keys that edit or end the line, as a terminal in raw mode sends them. */
const KEYS = {
  interrupt: '\u0003',
  end: '\u0004',
  backspace: '\b',
  delete: '\u007f',
  clear: '\u0015',
} as const;

/** Arrow keys and the like (ECMA-48 section 5.4), which are never part of a password. */
const CONTROL_SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O[ -~])/g;

/**
 * Prompts for one line without echo. Backspace and Ctrl-U edit it; Ctrl-C interrupts the process.
 *
 * @throws when `signal` is aborted
 */
export async function promptHidden(
  question: string,
  input: HiddenInput,
  output: { write(text: string): unknown },
  signal: AbortSignal,
): Promise<string> {
  // First, so that nothing typed as soon as the prompt appears is echoed.
  input.setRawMode(true);
  output.write(question);
  input.setEncoding('utf8');
  input.resume();
  try {
    return await readLine(input, signal);
  } finally {
    input.pause();
    input.setRawMode(false);
    output.write('\n');
  }
}

async function readLine(input: HiddenInput, signal: AbortSignal): Promise<string> {
  let line: string[] = [];
  for (;;) {
    const [typed] = (await once(input, 'data', { signal })) as [string];
    const keys = [...typed.replace(CONTROL_SEQUENCE, '')];
    for (const [index, key] of keys.entries()) {
      if (key === '\r' || key === '\n' || key === KEYS.end) {
        // Anything typed or pasted ahead belongs to the next prompt.
        const ahead = keys.slice(index + 1).join('');
        if (ahead !== '') input.unshift(ahead, 'utf8');
        return line.join('');
      }
      if (key === KEYS.interrupt) process.kill(process.pid, 'SIGINT');
      else if (key === KEYS.clear) line = [];
      else if (key === KEYS.backspace || key === KEYS.delete) line.pop();
      else if (key >= ' ' || key === '\t') line.push(key);
    }
  }
}
