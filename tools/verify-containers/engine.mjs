import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Timeout in milliseconds after which an engine counts as unusable. */
const PROBE_MS = 30_000;

/** Lines of a command's output included in its error. */
const PRINTED_LINES = 20;

/** Each engine with its compose commands, in order of preference. */
const ENGINES = [
  { name: 'docker', composes: [['docker', 'compose'], ['docker-compose']] },
  { name: 'podman', composes: [['podman-compose'], ['podman', 'compose']] },
];

/**
 * @returns {Engine} the first usable engine with a compose command
 * @throws {Error} with the reason for each
 */
export function findEngine() {
  const wanted = process.env.CONTAINER_ENGINE;
  const missing = [];
  for (const { name, composes } of ENGINES.filter((engine) => !wanted || engine.name === wanted)) {
    const failure = failureOf([name, 'info']);
    const compose = composes.find((words) => failureOf([...words, 'version']) === undefined);
    if (failure === undefined && compose) return new Engine(name, compose);
    missing.push(
      `${name}: ${failure ?? `no compose command (${composes.map((c) => c.join(' ')).join(' or ')})`}`,
    );
  }
  throw new Error(
    `no usable container engine; install Docker with its compose plugin, or podman with podman-compose\n  ${missing.join('\n  ')}`,
  );
}

/** The reason a command cannot be used, if any. @param {string[]} line */
function failureOf(line) {
  const [command, ...words] = line;
  const { status, stderr, ...result } = spawnSync(command, words, { encoding: 'utf8', timeout: PROBE_MS });
  const error = /** @type {NodeJS.ErrnoException | undefined} */ (result.error);
  if (error?.code === 'ENOENT') return 'not installed';
  if (error) return `did not respond (${error.code})`;
  return status === 0 ? undefined : `cannot run: ${stderr.trim().split('\n').at(-1)}`;
}

/** Docker's command line, or podman's compatible one. */
export class Engine {
  constructor(name, compose) {
    this.name = name;
    this.compose = compose;
  }

  /** @returns {Promise<string>} its output @throws {Error} with its error output */
  async run(...words) {
    return this.command([this.name, ...words]);
  }

  /** Returns its standard output, ignoring the exit status. */
  async try(...words) {
    return this.run(...words).catch((error) => String(error.stdout ?? ''));
  }

  /** @param {string[]} words the command and its arguments */
  async command([command, ...words], options = {}) {
    try {
      const { stdout } = await run(command, words, { maxBuffer: 1 << 28, ...options });
      return stdout.trim();
    } catch (error) {
      const printed = `${error.stdout ?? ''}\n${error.stderr ?? ''}`.trim().split('\n').slice(-PRINTED_LINES);
      error.message = `${[command, ...words].join(' ')}: ${error.code}\n${printed.join('\n')}`;
      throw error;
    }
  }
}
