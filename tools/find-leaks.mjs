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
  const answers = read(folder, 'answers')
    .split('\n')
    .filter((line) => line !== '' && !REPEATS_ITS_TOKEN.test(JSON.parse(line).request));
  const find = finderOf(secrets);
  const leaks = [];
  for (const line of read(folder, 'logs').split('\n')) {
    for (const secret of find(line)) leaks.push(`a log has ${cut(secret, line)}`);
  }
  const answered = new Set();
  for (const line of answers) {
    for (const secret of find(line)) {
      if (answered.has(secret)) leaks.push(`a later answer has ${cut(secret, line)}`);
      answered.add(secret);
    }
  }
  return { secrets: secrets.size, leaks };
}

/**
 * Most secrets consist of word characters and hyphens, so they can only be in a run of those. Looking up the parts of each run
 * takes a second where looking for thousands of secrets in each line takes a minute.
 *
 * @param {ReadonlySet<string>} secrets
 * @returns {(line: string) => Set<string>} finds those that a line contains
 */
function finderOf(secrets) {
  const words = [...secrets].filter((secret) => /^[\w-]+$/.test(secret));
  const others = [...secrets]
    .filter((secret) => !/^[\w-]+$/.test(secret))
    .map((secret) => ({ secret, inJson: JSON.stringify(secret).slice(1, -1) }));
  const lengths = [...new Set(words.map(({ length }) => length))];
  const runs = new RegExp(`[\\w-]{${Math.min(...lengths, 1_000)},}`, 'g');
  return (line) => {
    const contained = others.filter(({ secret, inJson }) => line.includes(secret) || line.includes(inJson));
    const found = new Set(contained.map(({ secret }) => secret));
    for (const [run] of line.matchAll(runs)) {
      for (const length of lengths) {
        for (let start = 0; start + length <= run.length; start += 1) {
          const part = run.slice(start, start + length);
          if (secrets.has(part)) found.add(part);
        }
      }
    }
    return found;
  };
}

function read(folder, kind) {
  const files = readdirSync(folder).filter((name) => name.startsWith(`${kind}.`));
  return files.map((name) => readFileSync(`${folder}/${name}`, 'utf8')).join('');
}

function cut(secret, line) {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const shown = line.replaceAll(secret, '********').replaceAll(inJson, '********').slice(0, 300);
  return `${secret.slice(0, 8)}…: ${shown}`;
}
