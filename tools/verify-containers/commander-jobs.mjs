import { createDecipheriv } from 'node:crypto';
import { ask } from './ask.mjs';

const PASSWORD = 'correct horse battery staple';

/** Encrypts passwords on the command line in the container, and over HTTP. @returns one of them, encrypted */
export async function encryptPasswords(stack, report) {
  const token = stack.secret('commander-token');
  const printed = await stack.exec('svc-commander', ['svccmd', 'encpwd', PASSWORD]);
  const key = JSON.parse(stack.secret('password-key'));
  report.check(
    'svccmd encpwd encrypts for holders of the key',
    decrypted(printed, key) === PASSWORD,
    printed,
  );
  const { text } = await ask('POST', `${stack.commanderUrl}/encpwd`, token, PASSWORD);
  report.check('POST /encpwd does the same', decrypted(text.trim(), key) === PASSWORD, text);
  return text.trim();
}

/** Decrypts a compact JWE with `dir` and `A256GCM` (RFC 7516 section 5.2), independently of our code. */
export function decrypted(jwe, { k }) {
  const [header, , iv, ciphertext, tag] = jwe.split('.');
  const bytes = (part) => Buffer.from(part, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', bytes(k), bytes(iv));
  decipher.setAAD(Buffer.from(header)).setAuthTag(bytes(tag));
  return Buffer.concat([decipher.update(bytes(ciphertext)), decipher.final()]).toString();
}

/** Loads the mounted folder into ZooKeeper, on the command line and over HTTP. */
export async function loadFolder(stack, report) {
  const first = await load(stack);
  report.check('svccmd library load puts the mounted folder into ZooKeeper', first.created > 0, first);
  const token = stack.secret('commander-token');
  const again = await ask('PUT', `${stack.commanderUrl}/library/load`, token);
  report.check(
    'PUT /library/load then finds nothing to do',
    again.status === 200 && again.body.changed === false && again.body.unchanged >= first.created,
    again,
  );
}

/**
 * @param {import('./stack.mjs').Stack} stack
 * @param {string} [source] instead of the mounted folder
 * @param {string[]} words options of `library load`
 * @returns its report
 */
export async function load(stack, source, ...words) {
  const environment = source === undefined ? {} : { SVCCMD_SOURCE_PATH: source };
  return JSON.parse(
    await stack.exec('svc-commander', ['svccmd', '--json', 'library', 'load', ...words], environment),
  );
}

/** Builds a lookup from the mounted folder, and queries it on the command line and over HTTP. */
export async function buildLookup(stack, report) {
  await stack.exec('svc-commander', ['svccmd', 'iplookup', 'from-csv', 'sites.csv', '-i', 'ipv4']);
  const shown = await stack.exec('svc-commander', ['svccmd', 'iplookup', 'show', 'sites', '10.1.2.3']);
  report.check(
    'svccmd iplookup builds a lookup from the mounted file',
    shown.includes('Warehouse, north'),
    shown,
  );
  await findLookup(stack, report);
}

export async function findLookup(stack, report) {
  const token = stack.secret('commander-token');
  const { text } = await ask('GET', `${stack.commanderUrl}/iplookup/sites/10.8.0.7`, token);
  report.check('GET /iplookup/sites/10.8.0.7 finds its record', text.includes('Remote access'), text);
}

/** Checks everything created by an earlier container with the same volumes and servers. */
export async function findCommanderAgain(stack, encrypted, report) {
  const plain = await stack.exec('svc-commander', ['svccmd', 'decpwd', encrypted]);
  report.check('the same key decrypts the password', plain === PASSWORD, plain);
  const again = await load(stack);
  report.check(
    'the library is still as it was loaded',
    again.changed === false && again.unchanged > 0,
    again,
  );
  await findLookup(stack, report);
}
