// The last step of `npm test`: issued secrets must not appear in any log, nor in any response but the one that issued
// them. libs/test-servers records all three in a folder while the tests run.
import { readdirSync, readFileSync } from 'node:fs';

/** Every Client management response contains its registration access token (RFC 7592 section 3). */
const REPEATS_ITS_TOKEN = /^\w+ \/register\b/;

/**
 * @param {string} folder the value of TEST_RUN_FOLDER
 * @returns {{ secrets: number, leaks: string[] }} how many secrets were issued, and where one leaked; the secret itself
 * is truncated
 */
export function findLeaks(folder) {
  const secrets = new Set(read(folder, 'secrets').split('\n').filter(Boolean));
  const logs = read(folder, 'logs').split('\n');
  const answers = read(folder, 'answers')
    .split('\n')
    .filter((line) => line !== '' && !REPEATS_ITS_TOKEN.test(JSON.parse(line).request));
  const leaks = [...secrets].flatMap((secret) => {
    const logged = logs
      .filter((line) => line.includes(secret))
      .map((line) => `a log has ${cut(secret, line)}`);
    const answered = answers.filter((line) => line.includes(secret));
    return [...logged, ...answered.slice(1).map((line) => `a later answer has ${cut(secret, line)}`)];
  });
  return { secrets: secrets.size, leaks };
}

function read(folder, kind) {
  const files = readdirSync(folder).filter((name) => name.startsWith(`${kind}.`));
  return files.map((name) => readFileSync(`${folder}/${name}`, 'utf8')).join('');
}

function cut(secret, line) {
  const shown = line.replaceAll(secret, '********').slice(0, 300);
  return `${secret.slice(0, 8)}…: ${shown}`;
}
