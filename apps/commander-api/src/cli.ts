import { runProcess } from './cli/run-process.js';

await runProcess(process.argv.slice(2));
