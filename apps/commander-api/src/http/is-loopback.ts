import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** True for an address to listen on that this machine alone can reach: 127.0.0.0/8, ::1 and localhost. */
export function isLoopback(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return address.toLowerCase() === 'localhost';
  return LOOPBACK.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
