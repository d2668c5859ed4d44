import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SERVERS = ['zookeeper', 'zookeeper-2', 'zookeeper-3'];

/** Enough to kill a server while they are being written. */
const FOLDERS = 200;
const FILES = 50;

export async function checkEnsemble(stack, report) {
  await waitForAll(stack);
  const modes = Object.values(await modesOf(stack)).sort();
  report.check(
    'ZooKeeper has a leader and two followers',
    modes.join() === 'follower,follower,leader',
    modes,
  );
}

async function waitForAll(stack) {
  const all = async () => Object.keys(await modesOf(stack)).length === SERVERS.length;
  await stack.waitFor('all ZooKeeper servers', all);
}

/** Each responding server's mode. */
async function modesOf(stack) {
  const modes = {};
  for (const service of SERVERS) {
    const container = await stack.containerOf(service);
    const probe = 'exec 3<>/dev/tcp/127.0.0.1/2181 && printf srvr >&3 && cat <&3';
    const printed = await stack.exec(container, ['bash', '-c', probe]).catch(() => '');
    const [, mode] = /^Mode: (\w+)$/m.exec(printed) ?? [];
    if (mode) modes[container] = mode;
  }
  return modes;
}

/** Kills the leader while a library is written: the load continues with the next one, or another load completes it. */
export async function loadWhileLeaderIsKilled(stack, report) {
  writeLibrary(join(stack.folder, 'library'));
  const leader = Object.entries(await modesOf(stack)).find(([, mode]) => mode === 'leader')?.[0];
  const first = await load(stack, async () => stack.engine.run('kill', leader));
  report.check('the leader was killed while the library was written', first.written < FOLDERS * FILES, first);
  let retried = 0;
  let { report: done } = first;
  for (; done === undefined && retried < 3; retried += 1) ({ report: done } = await load(stack));
  report.figure('loads retried after ZooKeeper lost its leader', retried);
  report.check('the library is loaded', done !== undefined, first);
  const { report: again } = await load(stack);
  report.check(
    `each of its ${FOLDERS * FILES} files is there, and the version was incremented once`,
    again?.changed === false && Number(again.unchanged) >= FOLDERS * FILES && done?.version === '2',
    [done, again],
  );
  await stack.engine.run('start', leader);
  await waitForAll(stack);
  report.held('the killed server joined the others again');
}

function writeLibrary(folder) {
  for (let number = 0; number < FOLDERS; number += 1) {
    const path = join(folder, `Parsers-${number}`);
    mkdirSync(path);
    for (let file = 0; file < FILES; file += 1) {
      writeFileSync(
        join(path, `parser-${file}.yaml`),
        `name: parser-${number}-${file}\ntext: ${'x'.repeat(1000)}\n`,
      );
    }
  }
}

/**
 * Runs a load over HTTP with progress.
 *
 * @param {import('./stack.mjs').Stack} stack
 * @param {() => Promise<unknown>} [onWriting] called once, when the first nodes have been written
 * @returns {Promise<{ written: number, report?: Record<string, unknown> }>} its report or problem document
 */
async function load(stack, onWriting) {
  const response = await fetch(`${stack.commanderUrl}/library/load?wait=60`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${stack.secret('commander-token')}`, accept: 'application/x-ndjson' },
  });
  let written = Infinity;
  let outcome = {};
  for await (const line of linesOf(/** @type {ReadableStream<Uint8Array>} */ (response.body))) {
    const { progress, ...end } = JSON.parse(line);
    if (!progress) outcome = end;
    else if (onWriting && progress.phase === 'writing' && written === Infinity) {
      await onWriting();
      written = progress.done;
    }
  }
  return { ...outcome, written };
}

/** @param {ReadableStream<Uint8Array>} body */
async function* linesOf(body) {
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const lines = (text + chunk).split('\n');
    text = lines.pop() ?? '';
    yield* lines;
  }
  if (text !== '') yield text;
}
