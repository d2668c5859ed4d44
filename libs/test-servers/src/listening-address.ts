import type { ChildProcess } from 'node:child_process';

/**
 * Reads a starting service's address from its log.
 *
 * @throws {Error} with its output if it exits instead
 */
export async function listeningAddress(child: ChildProcess): Promise<string> {
  let printed = '';
  return new Promise((resolve, reject) => {
    const streams = [child.stdout, child.stderr];
    const take = (chunk: Buffer): void => {
      printed += chunk.toString();
      const [, url] = /"url":"([^"]+)"/.exec(printed) ?? [];
      if (url === undefined) return;
      for (const stream of streams) stream?.off('data', take);
      resolve(url);
    };
    for (const stream of streams) stream?.on('data', take);
    child.once('close', (status) => reject(new Error(`the service ended with status ${status}: ${printed}`)));
  });
}
