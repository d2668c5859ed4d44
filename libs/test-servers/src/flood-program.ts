import { Agent, request as send } from 'node:http';
import { getPriority, setPriority } from 'node:os';
import type { FloodOptions, FloodRequest } from './flood.js';

/** Roughly as if it ran on another machine: the service and other callers come first, whatever their priority. */
const PRIORITY = Math.min(19, getPriority() + 1);

const statuses: Record<string, number> = {};

async function statusOf(url: string, asked: FloodRequest, agent: Agent): Promise<string> {
  const { method, path, headers, body } = asked;
  return new Promise((resolve) => {
    const sent = send(url + path, { method, headers, agent }, (response) => {
      response.resume().once('close', () => resolve(String(response.statusCode)));
    });
    sent.once('error', () => resolve('no answer')).end(body);
  });
}

async function call(first: number, { url, requests, from = '127.0.0.1' }: FloodOptions): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: from });
  for (let index = first; ; index += 1) {
    const status = await statusOf(url, requests[index % requests.length]!, agent);
    if (Object.keys(statuses).length === 0) process.send?.('flooding');
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
}

setPriority(PRIORITY);
process.on('message', (message: FloodOptions | 'stop') => {
  if (message === 'stop') process.send?.(statuses, () => process.exit());
  else for (let index = 0; index < message.connections; index += 1) void call(index, message);
});
