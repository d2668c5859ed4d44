import {
  type AddressBytesParser,
  OUT_OF_RANGE,
  parseIpv4Integer,
  parseIpv4Text,
  parseIpv6Integer,
  parseIpv6Text,
} from './parse-address-bytes.js';
import { parseAnyText, parseNetwork, STRAY_BITS } from './parse-network-bytes.js';

/** How an input file writes its addresses. */
export type InputFormatName = 'ipv6' | 'ipv4' | 'ipv6-int' | 'ipv4-int' | 'cidr' | 'auto';

/** One row of {@link INPUT_FORMATS}. */
export interface InputFormat {
  readonly name: InputFormatName;
  /** 32-bit words per address. In a format of four, IPv4 addresses appear IPv4-mapped. */
  readonly width: 1 | 4;
  /** 2: first and last address in columns of their own; 1: a column of networks, for which `parse` writes both. */
  readonly addressColumns: 1 | 2;
  readonly parse: AddressBytesParser;
  /** What a cell must be, with its article. */
  readonly noun: string;
  readonly title: string;
}

const FORMATS: readonly InputFormat[] = [
  {
    name: 'ipv6',
    width: 4,
    addressColumns: 2,
    parse: parseIpv6Text,
    noun: 'an IPv6 address',
    title: 'IPv6 addresses, such as 2001:db8::1 or ::ffff:192.0.2.1',
  },
  {
    name: 'ipv4',
    width: 1,
    addressColumns: 2,
    parse: parseIpv4Text,
    noun: 'an IPv4 address',
    title: 'IPv4 addresses, such as 192.0.2.1',
  },
  {
    name: 'ipv6-int',
    width: 4,
    addressColumns: 2,
    parse: parseIpv6Integer,
    noun: 'a decimal number of 128 bits',
    title: 'IPv6 addresses as decimal numbers',
  },
  {
    name: 'ipv4-int',
    width: 1,
    addressColumns: 2,
    parse: parseIpv4Integer,
    noun: 'a decimal number of 32 bits',
    title: 'IPv4 addresses as decimal numbers',
  },
  {
    name: 'cidr',
    width: 4,
    addressColumns: 1,
    parse: parseNetwork,
    noun: 'a network (such as 192.0.2.0/24) or an address',
    title: 'one column of networks of both families, such as 192.0.2.0/24',
  },
  {
    name: 'auto',
    width: 4,
    addressColumns: 2,
    parse: parseAnyText,
    noun: 'an IPv4 or IPv6 address',
    title: 'addresses of both families in two columns, or networks in one',
  },
];

/** Every input format by its name. */
export const INPUT_FORMATS: ReadonlyMap<InputFormatName, InputFormat> = new Map(
  FORMATS.map((format) => [format.name, format]),
);

/** Why a parser of the format refused a cell. */
export function refusal(format: InputFormat, code: number): string {
  if (code === OUT_OF_RANGE) return `is beyond ${32 * format.width} bits`;
  if (code === STRAY_BITS) return 'has bits set after its prefix';
  return `is not ${format.noun}`;
}

/** @returns true when `text` is an address in any format: such a cell is no column name */
export function looksLikeAddress(text: string): boolean {
  const bytes = new TextEncoder().encode(`${text}\n`);
  const out = new Uint32Array(8);
  return FORMATS.some(({ parse }) => {
    const end = parse(bytes, 0, out, 0);
    return end === bytes.length - 1 || end === OUT_OF_RANGE;
  });
}
