import { Readable, Writable } from 'node:stream';
import type { CommandContext } from '../../src/command-line/command-context.js';

const discard = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/** A context for what needs none: building commands and printing their help. */
export const EMPTY_CONTEXT: CommandContext = {
  env: {},
  stdin: Readable.from([]),
  stdout: discard(),
  stderr: discard(),
  config: () => {
    throw new Error('help needs no configuration');
  },
  answer: () => undefined,
  note: () => undefined,
  interactive: false,
  signal: new AbortController().signal,
};
