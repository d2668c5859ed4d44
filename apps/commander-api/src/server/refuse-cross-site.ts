import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { Problem } from '@svc/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Guards a server without tokens against web pages that a user of the same machine or network has open: whatever a browser
 * sends for another site is refused, and so is a Host that is not ours, which is how DNS rebinding shows.
 *
 * @param allowedHosts names (without port) that callers use for this server, besides localhost, addresses and its host name
 */
export function refuseCrossSite(fastify: FastifyInstance, allowedHosts: readonly string[]): void {
  const hosts = new Set(['localhost', hostname(), ...allowedHosts].map((host) => host.toLowerCase()));
  fastify.addHook('onRequest', async (request) => {
    const reason = foreignPart(request, hosts);
    if (reason)
      throw new Problem({ status: 403, detail: `${reason} Requests without a token are refused then.` });
  });
}

function foreignPart({ headers }: FastifyRequest, hosts: ReadonlySet<string>): string | undefined {
  if (headers.origin !== undefined) return 'The request comes from a web page (Origin).';
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return 'The request comes from a page of another site (Sec-Fetch-Site).';
  }
  return isOwnHost(headers.host ?? '', hosts) ? undefined : 'The Host is not one of http.allowed_hosts.';
}

function isOwnHost(host: string, hosts: ReadonlySet<string>): boolean {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::\d{1,5})?$/i.exec(host);
  const name = (match?.[1] ?? match?.[2] ?? '').toLowerCase();
  return isIP(name) !== 0 || hosts.has(name);
}
