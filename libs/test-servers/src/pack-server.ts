import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { oidOf } from './git-pack.js';

/** A repository as a server may make it up: a commit, and whatever it answers to those who fetch it. */
export interface MadeUpRepository {
  /** What the server says it can do. */
  readonly capabilities?: string;
  /** The content of the commit that its branches stand at. */
  readonly commit: Uint8Array;
  readonly pack: Buffer;
  /** Further lines of the list of branches. */
  readonly refs?: Iterable<string>;
}

export interface PackServer {
  /** Of any repository: all are the same. */
  readonly url: string;
  /** What it serves from now on. */
  serve(repository: MadeUpRepository): void;
  stop(): Promise<void>;
}

/** All that a shallow fetch needs. */
export const CAPABILITIES = 'multi_ack multi_ack_detailed shallow side-band-64k ofs-delta';

/** A Git server (smart HTTP, protocol version 0) that answers every fetch with one pack, sound or not. */
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

/** In pieces of a band that is at most 65,520 bytes wide. */
function upload(data: Buffer): Buffer {
  const pieces: Buffer[] = [Buffer.from(pktLine('NAK\n'))];
  for (let start = 0; start < data.length; start += 60_000) {
    const piece = data.subarray(start, start + 60_000);
    pieces.push(Buffer.from((piece.length + 5).toString(16).padStart(4, '0')), Buffer.from([1]), piece);
  }
  return Buffer.concat([...pieces, Buffer.from('0000')]);
}
