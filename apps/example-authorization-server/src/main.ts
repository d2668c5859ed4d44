import { ConfigError } from '@svc/foundation/config';
import { readExampleConfig } from './config.js';
import { startExample } from './start-example.js';

const log = (line: string): void => console.error(line);

try {
  const ending = Promise.race(
    ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => new Promise((resolve) => process.once(signal, resolve))),
  );
  const example = await startExample(readExampleConfig(process.env), log);
  console.log(example.introduction);
  await ending;
  console.log('\nStopping');
  await example.stop();
} catch (error) {
  log(`example: ${(error as Error).message}`);
  process.exitCode = error instanceof ConfigError ? 3 : 1;
}
