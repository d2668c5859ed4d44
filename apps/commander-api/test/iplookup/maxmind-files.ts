import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const BLOCKS =
  'network,geoname_id,registered_country_geoname_id,represented_country_geoname_id,is_anonymous_proxy,is_satellite_provider,postal_code,latitude,longitude,accuracy_radius\n';
const PLACES =
  'geoname_id,locale_code,continent_code,continent_name,country_iso_code,country_name,subdivision_1_iso_code,subdivision_1_name,subdivision_2_iso_code,subdivision_2_name,city_name,metro_code,time_zone,is_in_european_union\n';

/** Writes a database of cities in MaxMind's CSV form, with one network. @returns its folder, named like the product */
export function writeCities(parent: string, product: 'GeoLite2' | 'GeoIP2'): string {
  const folder = join(parent, `${product}-City-CSV_20260101`);
  const files = {
    'Blocks-IPv4': `${BLOCKS}192.0.2.0/24,3,2,,0,0,10001,50.5,10.5,20\n`,
    'Blocks-IPv6': BLOCKS,
    'Locations-en': `${PLACES}2,en,EU,Europe,XC,Arcadia,,,,,,,Europe/Arcadia,1\n3,en,EU,Europe,XC,Arcadia,,,,,Springfield,,Europe/Arcadia,1\n`,
    'Locations-de': `${PLACES}3,de,EU,Europa,XC,Arkadien,,,,,Quellfeld,,Europe/Arcadia,1\n`,
  };
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, `${product}-City-${name}.csv`), text);
  return folder;
}

/** The same as a zip archive with that folder, as MaxMind offers it for download. */
export function writeCityArchive(parent: string, product: 'GeoLite2' | 'GeoIP2'): void {
  const folder = writeCities(parent, product);
  execFileSync('/usr/bin/python3', ['-m', 'zipfile', '-c', `${folder}.zip`, folder]);
}
