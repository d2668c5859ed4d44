/** Columns implied by each part of a database's name. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  ADDRESSTYPE: ['address_type'],
  AREACODE: ['idd_code', 'area_code'],
  ASN: ['asn', 'as'],
  CATEGORY: ['category'],
  CIDR: ['cidr'],
  CITY: ['city_name'],
  COUNTRY: ['country_code', 'country_name'],
  DISTRICT: ['district'],
  DOMAIN: ['domain'],
  ELEVATION: ['elevation'],
  FRAUDSCORE: ['fraud_score'],
  ISP: ['isp'],
  LASTSEEN: ['last_seen'],
  LATITUDE: ['latitude'],
  LONGITUDE: ['longitude'],
  MOBILE: ['mcc', 'mnc', 'mobile_brand'],
  NETSPEED: ['net_speed'],
  PROVIDER: ['provider'],
  PROXYTYPE: ['proxy_type'],
  REGION: ['region_name'],
  RESIDENTIAL: [],
  THREAT: ['threat'],
  TIMEZONE: ['time_zone'],
  USAGETYPE: ['usage_type'],
  WEATHER: ['weather_station_code', 'weather_station_name'],
  ZIPCODE: ['zip_code'],
};

const PLACE = 'COUNTRY-REGION-CITY';
const SPOT = `${PLACE}-LATITUDE-LONGITUDE`;
const ZONE = `${SPOT}-ZIPCODE-TIMEZONE`;
const NET = `${ZONE}-ISP-DOMAIN-NETSPEED`;
const MOBILE = `${NET}-AREACODE-WEATHER-MOBILE`;
const PROXY = `PROXYTYPE-${PLACE}`;
const PROXY_ASN = `${PROXY}-ISP-DOMAIN-USAGETYPE-ASN`;
const PROXY_THREAT = `${PROXY_ASN}-LASTSEEN-THREAT`;

/**
 * IP2Location's databases by code, with their parts as spelled in vendor file names, from which both the name
 * `IP-<parts>.CSV` and the columns are derived. PX databases are IP2Proxy's.
 *
 * @see https://www.ip2location.com/database and https://www.ip2location.com/database/ip2proxy
 */
const DATABASES: Readonly<Record<string, string>> = {
  DB1: 'COUNTRY',
  DB2: 'COUNTRY-ISP',
  DB3: PLACE,
  DB4: `${PLACE}-ISP`,
  DB5: SPOT,
  DB6: `${SPOT}-ISP`,
  DB7: `${PLACE}-ISP-DOMAIN`,
  DB8: `${SPOT}-ISP-DOMAIN`,
  DB9: `${SPOT}-ZIPCODE`,
  DB10: `${SPOT}-ZIPCODE-ISP-DOMAIN`,
  DB11: ZONE,
  DB12: `${ZONE}-ISP-DOMAIN`,
  DB13: `${SPOT}-TIMEZONE-NETSPEED`,
  DB14: NET,
  DB15: `${ZONE}-AREACODE`,
  DB16: `${NET}-AREACODE`,
  DB17: `${SPOT}-TIMEZONE-NETSPEED-WEATHER`,
  DB18: `${NET}-AREACODE-WEATHER`,
  DB19: `${SPOT}-ISP-DOMAIN-MOBILE`,
  DB20: MOBILE,
  DB21: `${ZONE}-AREACODE-ELEVATION`,
  DB22: `${MOBILE}-ELEVATION`,
  DB23: `${SPOT}-ISP-DOMAIN-MOBILE-USAGETYPE`,
  DB24: `${MOBILE}-ELEVATION-USAGETYPE`,
  DB25: `${MOBILE}-ELEVATION-USAGETYPE-ADDRESSTYPE-CATEGORY`,
  DB26: `${MOBILE}-ELEVATION-USAGETYPE-ADDRESSTYPE-CATEGORY-DISTRICT-ASN`,
  ASN: 'CIDR-ASN',
  PX1: 'COUNTRY',
  PX2: 'PROXYTYPE-COUNTRY',
  PX3: PROXY,
  PX4: `${PROXY}-ISP`,
  PX5: `${PROXY}-ISP-DOMAIN`,
  PX6: `${PROXY}-ISP-DOMAIN-USAGETYPE`,
  PX7: PROXY_ASN,
  PX8: `${PROXY_ASN}-LASTSEEN`,
  PX9: PROXY_THREAT,
  PX10: `${PROXY_THREAT}-RESIDENTIAL`,
  PX11: `${PROXY_THREAT}-RESIDENTIAL-PROVIDER`,
  PX12: `${PROXY_THREAT}-RESIDENTIAL-PROVIDER-FRAUDSCORE`,
};

/** Columns appended in newer editions of a database. */
const LATER_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  DB26: ['as_domain', 'as_usage_type', 'as_cidr'],
};

/** Codes of all databases, such as `DB11`. */
export const VENDOR_CODES: readonly string[] = Object.keys(DATABASES);

/** A database's value columns in order, one list per edition. @param code from {@link VENDOR_CODES} */
export function vendorColumns(code: string): readonly (readonly string[])[] {
  const columns = DATABASES[code]!.split('-').flatMap((part) => PARTS[part]!);
  const later = LATER_COLUMNS[code];
  return later === undefined ? [columns] : [columns, [...columns, ...later]];
}

/** The code of the database with these parts. @param product `DB` or `PX` */
export function vendorCode(product: 'DB' | 'PX', parts: string): string | undefined {
  return VENDOR_CODES.find((code) => code.startsWith(product) && DATABASES[code] === parts);
}
