import type { Command } from 'commander';
import type { CommanderConfig } from '../config/commander-config.js';
import type { Environment } from '@svc/foundation/config';
import type { StandardStreams } from './terminal.js';

/** A command's result, in both formats that the command line prints. */
export interface Answer {
  /** Printed as text, with a final line break unless `raw` is set. */
  readonly text: string;
  /** Printed as one JSON document with `--json`. */
  readonly value: unknown;
  /**
   * True if `text` must reach a pipe or file byte for byte (a password, CSV, a picture). A terminal never receives control
   * characters.
   */
  readonly raw?: boolean;
}

/** What the command line provides to every command; tests provide their own. */
export interface CommandContext extends StandardStreams {
  readonly env: Environment;
  /**
   * The configuration, read at the first call: commands that do not need it work without a file.
   *
   * @throws {CommanderError} `configuration`, listing every error
   */
  readonly config: () => CommanderConfig;
  /** Prints the answer on standard output: `text`, or with `--json` `value` as one JSON document. */
  readonly answer: (answer: Answer) => void;
  /** Prints one line on standard error, unless `--quiet` is given. */
  readonly note: (line: string) => void;
  /** True if progress may be drawn: standard error is a terminal, and neither `--quiet` nor `--json` is given. */
  readonly interactive: boolean;
  /** Aborted by SIGINT, SIGTERM and SIGHUP: a command cleans up and rejects. */
  readonly signal: AbortSignal;
}

/** Options that go before the command, or after it unless the command has one of the same name. */
export interface GlobalSettings {
  json: boolean;
  quiet: boolean;
  configFile: string | undefined;
}

/** A top-level command. Its module is loaded only when the command is invoked. */
export interface CommandEntry {
  readonly name: string;
  /** The line in `svccmd --help`. */
  readonly description: string;
  readonly load: (context: CommandContext, settings: GlobalSettings) => Promise<Command>;
}
