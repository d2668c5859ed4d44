import { readFileSync } from 'node:fs';
import { COMMANDS } from './cli/command-table.js';
import { ProcessEnding } from './cli/process-ending.js';
import { runCommandLine } from './cli/run-command-line.js';
import { readCommanderConfig } from './config/read-commander-config.js';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const ending = new ProcessEnding(process);
const exitCode = await runCommandLine({
  argv: process.argv.slice(2),
  commands: COMMANDS,
  version,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: ending.signal,
  debug: process.env['SVCCMD_DEBUG'] === '1',
  readConfig: (file) => readCommanderConfig(file, process.env),
});
await ending.exit(exitCode);
