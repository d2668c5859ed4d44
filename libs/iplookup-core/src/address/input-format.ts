import {
  type AddressBytesParser,
  OUT_OF_RANGE,
  parseIpv4Integer,
  parseIpv4Text,
  parseIpv6Integer,
  parseIpv6Text,
} from './parse-address-bytes.js';
import { optionMessage, type OptionMessage } from '../messages/option-message.js';
import { parseAnyText, parseNetwork, STRAY_BITS } from './parse-network-bytes.js';

/** The format of addresses in an input file; `networks` is a file without columns, see `NetworkList`. */
export type InputFormatName = 'ipv6' | 'ipv4' | 'ipv6-int' | 'ipv4-int' | 'cidr' | 'auto' | 'networks';

/** One row of {@link INPUT_FORMATS}. */
export interface InputFormat {
  readonly name: InputFormatName;
  /** 32-bit words per address. In a format of four, IPv4 addresses appear IPv4-mapped. */
  readonly width: 1 | 4;
  /** 2: first and last address in separate columns; 1: one column of networks, for which `parse` writes both. */
  readonly addressColumns: 1 | 2;
  readonly parse: AddressBytesParser;
  /** Describes a valid cell, with its article. */
  readonly noun: string;
  /** True if vendor files use it. */
  readonly vendor: boolean;
}

const NETWORK = 'a network (such as 192.0.2.0/24), a range (such as 192.0.2.0-192.0.2.9) or an address';

const FORMATS: readonly InputFormat[] = [
  {
    name: 'ipv6',
    width: 4,
    addressColumns: 2,
    parse: parseIpv6Text,
    noun: 'an IPv6 address',
    vendor: false,
  },
  {
    name: 'ipv4',
    width: 1,
    addressColumns: 2,
    parse: parseIpv4Text,
    noun: 'an IPv4 address',
    vendor: false,
  },
  {
    name: 'ipv6-int',
    width: 4,
    addressColumns: 2,
    parse: parseIpv6Integer,
    noun: 'a decimal number of 128 bits',
    vendor: true,
  },
  {
    name: 'ipv4-int',
    width: 1,
    addressColumns: 2,
    parse: parseIpv4Integer,
    noun: 'a decimal number of 32 bits',
    vendor: true,
  },
  {
    name: 'cidr',
    width: 4,
    addressColumns: 1,
    parse: parseNetwork,
    noun: NETWORK,
    vendor: true,
  },
  {
    name: 'auto',
    width: 4,
    addressColumns: 2,
    parse: parseAnyText,
    noun: 'an IPv4 or IPv6 address',
    vendor: false,
  },
  {
    name: 'networks',
    width: 4,
    addressColumns: 1,
    parse: parseNetwork,
    noun: NETWORK,
    vendor: false,
  },
];

/** Every input format by its name. */
export const INPUT_FORMATS: ReadonlyMap<InputFormatName, InputFormat> = new Map(
  FORMATS.map((format) => [format.name, format]),
);

/**
 * Explains why a format's parser rejected a cell.
 *
 * @param code the parser's error code
 * @param choice the formats that may be suggested
 */
export function refusal(
  format: InputFormat,
  code: number,
  text: string,
  choice: readonly InputFormat[],
): string | OptionMessage {
  if (code === STRAY_BITS) return 'has bits set after its prefix';
  const reason = code === OUT_OF_RANGE ? `is beyond ${32 * format.width} bits` : `is not ${format.noun}`;
  // A list has no columns that another format could read.
  return format.name === 'networks'
    ? reason
    : optionMessage`${reason}${otherFormats(
        text,
        choice.filter((other) => other !== format),
      )}`;
}

/**
 * Names the formats that accept a text, narrowest first, for the end of a message; empty if there are none. Networks
 * are named only if nothing else fits, since any address is one.
 */
export function otherFormats(text: string, choice: readonly InputFormat[]): OptionMessage {
  // Of a file without columns no cell is read.
  const reading = choice.filter(({ name, parse }) => name !== 'networks' && parsed(text, parse) === 'whole');
  const inTwoColumns = reading.filter(({ addressColumns }) => addressColumns === 2);
  const named = (inTwoColumns.length > 0 ? inTwoColumns : reading).toSorted((a, b) => a.width - b.width);
  const mentions = named.map(({ name }) => ({ option: 'inputFormat', value: name }));
  return mentions.length === 0
    ? []
    : [
        '; ',
        ...mentions.flatMap((mention, index) => (index === 0 ? [mention] : [' or ', mention])),
        ' reads it',
      ];
}

/** @returns true when `text` is an address in any format: such a cell is not a column name */
export function looksLikeAddress(text: string): boolean {
  return FORMATS.some(({ parse }) => parsed(text, parse) !== undefined);
}

/** @returns true when `text` is an IPv4 or IPv6 address as text: not a number, which may be anything */
export function isAddressText(text: string): boolean {
  return parsed(text, parseAnyText) === 'whole';
}

/** @returns true when `text` is a network, a range, or an address */
export function isNetworkText(text: string): boolean {
  return parsed(text, parseNetwork) === 'whole';
}

function parsed(text: string, parse: AddressBytesParser): 'whole' | 'too large' | undefined {
  const bytes = new TextEncoder().encode(`${text.trim()}\n`);
  const end = parse(bytes, 0, new Uint32Array(8), 0);
  if (end === OUT_OF_RANGE) return 'too large';
  return end === bytes.length - 1 ? 'whole' : undefined;
}
