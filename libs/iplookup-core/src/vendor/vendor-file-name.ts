import { VENDOR_CODES, vendorCode, vendorColumns } from './vendor-databases.js';

/** A vendor file's content, as implied by its name. */
export interface VendorDatabase {
  /** Such as `DB11`, `PX2` or `ASN`. */
  readonly code: string;
  /** 6 for editions with both families as 128-bit numbers. */
  readonly family: 4 | 6;
  /** True for editions with one column of networks instead of ip_from and ip_to. */
  readonly cidr: boolean;
  /** Names of the value columns in order: one list per edition. */
  readonly columns: readonly (readonly string[])[];
}

type Match = Record<string, string | undefined>;

/** All file name patterns in use, without `.gz` and `.zip`, in upper case. */
const FORMS: readonly { readonly form: RegExp; readonly codeOf: (match: Match) => string | undefined }[] = [
  {
    form: /^IP2LOCATION-LITE-(?<code>DB\d+|ASN)(?:[.-](?<v6>IPV6))?(?<cidr>\.CIDR)?\.CSV$/,
    codeOf: ({ code }) => code,
  },
  {
    form: /^IP2PROXY-LITE-(?<code>PX\d+)(?:[.-](?<v6>IPV6))?(?<cidr>\.CIDR)?\.CSV$/,
    codeOf: ({ code }) => code,
  },
  {
    form: /^IP2LOCATION-(?<code>DB\d+)-SAMPLE\.(?:(?<v6>IPV6)|IPV4)(?<cidr>\.CIDR)?\.CSV$/,
    codeOf: ({ code }) => code,
  },
  {
    form: /^IP2PROXY-(?<code>PX\d+)-SAMPLE\.(?:(?<v6>IPV6)|IPV4)(?<cidr>\.CIDR)?\.CSV$/,
    codeOf: ({ code }) => code,
  },
  {
    form: /^(?:(?<v6>IPV6)|IP)-(?<parts>COUNTRY[A-Z-]*?)(?:-FULL)?(?:\.SAMPLE)?(?<cidr>\.CIDR)?\.CSV$/,
    codeOf: ({ parts }) => vendorCode('DB', parts!),
  },
  {
    form: /^IP2PROXY-(?:(?<v6>IPV6)|IP)-(?<parts>[A-Z-]+?)(?:-FULL)?(?:\.SAMPLE)?(?<cidr>\.CIDR)?\.CSV$/,
    codeOf: ({ parts }) => vendorCode('PX', parts!),
  },
  // The file codes of the vendor's download service.
  {
    form: /^(?<code>(?:DB|PX)\d+)(?:LITE)?(?<cidr>CIDR)?(?:CSV)(?<v6>IPV6)?(?:\.CSV)?$/,
    codeOf: ({ code }) => code,
  },
  { form: /^DB(?<code>ASN)LITE(?<v6>IPV6)?(?:\.CSV)?$/, codeOf: ({ code }) => code },
];

/**
 * Recognizes IP2Location's and IP2Proxy's CSV files, free and commercial, by name, ignoring case.
 *
 * @param fileName with or without folder, `.gz` and `.zip`
 */
export function vendorDatabase(fileName: string): VendorDatabase | undefined {
  const base = fileName.split(/[/\\]/).at(-1)!.toUpperCase();
  const name = base.replace(/(\.GZ|\.ZIP)$/, '');
  for (const { form, codeOf } of FORMS) {
    const match = form.exec(name)?.groups;
    const code = match && VENDOR_CODES.find((known) => known === codeOf(match));
    if (!match || !code) continue;
    return {
      code,
      family: match['v6'] === undefined ? 4 : 6,
      cidr: match['cidr'] !== undefined,
      columns: vendorColumns(code),
    };
  }
  return undefined;
}

/** Additions to file names by downloads, copies and dates. */
const ADDITIONS = [/\s*\(\d{1,9}\)/g, /\s*[-_]?\s*COPY\b/g, /[-_. ]?(19|20)\d\d([-_.]?\d\d){0,2}(?!\d)/g];

/** A database's code among other words. */
const CODE = /(?:^|[^A-Z0-9])(DB\d{1,2}|PX\d{1,2}|ASN)(?:LITE)?(?![0-9])/;

/**
 * Guesses the database for a file name that is not exactly a vendor's: a vendor name with an addition, or one
 * containing a database code.
 */
export function nearVendorDatabase(fileName: string): VendorDatabase | undefined {
  const base = fileName.split(/[/\\]/).at(-1)!.slice(0, 255).toUpperCase();
  const plain = ADDITIONS.reduce((name, addition) => name.replace(addition, ''), base);
  const found = vendorDatabase(plain);
  if (found !== undefined) return found;
  const code = CODE.exec(plain)?.[1];
  if (code === undefined || !VENDOR_CODES.includes(code)) return undefined;
  const family = plain.includes('IPV6') ? 6 : 4;
  return { code, family, cidr: plain.includes('.CIDR'), columns: vendorColumns(code) };
}

/** The recognized names, in one line. */
export const KNOWN_VENDOR_NAMES =
  'known names: IP2LOCATION-LITE-{DB1,DB3,DB5,DB9,DB11,ASN}[.IPV6][.CIDR].CSV, IP2PROXY-LITE-{PX1..PX12}[.IPV6][.CIDR].CSV, ' +
  'IP-COUNTRY....CSV, IPV6-COUNTRY....CSV, IP2PROXY-IP....CSV, IP2PROXY-IPV6....CSV, the samples and the download codes, such as DB11LITECSVIPV6, each also as .gz or .zip';
