// Looks up random IPv4 addresses with one of the readers for Node and prints lookups per second.
//   node iplookup-lookups.mjs <reader> <lookup file> <count>
import { readFileSync } from 'node:fs';

/** Opens a file with each reader; all return an address's complete record. */
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
// Warm-up with half of them: a service is usually warm.
for (const address of addresses.slice(addresses.length / 2)) find(address);
let found = 0;
const started = performance.now();
for (const address of addresses) if (find(address)) found += 1;
const seconds = (performance.now() - started) / 1000;
console.log(JSON.stringify({ found, perSecond: Math.round(addresses.length / seconds) }));
