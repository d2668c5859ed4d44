import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { oidOf } from './git-pack.js';

/** A made-up repository: a commit, and an arbitrary response to fetches. */
export interface MadeUpRepository {
  /** The server's advertised capabilities. */
  readonly capabilities?: string;
  /** Content of the commit its branches point to. */
  readonly commit: Uint8Array;
  readonly pack: Buffer;
  /** Further lines of the list of branches. */
  readonly refs?: Iterable<string>;
}

export interface PackServer {
  /** The same for every repository. */
  readonly url: string;
  /** Sets the repository to serve. */
  serve(repository: MadeUpRepository): void;
  stop(): Promise<void>;
}

/** The capabilities that a shallow fetch needs. */
export const CAPABILITIES = 'multi_ack multi_ack_detailed shallow side-band-64k ofs-delta';

/** A Git server (smart HTTP, protocol version 0) that answers every fetch with a given pack, valid or not. */
export async function startPackServer(): Promise<PackServer> {
  let served: MadeUpRepository | undefined;
  const server = createServer((request, response) => {
    const isList = request.method === 'GET';
    response.setHeader(
      'content-type',
      `application/x-git-upload-pack-${isList ? 'advertisement' : 'result'}`,
    );
    request
      .resume()
      .on('end', () => response.end(served && (isList ? advertisement(served) : upload(served.pack))));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/library.git`,
    serve: (repository) => (served = repository),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function pktLine(text: string): string {
  return (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text;
}

function advertisement({ commit, capabilities = CAPABILITIES, refs = [] }: MadeUpRepository): string {
  const oid = oidOf('commit', commit);
  const lines = [`${oid} HEAD\0${capabilities}\n`, `${oid} refs/heads/main\n`, ...refs];
  return `${pktLine('# service=git-upload-pack\n')}0000${lines.map(pktLine).join('')}0000`;
}

/** Splits data into side-band packets of at most 65,520 bytes. */
function upload(data: Buffer): Buffer {
  const pieces: Buffer[] = [Buffer.from(pktLine('NAK\n'))];
  for (let start = 0; start < data.length; start += 60_000) {
    const piece = data.subarray(start, start + 60_000);
    pieces.push(Buffer.from((piece.length + 5).toString(16).padStart(4, '0')), Buffer.from([1]), piece);
  }
  return Buffer.concat([...pieces, Buffer.from('0000')]);
}
