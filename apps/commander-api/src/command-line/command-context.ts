import type { Command } from 'commander';
import type { CommanderConfig } from '../config/commander-config.js';
import type { Environment } from '../config/parse-environment.js';
import type { StandardStreams } from './terminal.js';

/** A command's result, in both shapes that the command line prints. */
export interface Answer {
  /** For people; a line break is added at the end when it has none and `raw` is not set. */
  readonly text: string;
  /** For programs: printed as one JSON document when `--json` is given. */
  readonly value: unknown;
  /**
   * True when `text` is data that must reach a pipe or file byte for byte (a password, CSV, a picture). A terminal never
   * gets control characters, raw or not.
   */
  readonly raw?: boolean;
}

/** What every command is handed by the command line; tests hand in their own. */
export interface CommandContext extends StandardStreams {
  readonly env: Environment;
  /**
   * The configuration, read at the first call, so that commands that need none work without a file.
   *
   * @throws {CommanderError} with `EXIT.configuration`, listing every fault
   */
  readonly config: () => CommanderConfig;
  /** Prints the answer on standard output: `text` as it is, or `value` as one JSON document when `--json` is given. */
  readonly answer: (answer: Answer) => void;
  /** Tells people something on standard error, one line; silent with `--quiet`. */
  readonly note: (line: string) => void;
  /** True when standard error is a terminal and neither `--quiet` nor `--json` is given: progress may be drawn. */
  readonly interactive: boolean;
  /** Aborted by SIGINT, SIGTERM and SIGHUP: a command cleans up and rejects. */
  readonly signal: AbortSignal;
}

/** Options that stand before the command, or, where the command has no option of that name, after it. */
export interface GlobalSettings {
  json: boolean;
  quiet: boolean;
  configFile: string | undefined;
}

/** One command of the first level. Its module is loaded only when it is the one invoked. */
export interface CommandEntry {
  readonly name: string;
  /** The line in `svccmd --help`. */
  readonly description: string;
  readonly load: (context: CommandContext, settings: GlobalSettings) => Promise<Command>;
}
