import { runProcess } from './run-process.js';

// The server is `svccmd serve`, with the same configuration, signals and exit codes.
await runProcess([...process.argv.slice(2), 'serve']);
