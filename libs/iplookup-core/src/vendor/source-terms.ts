/** What may be done with a source's data, and what must be said of it. */
export interface SourceTerms {
  readonly licence?: string;
  /** In the vendor's words. */
  readonly attribution?: string;
}

/** Vendors' free files by name. @see the licence pages of the vendors */
const TERMS: readonly { readonly name: RegExp; readonly terms: SourceTerms }[] = [
  {
    name: /^(IP2(LOCATION|PROXY)-LITE-|(DB|PX)(\d+|ASN)LITE)/i,
    terms: {
      licence: 'CC BY-SA 4.0',
      attribution:
        'This site or product includes IP2Location LITE data available from https://lite.ip2location.com.',
    },
  },
  {
    name: /^GeoLite2?-/i,
    terms: {
      licence: 'GeoLite End User License Agreement',
      attribution:
        'This product includes GeoLite Data created by MaxMind, available from https://www.maxmind.com.',
    },
  },
  {
    name: /^ipinfo[_-]?lite/i,
    terms: {
      licence: 'CC BY-SA 4.0',
      attribution: 'IP address data powered by IPinfo, https://ipinfo.io',
    },
  },
  {
    name: /^dbip-[a-z]+-lite/i,
    terms: { licence: 'CC BY 4.0', attribution: 'IP Geolocation by DB-IP, https://db-ip.com' },
  },
  { name: /^ip2(asn|country)-/i, terms: { licence: 'PDDL 1.0' } },
];

/** The terms of a vendor's free file, known by its name; empty for others. */
export function termsOf(fileName: string): SourceTerms {
  const base = fileName.replace(/^.*[/\\]/, '');
  return TERMS.find(({ name }) => name.test(base))?.terms ?? {};
}
