import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildLookup, type BuildRequest } from './build-lookup.js';
import { openLookup } from '../mmdb/open-lookup.js';

const folder = mkdtempSync(join(tmpdir(), 'iplookup-ipinfo-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function build(text: string, options: Partial<BuildRequest>) {
  const input = join(folder, 'any-name.csv');
  writeFileSync(input, text);
  const { file } = await buildLookup({ kind: 'vendor', buildEpoch: 1, input, folder, ...options });
  return openLookup(readFileSync(file));
}

// The columns of IPinfo's public samples, with rows of our own.
const CORE =
  'network,city,region,region_code,country,country_code,continent,continent_code,latitude,longitude,timezone,postal_code';
const SPOT = 'Brook,Hills,HI,Utopia,XA,Oceania,OC,1.5,-2.5,Europe/Prague,0815';

test.each<[string, string, string, object]>([
  [
    'locations',
    CORE,
    SPOT,
    {
      continent: { code: 'OC', names: { en: 'Oceania' } },
      country: { iso_code: 'XA', names: { en: 'Utopia' } },
      subdivisions: [{ iso_code: 'HI', names: { en: 'Hills' } }],
      city: { names: { en: 'Brook' } },
      location: { latitude: 1.5, longitude: -2.5, time_zone: 'Europe/Prague' },
      postal: { code: '0815' },
    },
  ],
  [
    'extended locations',
    'start_ip,end_ip,join_key,city,region,region_name,country,country_name,latitude,longitude,postal_code,timezone,geoname_id,radius',
    'Brook,HI,Hills,XA,Utopia,1.5,-2.5,0815,Europe/Prague,4711,5000',
    {
      country: { iso_code: 'XA', names: { en: 'Utopia' } },
      subdivisions: [{ iso_code: 'HI', names: { en: 'Hills' } }],
      city: { names: { en: 'Brook' } },
      location: { accuracy_radius: 5000, latitude: 1.5, longitude: -2.5, time_zone: 'Europe/Prague' },
      postal: { code: '0815' },
    },
  ],
  [
    'countries and autonomous systems',
    'start_ip,end_ip,country,country_name,continent,continent_name,asn,as_name,as_domain',
    'XA,Utopia,OC,Oceania,AS64500,Example,example.com',
    {
      continent: { code: 'OC', names: { en: 'Oceania' } },
      country: { iso_code: 'XA', names: { en: 'Utopia' } },
      traits: {
        autonomous_system_number: 64500,
        autonomous_system_organization: 'Example',
        domain: 'example.com',
      },
    },
  ],
  [
    'autonomous systems, whose country is not that of the address',
    'network,asn,domain,name,type,country',
    'AS64500,example.com,Example,isp,XA',
    {
      traits: {
        autonomous_system_number: 64500,
        autonomous_system_organization: 'Example',
        domain: 'example.com',
      },
    },
  ],
  [
    'companies',
    'start_ip,end_ip,join_key,name,domain,type,asn,as_name,as_domain,as_type,country',
    'Depot,depot.example,business,AS64500,Example,example.com,isp,XA',
    {
      traits: {
        organization: 'Depot',
        domain: 'depot.example',
        autonomous_system_number: 64500,
        autonomous_system_organization: 'Example',
      },
    },
  ],
  [
    'carriers',
    'network,name,country,mcc,mnc',
    'Example Mobile,XA,440,020',
    { traits: { mobile_country_code: '440', mobile_network_code: '020' } },
  ],
  [
    'privacy, with ranges',
    'start_ip,end_ip,join_key,hosting,proxy,tor,vpn,relay,service',
    'true,,,true,,Example',
    { traits: { is_hosting_provider: true, is_anonymous_vpn: true } },
  ],
  [
    'extended privacy',
    'network,hosting,proxy,relay,tor,vpn,service,first_seen,last_seen,confidence,coverage,census,census_ports,device_activity,inferred,vpn_config,whois',
    'false,true,false,true,false,,2026-05-11,2026-07-31,1,0.5,true,500,false,false,false,false',
    { traits: { is_public_proxy: true, is_tor_exit_node: true } },
  ],
  [
    'Core',
    `${CORE},asn,as_name,as_domain,as_type,is_anonymous,is_anycast,is_hosting,is_mobile,is_satellite`,
    `${SPOT},AS64500,Example,example.com,hosting,true,false,true,false,true`,
    { traits: { is_anonymous: true, is_hosting_provider: true, is_satellite_provider: true } },
  ],
  [
    'Plus',
    `${CORE},dma_code,geoname_id,radius,asn,as_name,as_domain,as_type,carrier_name,mcc,mnc,as_changed,geo_changed,is_anonymous,is_anycast,is_hosting,is_mobile,is_satellite,is_proxy,is_relay,is_tor,is_vpn,privacy_name`,
    `${SPOT},501,4711,20,AS64500,Example,example.com,isp,Example Mobile,440,020,2026-01-01,2026-01-01,true,false,false,true,false,false,false,false,true,Example`,
    {
      location: { accuracy_radius: 20, metro_code: 501 },
      traits: { is_anonymous: true, is_anonymous_vpn: true, mobile_network_code: '020' },
    },
  ],
])('IPinfo’s %s have their places in MaxMind’s records', async (_what, header, values, record) => {
  const addresses = header.startsWith('network') ? '1.0.0.0/24' : '1.0.0.0,1.0.0.255';
  const key = header.includes('join_key') ? '1.0.0.0,' : '';
  const text = `${header}\n${addresses},${key}${values}\n`;
  const lookup = await build(text, { schema: 'geoip2' });
  expect(lookup.find('1.0.0.1')).toMatchObject(record);
  expect(JSON.stringify(lookup.find('1.0.0.1'))).not.toMatch(/isp"|Mobile"|false/);
  await build(text, { types: true });
});
