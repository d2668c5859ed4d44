// Looks random IPv4 addresses up with one of the readers for Node and prints how many a second.
//   node iplookup-lookups.mjs <reader> <lookup file> <count>
import { readFileSync } from 'node:fs';

/** Reader → how to open a file with it. Each gives the whole record of an address. */
const READERS = {
  'iplookup-core': async (file) => {
    const { openLookup } = await import('@svc/iplookup-core');
    const lookup = openLookup(readFileSync(file));
    return (address) => lookup.find(address);
  },
  'mmdb-lib': async (file) => {
    const { Reader } = await import('mmdb-lib');
    const reader = new Reader(readFileSync(file));
    return (address) => reader.get(address);
  },
  maxmind: async (file) => {
    const { open } = await import('maxmind');
    const reader = await open(file);
    return (address) => reader.get(address);
  },
};

const [name, file, count] = process.argv.slice(2);
const find = await READERS[name](file);
const addresses = Array.from({ length: Number(count) }, () =>
  Array.from({ length: 4 }, () => Math.floor(Math.random() * 256)).join('.'),
);
// Half of them twice: a service has been running for a while when it matters.
for (const address of addresses.slice(addresses.length / 2)) find(address);
let found = 0;
const started = performance.now();
for (const address of addresses) if (find(address)) found += 1;
const seconds = (performance.now() - started) / 1000;
console.log(JSON.stringify({ found, perSecond: Math.round(addresses.length / seconds) }));
