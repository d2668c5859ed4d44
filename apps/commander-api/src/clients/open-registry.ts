import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { RegistryClient, RegistryError, type RegistryFailure } from '@svc/registry-client';
import { readTraceContext } from '@svc/service-kit/trace-context';
import type { CommandContext } from '../command-line/command-context.js';
import { CommanderError, configurationError, type ErrorCode } from '../errors/commander-error.js';
import type { Environment } from '@svc/foundation/config';

/** Default, in milliseconds. */
const TIMEOUT_MS = 30_000;

const CODES: Partial<Record<RegistryFailure, ErrorCode>> = {
  unreachable: 'unreachable',
  token_rejected: 'configuration',
  not_a_registry: 'configuration',
};

/** Connects to the configured registry, or the one at `address`, and converts its errors. */
export async function withRegistry<T>(
  context: CommandContext,
  use: (registry: RegistryClient) => Promise<T>,
  address?: string,
): Promise<T> {
  const registry = await openRegistry(context, address);
  if (registry.sendsInClear) {
    context.note(
      `warning: ${registry.place} uses plain HTTP: others on the network can read the token; use https`,
    );
  }
  try {
    return await use(registry);
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    if (error.failure === 'interrupted') {
      throw new CommanderError('failed', error.message, { outcomeUnknown: true, cause: error });
    }
    throw new CommanderError(CODES[error.failure] ?? 'failed', linesOf(error), { cause: error });
  } finally {
    registry.close();
  }
}

/** @throws {CommanderError} with `EXIT.configuration` */
async function openRegistry(
  { config, env, signal }: CommandContext,
  address?: string,
): Promise<RegistryClient> {
  const { registry = {} } = config();
  const {
    url,
    token,
    ca,
    timeoutMs = TIMEOUT_MS,
  } = address === undefined ? registry : { ...registry, url: address };
  if (url === undefined) {
    throw configurationError(
      'no registry is configured; set registry.url, for example to https://registry.example.com',
    );
  }
  if (token === undefined) {
    throw configurationError(
      'no registry token is configured; set SVCCMD_REGISTRY_TOKEN or SVCCMD_REGISTRY_TOKEN_FILE, or registry.token',
    );
  }
  try {
    const authorities = ca && (await readAuthorities(ca));
    const headers = headersOf(env);
    return new RegistryClient({ url, token, timeoutMs, signal, headers, ca: authorities });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw configurationError(`registry.${error.message}`, error);
  }
}

/**
 * All requests of a command share one id in the registry's log, and belong to the caller's trace, given in the environment
 * variables TRACEPARENT and TRACESTATE.
 */
function headersOf({ TRACEPARENT: traceparent, TRACESTATE: tracestate }: Environment) {
  return { 'x-request-id': randomUUID(), ...readTraceContext({ traceparent, tracestate }) };
}

async function readAuthorities(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw configurationError(`registry.ca: cannot read ${file} (${error.code})`, error);
  });
  if (!text.includes('-----BEGIN CERTIFICATE-----')) {
    throw configurationError(`registry.ca: ${file} contains no PEM certificate`);
  }
  return text;
}

/** One line per violation that the registry reports. */
function linesOf({ message, violations }: RegistryError): string[] {
  if (violations.length < 2) return [message];
  return [message, ...violations.map(({ field, message: text }) => `${field}: ${text}`)];
}
