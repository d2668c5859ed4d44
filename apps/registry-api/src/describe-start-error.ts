import type { Config } from './config.js';
import { isConnectionError } from './database/database-errors.js';

type Settings = Pick<Config, 'ADDRESS' | 'PORT' | 'DATABASE_URL'>;

/** Names the setting, the reason and the remedy when the environment made a start fail. Shows no credentials. */
export function describeStartError(error: unknown, settings?: Settings): string {
  const message = error instanceof Error ? error.message : String(error);
  if (settings === undefined) return message;
  const failure = error as NodeJS.ErrnoException;
  return (
    describeListenError(failure, settings) ?? describeDatabaseError(failure, settings.DATABASE_URL) ?? message
  );
}

function describeListenError(
  { code, syscall }: NodeJS.ErrnoException,
  { ADDRESS, PORT }: Settings,
): string | undefined {
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined;
  if (code === 'EADDRINUSE') {
    return `PORT: another program listens on ${ADDRESS} port ${PORT} (${code}); end it, or set another PORT`;
  }
  if (code === 'EACCES') {
    return `PORT: no right to listen on ${ADDRESS} port ${PORT} (${code}); set one from 1024 on`;
  }
  return code === 'EADDRNOTAVAIL' || (syscall === 'getaddrinfo' && isHostName(ADDRESS))
    ? `ADDRESS: ${ADDRESS} is no address of this machine (${code}); set one, such as 127.0.0.1 or 0.0.0.0`
    : undefined;
}

/** Distinguishes looking up the name to listen on from looking up that of the database. */
function isHostName(address: string): boolean {
  return !/^[\d.:a-f]+$/i.test(address) && address !== 'localhost';
}

/** By SQLSTATE (PostgreSQL documentation, appendix A). */
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'refuses the user or the password',
  '28000': 'refuses the user',
  '3D000': 'has no such database: create it',
  '42501': 'does not give the user the right to do this: grant it, or run `migrate` as a role that has it',
};

function describeDatabaseError(error: NodeJS.ErrnoException, url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const { host, pathname } = new URL(url);
  const place = `DATABASE_URL: PostgreSQL at ${host}${pathname}`;
  const { code = error.message } = error;
  const refusal = REFUSALS[code];
  if (refusal !== undefined) return `${place} ${refusal} (${code}: ${error.message})`;
  if (!isConnectionError(error)) return undefined;
  return `${place} cannot be reached (${code}); is it running, and is the address right?`;
}
